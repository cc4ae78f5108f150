"""Tables in the docs are what the product and the scripts behind them print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import whatsrelated as wr
from benchmarks import xh14

DOCS = Path(__file__).parent.parent / "docs"
PYTHON_DOC = Path("/usr/share/doc/python3-doc/html")


def test_the_report_on_mbcc_has_the_tables_that_its_script_prints(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["xh14", str(shared / "data" / "toronto")])
    xh14.main()
    printed = capsys.readouterr().out.strip()
    assert (DOCS / "reports" / "mbcc.md").read_text(encoding="utf-8").strip().endswith(printed)


@pytest.mark.needs_system("python3-doc")
@pytest.mark.parametrize("links", ["all", "content"])
def test_the_page_on_sites_shows_what_the_kinds_of_links_give(links: str, tmp_path: Path) -> None:
    graph = wr.build([PYTHON_DOC], tmp_path / "doc.graph", links=links)
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (DOCS / "sites.md").read_text(encoding="utf-8").splitlines()
        if line.count("|") == 5
    ]
    head, _, *cells = rows[[row[0].startswith("cocitation,") for row in rows].index(True) :]
    for by in ("cocitation", "blend"):
        column = head.index(f"{by}, `--links {links}`")
        answer = graph.related("library/email.message.html", by=by)
        assert [row[column] for row in cells] == [shortened(result.url) for result in answer]


def shortened(name: str) -> str:
    name = re.sub(r"^library/(.*)\.html$", r"\1", name)
    return name.removeprefix("https://").removesuffix("/")
