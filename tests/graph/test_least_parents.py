"""Pages with few parents are left out, by the definition, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whatsrelated as wr
from whatsrelated.errors import OptionError
from whatsrelated.stream import Page

LINKS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefghxyz"), max_size=6), max_size=6
)


def lists(graph: wr.Graph) -> dict[str, list[str]]:
    """The links of every page, by name."""
    return {
        graph.url(page): [graph.url(link) for link in graph.links_from(page)]
        for page in range(len(graph))
    }


@settings(max_examples=25)
@given(LINKS, st.integers(1, 4), st.booleans())
def test_an_unread_page_needs_a_minimum_number_of_parents(
    tmp_path_factory: pytest.TempPathFactory, links: dict[str, list[str]], least: int, disk: bool
) -> None:
    folder = tmp_path_factory.mktemp("least")
    pages = [Page(name, found) for name, found in links.items()]
    memory = 0 if disk else 1 << 30
    whole = lists(wr.build(pages, folder / "whole.graph", memory=memory, allow_empty=True))
    kept = {
        name
        for name in whole
        if name in links or sum(name in found for found in whole.values()) >= least
    }
    some = wr.build(
        pages, folder / "some.graph", memory=memory, allow_empty=True, least_parents=least
    )
    assert lists(some) == {
        name: [link for link in found if link in kept]
        for name, found in whole.items()
        if name in kept
    }
    assert some.store.manifest["built"]["left_out"] == len(whole) - len(kept)


def test_names_files_and_titles_of_pages_that_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "links.txt").write_text("0 1\n0 2\n3 2\n3 4\n")
    (tmp_path / "names.txt").write_text("0\ttea\n1\tcup\n2\tpot\n3\tcake\n4\tfork\n5\tnobody\n")
    built = wr.build(
        tmp_path / "links.txt",
        tmp_path / "web.graph",
        names_file=tmp_path / "names.txt",
        least_parents=2,
    )
    assert lists(built) == {"cake": ["pot"], "pot": [], "tea": ["pot"]}


def test_vertices_of_common_crawl_that_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("0\t1\n0\t2\n3\t2\n3\t4\n")
    hosts = ["com.a", "com.b", "com.c", "com.d", "com.e"]
    names = "".join(f"{number}\t{host}\n" for number, host in enumerate(hosts))
    (tmp_path / "vertices.txt").write_text(names)
    built = wr.build(
        tmp_path / "edges.txt",
        tmp_path / "web.graph",
        names_file=tmp_path / "vertices.txt",
        least_parents=2,
    )
    assert list(lists(built)) == ["http://a.com/", "http://c.com/", "http://d.com/"]
    assert lists(built)["http://a.com/"] == ["http://c.com/"]


def test_a_negative_number_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="least_parents"):
        wr.build([Page("a", ["b"])], tmp_path / "web.graph", least_parents=-1)
