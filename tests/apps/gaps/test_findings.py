"""What was found out, as plain values."""

from __future__ import annotations

from whatsrelated.apps.gaps.findings import KINDS, BrokenLink, Gaps


def test_counts_and_values_have_every_kind() -> None:
    found = Gaps(pages=3, links=2, broken=[BrokenLink("a", None, "x")])
    assert found.counts() == {**dict.fromkeys(KINDS, 0), "broken": 1}
    assert found.as_dict()["broken"] == [{"page": "a", "line": None, "link": "x"}]
