"""Template links, which are on most pages of a site, found in bounded memory."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources import templates
from whatsrelated.sources.templates import FEWEST, SHARE, template_links


def found(pages):
    return template_links(pages, Counter(site for site, _ in pages))


def test_a_small_site_has_no_templates():
    assert found([("a", ["home"])] * (FEWEST - 1)) == {}
    assert found([("a", ["home"])] * FEWEST) == {"a": {"home"}}


@pytest.mark.parametrize("slots", [1 << 23, 4, 1])
@given(
    pages=st.lists(
        st.tuples(st.sampled_from("ab"), st.frozensets(st.integers(0, 12).map(str)).map(sorted)),
        max_size=120,
    ),
    repeats=st.integers(1, 3),
)
def test_exactly_the_targets_of_most_pages_of_a_site_are_found(slots, pages, repeats):
    pages = pages * repeats
    sizes = Counter(site for site, _ in pages)
    counts = Counter((site, target) for site, targets in pages for target in targets)
    expected: dict[str, set[str]] = {}
    for (site, target), count in counts.items():
        if sizes[site] >= FEWEST and count > SHARE * sizes[site]:
            expected.setdefault(site, set()).add(target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(templates, "SLOTS", slots)
        assert template_links(pages, sizes) == expected
