"""Near-duplicates: pages whose links are nearly the same (DH99, sec. 2.1.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store

Rule = tuple[int, int, int]
"""Near-duplicates have more than `rule[0]` links each, and share rule[1] / rule[2] of the longer
list.
"""

NEAR_DUPLICATE: Rule = (10, 95, 100)
"""More than 10 links each, and 95% of the longer list in common (DH99, sec. 2.1.2)."""


def rule_of(links: int, share: float) -> Rule:
    """The rule for more than `links` links, and this share of the longer list."""
    part = Fraction(repr(share)).limit_denominator(10**6)
    return links, part.numerator, part.denominator


def near_duplicates(
    store: Store, pages: NDArray[uint32], rule: Rule = NEAR_DUPLICATE
) -> NDArray[uint32]:
    """For each page, the position of its first near-duplicate, or its own position if it has none.

    Merging is transitive: a near-duplicate of a near-duplicate joins the group.
    """
    return kernels.duplicates.near_duplicates(store.links, pages, rule)
