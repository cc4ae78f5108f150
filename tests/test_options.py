"""Options take what people type, and refuse the rest with their bounds."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.methods.hits import Hits
from whatsrelated.methods.pagesim import PageSim
from whatsrelated.options import Option

WHOLE = Option(default=10, sentence="", low=1, high=10**19, kind=int)


@pytest.mark.parametrize(
    ("typed", "means"),
    [("7", 7), ("1e3", 1000), ("7.0", 7), ("9007199254740993", 9007199254740993)],
)
def test_a_whole_number_may_be_typed_in_any_way(typed: str, means: int) -> None:
    assert WHOLE.convert(typed, "related", "limit") == means


@pytest.mark.parametrize("typed", ["", "7.5", "seven", "nan", "inf", "1e400", "9" * 5000, True])
def test_what_is_no_whole_number_is_refused(typed: str | bool) -> None:
    with pytest.raises(OptionError, match="related: limit must be at least 1"):
        WHOLE.convert(typed, "related", "limit")


def test_a_page_that_is_not_there_names_the_nearest_one() -> None:
    graph = graph_of("https://a.org/ -> https://b.org/ https://b.org/x/y")
    with pytest.raises(PageNotFound) as caught:
        graph.page("https://b.org/x/z")
    assert caught.value.asked == "https://b.org/x/z"
    assert caught.value.nearest == "https://b.org/x/y"


def test_none_is_the_word_none_where_an_option_has_it() -> None:
    assert PageSim(radius=None) == PageSim(radius="none")
    with pytest.raises(OptionError, match="hits: inlinks must be at least 0, got None"):
        Hits(inlinks=None)
