"""Similar names: the compiled loop, its plain twin, the definition, and a case by hand."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.spelling import cosines
from whatsrelated import kernels
from whatsrelated.kernels.asking import name_similarity as plain
from whatsrelated.kernels.building.sort_keys import packed
from whatsrelated.names.keys import sort_key

part = st.text("abAB._-09", min_size=1, max_size=6)
path = st.lists(part, min_size=1, max_size=4).map("/".join)
names = st.one_of(
    path,
    path.map("/{}/".format),
    path.map("a.b-1.com/{}".format),
    st.sampled_from(["ab.org", "ba.ab.org", "ab.html", "ab.htm/ab", "a..org", ".org", "ab.Org"]),
    st.lists(st.sampled_from(["ab", "html", "a1", "", "-"]), min_size=2, max_size=4).map(".".join),
    path.map("https://www.example.org/{}".format),
    path.map("http://other.net:8080/{}".format),
    st.integers(0, 99999).map(str),
    st.just("https://example.org/"),
)


@given(st.lists(names, min_size=1, max_size=12))
def test_names_are_compared_as_their_definition_says(listed: list[str]) -> None:
    keys = packed([sort_key(name) for name in listed])
    wanted = cosines(listed[0], listed[1:])
    for module in (kernels.name_similarity, plain):
        found = module.cosines(*keys)[1:].tolist()
        assert found == pytest.approx([wanted[name] for name in listed[1:]], rel=1e-9)


@given(st.lists(st.text(st.characters(min_codepoint=32, codec="utf-8"), min_size=1)))
def test_both_twins_compare_any_letters_the_same_way(listed: list[str]) -> None:
    keys = packed([sort_key(name) for name in listed])
    found = kernels.name_similarity.cosines(*keys).tolist()
    assert found == pytest.approx(plain.cosines(*keys).tolist(), rel=1e-12)


def test_hosts_do_not_count_in_names_with_or_without_http() -> None:
    listed = ["tea.blogs.example/mt", "milk.blogs.example", "https://tea.blogs.example/", "other"]
    keys = packed([sort_key(name) for name in listed])
    assert kernels.name_similarity.cosines(*keys).tolist() == [1, 0, 0, 0]


def test_the_last_part_of_a_path_counts_most_and_what_all_share_nothing() -> None:
    keys = packed([b"x/ab", b"x/AB.html", b"ab/x", b"y/cd"])
    # of x/ab: /x/ in 3 of 4 names, once the last part; x/a and /ab, ab/ in two and three.
    spelt = kernels.name_similarity.cosines(*keys)
    second = {"/x/": log(4 / 3) / 2, "x/a": log(2) / 2, "/ab": log(4 / 3), "ab/": log(4 / 3)}
    third = {"/ab": log(4 / 3) / 2, "ab/": log(4 / 3) / 2, "b/x": log(4) / 2, "/x/": log(4 / 3)}
    product = sum(weight * second.get(trigram, 0) for trigram, weight in third.items())
    lengths = sqrt(sum(w**2 for w in second.values()) * sum(w**2 for w in third.values()))
    assert spelt[:2].tolist() == pytest.approx([1, 1])
    assert spelt[2] == pytest.approx(product / lengths)
    assert spelt[3] == 0
