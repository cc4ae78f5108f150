"""Bibliographies give titles to the pages of other sources.

The seeds are made by hand; independent parsers (bibtexparser, rispy, json) count their works.
"""

from __future__ import annotations

import json
from pathlib import Path

import bibtexparser
import pytest
import rispy

from tests.fuzz.run import CORPUS
from tests.sources import read, write
from whatsrelated import api
from whatsrelated.errors import ReadError
from whatsrelated.stream import Page

SEEDS = CORPUS / "readers" / "bibliography"
DOI = "10.1016/s1389-1286(99)00022-5"
COUNTED = {
    "refs.bib": lambda path: len(bibtexparser.parse_string(path.read_text()).entries),
    "refs.ris": lambda path: len(rispy.loads(path.read_text())),
    "refs.json": lambda path: len(json.loads(path.read_text())),
}
TITLES = {
    "refs.bib": {DOI: "Finding Related Pages in the World Wide Web", "@nokey99": "Tea"},
    "refs.ris": {DOI: "Finding Related Pages"},
    "refs.json": {DOI: "Finding Related Pages"},
}


@pytest.fixture
def links(tmp_path: Path) -> Path:
    return write(tmp_path / "links.tsv", f"citing\tcited\n10.1000/x\t{DOI}\n@dh99\t@roe01\n")


@pytest.mark.parametrize("name", COUNTED)
def test_every_work_of_a_bibliography_is_read_or_counted(name: str, links: Path) -> None:
    source = read(links, SEEDS / name)
    list(source)
    counted = source.counts["bibliography"]["works"] + source.refused.total()
    assert counted == COUNTED[name](SEEDS / name)


@pytest.mark.parametrize("name", TITLES)
def test_works_are_named_by_doi_with_their_titles(name: str, links: Path, tmp_path: Path) -> None:
    graph = api.build([links, SEEDS / name], tmp_path / "g.graph")
    for work, title in TITLES[name].items():
        assert graph.store.title(graph.page(work)) == title


def test_works_are_named_by_key_as_in_notes(links: Path, tmp_path: Path) -> None:
    graph = api.build([links, SEEDS / "refs.bib"], tmp_path / "g.graph", cite_by="key")
    assert graph.store.title(graph.page("@dh99")) == TITLES["refs.bib"][DOI]


def test_a_bibliography_alone_is_an_error_that_says_what_to_add() -> None:
    with pytest.raises(ReadError, match=r"no links; .*: related build LINKS .*refs.bib$"):
        read(SEEDS / "refs.bib")


def test_braces_and_quotes_that_never_close_end_the_entry(tmp_path: Path, links: Path) -> None:
    text = '@article{a, title = {Tea {and\n}\n@article{b, title = "Milk\n, doi = 10.1234/x}\n'
    items = read(links, write(tmp_path / "x.bib", text))
    works = [item.url for item in items if isinstance(item, Page)]
    assert works == ["@a", "@b"]
