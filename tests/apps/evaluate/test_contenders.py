"""Methods are written with their options, as people write them."""

from __future__ import annotations

import pytest

from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.errors import OptionError
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.methods.companion import Companion


def test_a_method_is_written_with_its_options() -> None:
    first, second = contenders("companion(parents=500, merge=false), cocitation(seed=3)")
    assert first.method == Companion(parents=500, merge=False)
    assert first.label == "companion(parents=500, merge=false)"
    assert second.method == Cocitation()
    assert second.request == (("seed", 3),)


def test_a_label_has_only_what_differs_and_can_be_parsed_again() -> None:
    (one,) = contenders("companion(parents=2000,siblings=all)")
    assert one.label == "companion(siblings=all)"
    assert contenders(one.label) == [one]


def test_the_settings_of_one_override_those_of_all() -> None:
    first, second = contenders("cocitation(site=host),lli", {"site": "page"})
    assert (dict(first.request), dict(second.request)) == ({"site": "host"}, {"site": "page"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "No method 'nothing'"),
        ("lli(gap=2)", "lli: gap must be at least 0 and at most 1, got 2"),
        ("lli(gaps=1)", "lli has no option 'gaps'; did you mean gap? It has: parents"),
        ("lli(limit=3)", "lli has no option 'limit'"),
        ("lli(gap)", "lli takes option=value pairs, each option only once; got 'gap'"),
        ("lli(gap=0,gap=1)", "each option only once"),
        ("lli(gap=0", "write methods like companion"),
        ("lli walk", "write methods like companion"),
        ("lli,walk,lli", "lli appears twice"),
        ("companion,companion(parents=2000)", "companion appears twice"),
    ],
)
def test_unreadable_input_is_reported(text: str, said: str) -> None:
    with pytest.raises(OptionError) as told:
        contenders(text)
    assert said in str(told.value)
