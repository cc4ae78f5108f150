"""Template links: what stands on most pages of a site, found in bounded memory."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources.templates import FEWEST, SHARE, SLACK, TargetCounts


def test_a_small_site_has_no_templates():
    counts = TargetCounts()
    for _ in range(FEWEST - 1):
        counts.add(["home"])
    assert counts.candidates() == []
    counts.add(["home"])
    assert counts.candidates() == ["home"]


@given(
    st.lists(st.frozensets(st.integers(0, 30).map(str)), min_size=FEWEST, max_size=300),
    st.integers(2, 9),
)
def test_no_target_on_most_pages_is_missed_and_none_far_from_it_is_suspected(pages, repeats):
    counts, true = TargetCounts(), Counter()
    for page in pages * repeats:
        counts.add(page)
        true.update(page)
    total = len(pages) * repeats
    candidates = set(counts.candidates())
    assert {target for target, count in true.items() if count > SHARE * total} <= candidates
    assert all(true[target] > (SHARE - SLACK) * total for target in candidates)


def test_memory_does_not_grow_with_the_targets():
    counts = TargetCounts()
    for number in range(20_000):
        counts.add(["home", *(f"{number}/{link}" for link in range(10))])
    assert len(counts) <= 10 / SLACK + 1
    assert counts.candidates() == ["home"]
