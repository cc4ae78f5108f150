"""Pages are listed and searched, the most linked first or by folder."""

from __future__ import annotations

import pytest

from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.query.pages import PageSearch

GRAPH = Graph.from_links(
    [
        ("https://a.org/", "https://b.org/tea/green"),
        ("https://b.org/", "https://b.org/tea/green"),
        ("https://a.org/", "https://b.org/tea/black"),
        ("https://a.org/", "notes/Tea time"),
    ],
    titles={"https://b.org/tea/black": "Strong teas"},
)


def listed(**options: object) -> list[str]:
    pages, _ = PageSearch(**options).run(GRAPH.store)  # type: ignore[arg-type]
    return [GRAPH.url(page) for page in pages]


def test_without_words_the_most_linked_come_first() -> None:
    assert listed()[0] == "https://b.org/tea/green"
    assert PageSearch().run(GRAPH.store)[1] == len(GRAPH)
    assert listed(limit=1, skip=1) == [listed()[1]]


def test_every_word_must_match_and_the_last_may_be_a_prefix() -> None:
    assert listed(words="tea gr") == ["https://b.org/tea/green"]
    assert listed(words="STRONG") == ["https://b.org/tea/black"]
    assert set(listed(words="tea")) == {
        "https://b.org/tea/green",
        "https://b.org/tea/black",
        "notes/Tea time",
    }
    assert listed(words="te green") == []


def test_a_folder_is_one_run_of_names() -> None:
    assert listed(folder="https://b.org/tea/", order="folder") == [
        "https://b.org/tea/black",
        "https://b.org/tea/green",
    ]
    assert listed(folder="notes/", words="time") == ["notes/Tea time"]
    assert listed(folder="nowhere") == []


def test_bounds_are_enforced() -> None:
    with pytest.raises(OptionError, match="limit must be at least 1"):
        PageSearch(limit=0)
