"""A request has the options common to all methods; the others go to the method."""

from __future__ import annotations

import pytest

from whatsrelated.errors import OptionError
from whatsrelated.options import declared_options
from whatsrelated.query.filters import Filters
from whatsrelated.query.request import BasicRequest, Request, SimilarityRequest, split_options


def test_options_are_split_into_the_request_and_those_of_the_method() -> None:
    request, own = split_options({"limit": "3", "parents": 7, "new": True}, Request)
    assert (request.limit, request.new, request.site) == (3, True, "auto")
    assert own == {"parents": 7}


def test_a_value_out_of_range_is_an_error_of_the_request() -> None:
    with pytest.raises(OptionError, match="related: limit must be at least 1, got 0"):
        split_options({"limit": 0}, Request)
    with pytest.raises(OptionError, match="similarity: seed must be at least 0, got -1"):
        split_options({"seed": -1}, SimilarityRequest)


def test_a_request_is_a_basic_request_with_filters() -> None:
    basic, whole = declared_options(BasicRequest), declared_options(Request)
    assert list(whole)[: len(basic)] == list(basic)
    assert {*whole} - {*basic} == {*declared_options(Filters), "clusters", "hints"}
    alike = declared_options(SimilarityRequest)
    assert {name: whole[name] for name in alike} == alike
