"""Notion's exports in Markdown: pages by their titles, links by file or id."""

from __future__ import annotations

import zipfile

from tests.sources.markdown_folders import folder, read
from whatsrelated.sources import open_sources
from whatsrelated.sources.notion import NotionExport

ONE, TWO, THREE, FOUR = ("0123456789abcdef" * 2, "a" * 32, "b" * 32, "c" * 32)
FILES = {
    f"Home {ONE}.md": f"# Home\n\n[Tea](Home%20{ONE}/Tea%20{TWO}.md) "
    f"[again](https://www.notion.so/team/Milk-{THREE}?pvs=4) [w](https://w.org/) "
    f"[gone](https://www.notion.so/{'d' * 32})\n",
    f"Home {ONE}/Tea {TWO}.md": f"# Tea\n\n[up](../Home%20{ONE}.md) [Milk](Milk%20{THREE}.md)\n",
    f"Home {ONE}/Milk {THREE}.md": f"# Milk\n\n[the other](Milk%20{FOUR}.md)\n",
    f"Home {ONE}/Milk {FOUR}.md": "# Milk\n\n",
}
LINKS = {
    "Home": [
        "Home/Tea",
        f"Home {ONE}/Milk {THREE}",
        "https://w.org/",
        f"https://www.notion.so/{'d' * 32}",
    ],
    "Home/Tea": ["Home", f"Home {ONE}/Milk {THREE}"],
    f"Home {ONE}/Milk {THREE}": [f"Home {ONE}/Milk {FOUR}"],
    f"Home {ONE}/Milk {FOUR}": [],
}


def test_pages_have_their_titles_unless_two_have_the_same(tmp_path):
    assert read(NotionExport, tmp_path, FILES)[0] == LINKS


def test_an_export_is_recognised_and_so_is_its_zip_file_in_a_zip_file(tmp_path):
    whole = folder(tmp_path / "export", FILES)
    inner, outer = tmp_path / "ExportBlock-Part-1.zip", tmp_path / "Export.zip"
    with zipfile.ZipFile(inner, "w") as packed:
        for path in FILES:
            packed.write(whole / path, path)
    with zipfile.ZipFile(outer, "w") as packed:
        packed.write(inner, inner.name)
    for place in whole, inner, outer:
        source = open_sources([place], options={"workers": 1})
        assert [reader.name for _, reader in source.parts] == ["notion"]
        assert {page.url: list(page.links) for page in source} == LINKS
