"""The extension in a build by Sphinx itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.apps.notes import write_pages
from tests.apps.site.test_run import listed

CONF = """
project = "Drinks"
extensions = ["myst_parser", "whatsrelated.apps.site.sphinx"]
html_theme = "furo"
related_pages_heading = "Siehe auch"
"""


INDEX = "# Drinks\n\n```{toctree}\ngreen\nblack\ncoffee\nhoney\nlemon\nmilk\n```\n"


def build(source: Path, builder: str = "html", **settings: object) -> subprocess.CompletedProcess:
    (source / "index.md").write_text(INDEX)
    lines = [f"{name} = {value!r}" for name, value in settings.items()]
    (source / "conf.py").write_text("\n".join([CONF, *lines]))
    command = [sys.executable, "-m", "sphinx", "-b", builder, ".", "_build"]
    return subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)


def test_sphinx_writes_lists_and_builds_again(tmp_path):
    write_pages(tmp_path, "{name}.md")
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "related pages: added to 7 of 9 pages" in done.stdout
    site = tmp_path / "_build"
    assert listed(site, "green.html", "Siehe auch")[0] == ("black.html", "Black", None)
    page = site / "green.html"
    assert page.read_text().index("Siehe auch") < page.read_text().index("</article>")
    before = page.read_bytes()
    assert build(tmp_path).returncode == 0
    assert page.read_bytes() == before


def test_the_directive_says_where_and_folders_are_linked_as_folders(tmp_path):
    write_pages(tmp_path, "{name}.md")
    green = tmp_path / "green.md"
    green.write_text(green.read_text() + "\n```{related-pages}\n```\n\nThe end.\n")
    done = build(tmp_path, "dirhtml")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "_build" / "green" / "index.html").read_text()
    assert page.index("<!-- related-pages:begin -->") < page.index("The end.")
    items = listed(tmp_path / "_build", "green/index.html", "Siehe auch")
    assert ("../black/", "Black", None) in items


def test_a_wrong_setting_is_one_sentence(tmp_path):
    done = build(tmp_path, related_pages_limit=0)
    assert done.returncode == 2
    assert "related pages: site: limit must be at least 1, got 0." in done.stderr


def test_other_builders_are_left_alone(tmp_path):
    assert build(tmp_path, "text").returncode == 0
