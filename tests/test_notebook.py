"""The notebook of the docs runs from its first cell to its last, and shows what is stored in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat

from tests import system

NOTEBOOK = system.TOP / "docs" / "tutorials" / "notebook.ipynb"
RUN = "import sys, nbformat, nbclient; nb = nbformat.read(sys.argv[1], 4); \
nbclient.NotebookClient(nb, timeout=600).execute(); nbformat.write(nb, sys.argv[2])"


def shown(notebook: nbformat.NotebookNode, kind: str) -> list[str]:
    """What the cells show of a kind."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.data[kind] for output in outputs if kind in output.get("data", {})]


def test_the_notebook_goes_from_a_crawl_to_a_picture_and_a_table(tmp_path: Path) -> None:
    made = tmp_path / "made.ipynb"
    done = subprocess.run(
        [sys.executable, "-c", RUN, NOTEBOOK, made],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    stored, again = nbformat.read(NOTEBOOK, 4), nbformat.read(made, 4)
    assert len(shown(again, "image/png")) == len(shown(stored, "image/png")) == 1
    tables = [text for text in shown(again, "text/plain") if "\n" in text]
    assert len(tables) == 2
    assert tables == [text for text in shown(stored, "text/plain") if "\n" in text]
    assert "The Washington Post" in shown(again, "text/html")[1]
    assert [line.split()[0] for line in tables[1].split("\n")[2:7]] == [
        *("blend", "cocitation", "companion", "extended-cocitation", "lli")
    ]
