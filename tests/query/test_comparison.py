"""Methods side by side: places, what they share, how far they agree."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import OptionError
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.query.comparison import average_overlap

GRAPH = ("p -> u a b", "q -> u a", "r -> u a b c", "u -> d", "e -> d", "f -> a b")


def test_the_overlap_counts_heads_most() -> None:
    assert average_overlap("abc", "abc") == 1
    assert average_overlap("abc", "xyz") == 0
    assert average_overlap("ab", "ba") == pytest.approx((0 + 2 / 2) / 2)
    assert average_overlap("abx", "aby") == pytest.approx((1 + 1 + 2 / 3) / 3)
    assert average_overlap("xab", "yab") == pytest.approx((0 + 1 / 2 + 2 / 3) / 3)
    assert average_overlap("a", "ab") == pytest.approx((1 + 1 / 2) / 2)
    assert average_overlap("", "") is None


def test_a_page_has_its_place_in_each_list() -> None:
    compared = graph_of(*GRAPH).compare("u", by=["cocitation", "extended-cocitation"])
    assert compared.methods == ("cocitation", "extended-cocitation")
    assert [[result.url for result in answer] for answer in compared.answers] == [
        ["a", "b", "c"],
        ["a", "b", "e", "c"],
    ]
    assert [(row.url, row.places) for row in compared.rows()] == [
        ("a", (1, 1)),
        ("b", (2, 2)),
        ("c", (3, 4)),
        ("e", (None, 3)),
    ]
    assert compared.shared() == [[3, 3], [3, 4]]
    assert compared.agreement()[0][1] == pytest.approx((1 + 1 + 2 / 3 + 3 / 4) / 4)
    told = compared.as_dict()
    assert told["pages"][3] == {"url": "e", "title": None, "positions": [None, 3]}
    assert [answer["by"] for answer in told["answers"]] == list(compared.methods)


def test_an_option_goes_to_the_methods_that_have_it() -> None:
    graph = graph_of(*GRAPH)
    compared = graph.compare("u", by=["cocitation", "lli"], rank=1, parents=2, limit=1)
    first, second = compared.answers
    assert first.options["parents"] == second.options["parents"] == 2
    assert "rank" not in first.options
    assert second.options["rank"] == 1
    with pytest.raises(OptionError, match=r"compare has no option 'colour'; it has: .*parents"):
        graph.compare("u", by=["cocitation"], colour="red")
    with pytest.raises(OptionError, match="no methods given"):
        graph.compare("u", by=[])
    with pytest.raises(OptionError, match="No method 'magic'"):
        graph.compare("u", by=["cocitation", "magic"])


def test_one_method_with_different_options_is_named_in_full() -> None:
    ways = [Cocitation(siblings=0), Cocitation(siblings="all")]
    compared = graph_of(*GRAPH).compare("u", by=ways)
    assert compared.methods == tuple(map(repr, ways))
