"""Redirects: through chains, never in loops."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources.mediawiki.redirects import Redirects, pack_lines

NAMES = st.sampled_from(["a", "b", "c", "é", "ab", "b c", "日本", "z"])


def redirects_of(pairs: dict[str, str]) -> Redirects:
    redirects = Redirects()
    for source, target in pairs.items():
        redirects.add(pack_lines([source]), pack_lines([target]))
    redirects.close()
    return redirects


def follow(pairs: dict[str, str], title: str) -> str:
    """The definition: one redirect after the other; a title that leads into a loop stays."""
    passed = [title]
    while passed[-1] in pairs:
        passed.append(pairs[passed[-1]])
        if passed[-1] in passed[:-1]:
            return title
    return passed[-1]


@given(st.dictionaries(NAMES, NAMES))
def test_a_title_resolves_to_the_end_of_its_chain(pairs: dict[str, str]) -> None:
    titles = ["a", "b", "c", "é", "ab", "b c", "日本", "z", "other", ""]
    assert redirects_of(pairs).resolve(titles) == [follow(pairs, title) for title in titles]


def test_circles_are_counted() -> None:
    redirects = redirects_of({"a": "b", "b": "a", "c": "d"})
    assert (len(redirects), redirects.circles) == (3, 2)


def test_the_option_none_changes_nothing() -> None:
    assert redirects_of({}).resolve(["a"]) == ["a"]
