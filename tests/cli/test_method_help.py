"""The help of `related to`: in groups, with the options of the method that is given."""

from __future__ import annotations

import re

import pytest

from tests.cli.commands import related
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.filters import Filters
from whatsrelated.query.request import BasicRequest


def groups(*words: str) -> dict[str, str]:
    """The text of each group of a help by its title."""
    done = related(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    parts = re.split(r"^([A-Z][a-z ]+(?:[a-z-]*)):.*\n", done.stdout, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def flags(text: str) -> set[str]:
    """The options that a group lists, by their names in Python."""
    return {one.replace("-", "_") for one in re.findall(r"^  (?:-\w, )?--([\w-]+)", text, re.M)}


@pytest.mark.parametrize(
    "words", [("--by", "lli", "--help-all"), ("--help-all", "--by=lli"), ("x", "--help-all")]
)
def test_only_the_options_of_the_method_that_is_given_are_listed(words: tuple[str, ...]) -> None:
    method = METHODS["lli" if "x" not in words else "blend"]
    shown = groups("to", *words)
    own = f"Options of {method.name}"
    assert list(shown) == ["Usage", "Examples", "Query", "Filters", own]
    assert flags(shown[own]) == set(declared_options(method))
    assert flags(shown["Filters"]) == set(declared_options(Filters))
    assert flags(shown["Query"]) >= {*declared_options(BasicRequest), "by", "why", "graph"}
    common = groups("to", *(word.removesuffix("-all") for word in words))
    assert flags(common[own]) == set(declared_options(method))
    assert {"new", "only"} <= flags(common["Filters"]) < set(declared_options(Filters))


def test_plain_words_come_first_and_the_symbol_of_the_paper_last() -> None:
    text = " ".join(groups("to", "--by", "lli", "--help")["Options of lli"].split())
    assert "Number of the page's first links to follow (F). [default: 40] --coparents" in text


def test_an_unknown_method_is_named_before_any_help() -> None:
    done = related("to", "--by", "nosuch", "--help")
    assert done.returncode == 2
    assert done.stderr.startswith("related: No method 'nosuch'; choose from blend, cocitation")
