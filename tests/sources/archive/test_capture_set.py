"""Which capture of a page counts, compared with the definition on random captures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources.archive.capture_set import CaptureSet
from whatsrelated.sources.page_records import PageRecord


def plain_choice(captures, how):
    """The places of the captures that count, by the definition."""
    kept = set()
    for name in {name for name, *_ in captures}:
        places = [n for n, one in enumerate(c for c in captures if not c[3]) if one[0] == name]
        pages = [one for one in captures if not one[3]]
        real = [place for place in places if not pages[place][2]] or places
        if not real:
            continue
        real.sort(key=lambda place: (pages[place][1], place))
        if how == "all":
            kept |= set(real)
        elif how == "oldest":
            kept.add(real[0])
        else:
            own = [
                (one[1], n, one) for n, one in enumerate(captures) if one[0] == name and not one[2]
            ]
            newest = max(own)[2] if own else None
            same = []
            if newest is not None and newest[3]:
                same = [place for place in real if pages[place][1] == newest[3]]
            kept.add((same or real)[-1])
    return kept


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(20000101000000, 20000101000004),
        st.booleans(),
        st.sampled_from([0, 20000101000001, 20000101000003, 7]),
    ).map(lambda one: (*one[:2], one[2] and not one[3], one[3])),
    max_size=8,
)
"""Name, date, whether it stands in, and for a revisit the date that it repeats."""


@given(ENTRIES, st.sampled_from(["newest", "oldest", "all"]))
def test_the_captures_that_count_are_those_of_the_definition(captures, how):
    entries = CaptureSet()
    for name, date, stands_in, repeated in captures:
        if repeated:
            entries.add_revisit(name, date, repeated)
        else:
            entries.add(PageRecord(name, name, [], time=date, stands_in=stands_in))
    assert set(entries.choose(how).nonzero()[0].tolist()) == plain_choice(captures, how)


def test_whether_an_address_was_captured():
    entries = CaptureSet()
    entries.add(PageRecord("a", "a", []))
    entries.add_revisit("b", 1, 1)
    assert entries.has(["a", "b", "c"]) == [True, False, False]
    assert entries.has([]) == []
