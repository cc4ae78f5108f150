"""Options of a page source, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

SOURCE = {
    "parents": st.integers(0, 8),
    "siblings": st.integers(0, 9),
    "children": st.integers(0, 6),
    "coparents": st.integers(0, 6),
    "near_links": st.sampled_from([10, 1]),
    "near_share": st.sampled_from([0.95, 0.5]),
    "site": st.sampled_from(["auto", "host", "domain", "page"]),
    "seed": st.integers(0, 3),
}
