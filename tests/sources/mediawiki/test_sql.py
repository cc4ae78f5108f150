"""A wiki's tables become its links, in both schemas."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import ReadError

COLUMNS = {
    "page": ("page_id", "page_namespace", "page_title", "page_is_redirect", "page_len"),
    "redirect": ("rd_from", "rd_namespace", "rd_title"),
    "linktarget": ("lt_id", "lt_namespace", "lt_title"),
    "new": ("pl_from", "pl_from_namespace", "pl_target_id"),
    "old": ("pl_from", "pl_namespace", "pl_title", "pl_from_namespace"),
}
ROWS = {
    "page": "(1,0,'Tea',0,9),(2,0,'Green_tea',0,9),(3,0,'Tee',1,9),(4,14,'Drinks',0,9)"
    ",(5,0,'The',1,9)",
    "redirect": "(3,0,'Tea'),(5,0,'Tee')",
    "linktarget": "(11,0,'Tea'),(12,0,'Tee'),(13,14,'Drinks'),(14,0,'It\\'s_red'),(15,0,'The')",
    "new": "(1,0,14),(2,0,12),(2,0,13),(3,0,11),(4,14,11),(1,0,11),(9,0,11),(2,0,15),(2,0,99)",
    "old": "(1,0,'It\\'s_red',0),(2,0,'Tee',0),(2,14,'Drinks',0),(3,0,'Tea',0),(4,0,'Tea',14)"
    ",(1,0,'Tea',0),(9,0,'Tea',0),(2,0,'The',0)",
}


def tables(folder: Path, *kinds: str) -> list[Path]:
    paths = []
    for kind in kinds:
        name = "pagelinks" if kind in ("new", "old") else kind
        columns = ",\n".join(f"  `{column}` int" for column in COLUMNS[kind])
        text = (
            f"CREATE TABLE `{name}` (\n{columns}\n) x;\nINSERT INTO `{name}` VALUES {ROWS[kind]};\n"
        )
        paths.append(write(folder / f"{name}.sql", text))
    return paths


SCHEMAS = [("new", "page", "linktarget", "redirect"), ("old", "page", "redirect")]


@pytest.mark.parametrize("kinds", SCHEMAS)
def test_redirects_are_folded_and_namespaces_chosen(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    paths = tables(tmp_path, *kinds)
    source = read(*paths)
    assert set(links_of(source)) == {("Tea", "It's red"), ("Green tea", "Tea")}
    assert pages_of(source) == {"Tea", "Green tea", "It's red"}
    assert not source.ordered
    both = read(*paths, options={"namespaces": "0,14"})
    assert ("Green tea", "Category:Drinks") in links_of(both)
    assert ("Category:Drinks", "Tea") in links_of(both)


@pytest.mark.parametrize("kinds", SCHEMAS)
def test_redirects_can_be_kept(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    source = read(*tables(tmp_path, *kinds), options={"redirects": "keep"})
    assert set(links_of(source)) == {
        ("Tea", "It's red"),
        ("Green tea", "Tee"),
        ("Green tea", "The"),
        ("Tee", "Tea"),
    }


def test_missing_tables_are_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="needs the tables page and linktarget too"):
        list(read(*tables(tmp_path, "new")))
    with pytest.raises(ReadError, match="needs the table pagelinks too"):
        list(read(*tables(tmp_path, "page")))


def test_numbers_may_be_far_apart_and_other_text_is_rejected(tmp_path: Path) -> None:
    paths = tables(tmp_path, *SCHEMAS[0])
    for path in paths:  # page 2 gets a number for which no table has room
        text = path.read_text().replace("(2,0,", "(999999999999999999,0,")
        path.write_text(text + text.splitlines()[-1].partition("(")[0] + "(1e308,0,0,0,0);\n")
    source = read(*paths)
    assert set(links_of(source)) == {("Tea", "It's red"), ("Green tea", "Tea")}
    assert source.refused.counts == {"not a row of the table": 4}
