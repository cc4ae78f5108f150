"""Options take what people type, and refuse the rest with their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.methods.hits import Hits
from whatsrelated.methods.pagesim import PageSim
from whatsrelated.options import (
    Bytes,
    Configured,
    FilePaths,
    Option,
    configure,
    declared_options,
    divide,
    option,
)

WHOLE = Option(default=10, sentence="", low=1, high=10**19, kind=int)
SIZE = Option(default=None, sentence="", low=0, kind=Bytes)


@pytest.mark.parametrize(
    ("typed", "means"),
    [("7", 7), ("1e3", 1000), ("7.0", 7), ("9007199254740993", 9007199254740993)],
)
def test_a_whole_number_may_be_typed_in_any_way(typed: str, means: int) -> None:
    assert WHOLE.convert(typed, "related", "limit") == means


@pytest.mark.parametrize("typed", ["", "7.5", "seven", "nan", "inf", "1e400", "9" * 5000, True])
def test_text_that_is_not_an_integer_is_rejected(typed: str | bool) -> None:
    with pytest.raises(OptionError, match="related: limit must be at least 1"):
        WHOLE.convert(typed, "related", "limit")


def test_a_missing_page_is_an_error_that_names_the_closest() -> None:
    graph = graph_of("https://a.org/ -> https://b.org/ https://b.org/x/y")
    with pytest.raises(PageNotFound) as caught:
        graph.page("https://b.org/x/z")
    assert caught.value.asked == "https://b.org/x/z"
    assert caught.value.nearest == "https://b.org/x/y"


def test_none_is_accepted_if_it_is_a_choice_of_the_option() -> None:
    assert PageSim(radius=None) == PageSim(radius="none")
    with pytest.raises(OptionError, match="hits: inlinks must be at least 0, got None"):
        Hits(inlinks=None)


@dataclass(frozen=True)
class Kettle(Configured):
    """Something whose options were renamed."""

    name: ClassVar[str] = "kettle"

    cups: int = option(2, "number of cups", low=1, formerly=("mugs", "beakers"))
    green: bool = option(False, "make green tea", formerly={"leaf": {"green": True, "red": False}})


def test_an_option_is_accepted_by_its_former_names() -> None:
    assert Kettle(mugs=3) == Kettle(cups=3)  # type: ignore[call-arg]
    assert configure(Kettle, {"beakers": "4", "leaf": "green"}) == Kettle(cups=4, green=True)
    assert configure(Kettle, {"leaf": "red"}) == Kettle()
    own, others = divide({"mugs": 3, "sugar": 1}, Kettle)
    assert (own, others) == ({"cups": 3}, {"sugar": 1})


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"mugs": 3, "cups": 4}, "kettle: mugs is now called cups; use only cups."),
        ({"mugs": 0}, "kettle: cups must be at least 1, got 0."),
        ({"leaf": "black"}, "kettle: green must be true or false, got 'black'."),
        ({"leaf": ["green"]}, "kettle: green must be true or false, got ['green']."),
        ({"pots": 1}, "kettle has no option 'pots'; it has: cups, green."),
    ],
)
def test_a_former_name_is_held_to_the_present_option(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError) as error:
        configure(Kettle, values)
    assert str(error.value) == sentence


@dataclass(frozen=True)
class Samovar(Kettle):
    name: ClassVar[str] = "samovar"
    fixed: ClassVar[tuple[str, ...]] = ("green",)


def test_an_inherited_option_can_be_fixed() -> None:
    assert list(declared_options(Samovar)) == ["cups"]
    with pytest.raises(OptionError, match="samovar has no option 'green'; it has: cups"):
        configure(Samovar, {"green": True})
    assert configure(Samovar, {"cups": 3}).green is False


@pytest.mark.parametrize(
    ("typed", "means"),
    [("2G", 2 << 30), ("512 MiB", 512 << 20), ("4kb", 4096), ("7", 7), (7, 7), ("0", 0)],
)
def test_a_size_may_be_typed_with_a_unit(typed: str | int, means: int) -> None:
    assert SIZE.convert(typed, "build", "memory") == means


@pytest.mark.parametrize("typed", ["", "G", "2X", "-1", -1, 1.5, True, "9" * 30, ["2G"]])
def test_text_that_is_not_a_size_is_rejected(typed: Any) -> None:
    with pytest.raises(OptionError, match="build: memory must be a size such as 512M or 2G, got"):
        SIZE.convert(typed, "build", "memory")


def test_paths_may_be_texts_or_paths() -> None:
    one, several = Option(None, "", kind=Path), Option((), "", kind=FilePaths)
    assert one.convert("a/b", "build", "temp") == Path("a/b")
    assert several.convert(Path("a"), "build", "names_file") == ("a",)
    assert several.convert(["a", Path("b")], "build", "names_file") == ("a", "b")
    for kind, wrong in ((one, 3), (one, "a\0b"), (several, [3]), (several, 3)):
        with pytest.raises(OptionError, match="must be a path"):
            kind.convert(wrong, "build", "temp")


@pytest.mark.parametrize("value", [["a*", "b*"], ("a*", "b*"), "a*\nb*"])
def test_an_option_that_may_be_repeated_takes_a_list(value: Any) -> None:
    patterns = Option(default=None, sentence="", lines=True)
    assert patterns.convert(value, "related", "only") == "a*\nb*"
    assert patterns.convert([], "related", "only") is None
    once = Option(default=None, sentence="")
    with pytest.raises(OptionError, match="at must be a string"):
        once.convert(["a", "b"], "site", "at")
