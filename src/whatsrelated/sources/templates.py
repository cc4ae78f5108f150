"""Template links: targets on most pages of their site.

A link on every page (home, imprint, licence) comes from a template and says nothing about
the page.  On a site of at least `FEWEST` pages, a target that more than `SHARE` of its
pages link to is a template link.

This is known only when all pages have been read, and counting every target of every site
would take unlimited memory.  So the pages are read again, twice:

1. count each link of a large enough site in a slot of a table, by the hash of its site
   and target; links that share a slot are counted together;
2. count exactly the links whose slot has a high enough count.

A slot's count is at least that of each of its links, so none is missed.

On a site with fewer pages, but at least `FEWEST_PLACED`, being on most of them proves
nothing.  There, a template link is at the same place in the tree of at least
`PLACED_SHARE` of the other pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

SHARE = 0.5
"""A target on more than this share of a site's pages is a template link."""

FEWEST = 20
"""Minimum number of pages of a site to recognise template links."""

FEWEST_PLACED = 4
"""Minimum number of pages of a site to recognise template links by their place."""

PLACED_SHARE = 0.8
"""A target at the same place on this share of the other pages is a template link."""

SLOTS = 1 << 23
"""Number of slots of four bytes in the table; a power of two."""


def template_links(
    pages: Iterable[tuple[str, Sequence[str]]], sizes: Mapping[str, int]
) -> dict[str, dict[str, int]]:
    """The template links of each site that has any, with the number of pages of each.

    `pages` yields the site and the distinct targets of each page, and is read twice;
    `sizes` are the numbers of pages by site.
    """
    least = {site: SHARE * size for site, size in sizes.items() if size >= FEWEST}
    if not least:
        return {}
    table = np.zeros(SLOTS, np.uint32)
    for site, targets in pages:
        if site in least and targets:
            np.add.at(table, _slots(site, targets), 1)
    counts: dict[tuple[str, str], int] = {}
    for site, targets in pages:
        if site in least and targets:
            often = table[_slots(site, targets)] > least[site]
            for number in np.flatnonzero(often).tolist():
                pair = site, targets[number]
                counts[pair] = counts.get(pair, 0) + 1
    found: dict[str, dict[str, int]] = {}
    for (site, target), count in counts.items():
        if count > least[site]:
            found.setdefault(site, {})[target] = count
    return found


def placed_template_links(
    pages: Iterable[tuple[str, Sequence[str], Sequence[Sequence[str]]]],
) -> dict[str, set[str]]:
    """The template links of a small site, each with its places.

    `pages` yields the name, the distinct targets and their places for each page.
    """
    counts: Counter[tuple[str, str]] = Counter()
    names = set()
    for name, targets, places in pages:
        names.add(name)
        counts.update(
            (target, place)
            for target, listed in zip(targets, places, strict=False)
            for place in listed
        )
    if not FEWEST_PLACED <= len(names) < FEWEST:
        return {}
    found: dict[str, set[str]] = {}
    for (target, place), count in counts.items():
        if count >= PLACED_SHARE * (len(names) - (target in names)):
            found.setdefault(target, set()).add(place)
    return found


def _slots(site: str, targets: Sequence[str]) -> list[int]:
    return [hash((site, target)) & (SLOTS - 1) for target in targets]
