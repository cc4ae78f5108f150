"""Template links: links that a theme puts on most pages of a site.

A menu, a legal notice or an "Edit this page" button says nothing about the page it is on. A link's
place reveals whether it comes from the theme: the path in the tree from the root to the link, with
each element's position among its siblings.  On a site with at least `FEWEST` pages, there are two
kinds of template links. One is a link that more than `SHARE` of the pages have at the same place
with the same target, as in a menu. The other is a link outside paragraphs whose label most pages
have at the same kind of place (the path without positions), although its target is less common. An
example is an "Edit this page" button, whose target differs on every page.

Links to a page that most pages mention in their text are kept: texts differ in length, so the
mentions are in different places.  If a source does not keep the places of links (WAT files), only
targets are counted, on sites with at least `FEWEST_UNPLACED` pages.

This is known only after all pages have been read, and counting every link of every site would take
unlimited memory. The pages are therefore read again, twice:

1. count each link of a large enough site in a table slot chosen by the hash of its site and key;
  links that share a slot are counted together;
2. count exactly the links whose slot has a high enough count.

A slot's count is at least that of each of its links, so none is missed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np

SHARE = 0.5
"""A link on more than this share of a site's pages is a template link."""

FEWEST = 4
"""Minimum number of pages a site must have before template links are recognised by position."""

FEWEST_UNPLACED = 20
"""Minimum number of pages on a site for recognising template links without places."""

SLOTS = 1 << 23
"""Number of slots of four bytes in the table; a power of two."""


def template_links(
    pages: Iterable[tuple[str, Sequence[Hashable]]], sizes: Mapping[str, int]
) -> dict[str, set[Hashable]]:
    """The keys of each site's template links; sites without any are left out.

    `pages` yields the site and the distinct keys of the links of each page, and is read twice;
    `sizes` has the number of pages of each site.
    """
    thresholds = {site: SHARE * size for site, size in sizes.items() if size >= FEWEST}
    if not thresholds:
        return {}
    table = np.zeros(SLOTS, np.uint32)
    for site, keys in pages:
        if site in thresholds and keys:
            np.add.at(table, _slots(site, keys), 1)
    counts: dict[tuple[str, Hashable], int] = {}
    for site, keys in pages:
        if site in thresholds and keys:
            often = table[_slots(site, keys)] > thresholds[site]
            for number in np.flatnonzero(often).tolist():
                pair = site, keys[number]
                counts[pair] = counts.get(pair, 0) + 1
    keys_by_site: dict[str, set[Hashable]] = {}
    for (site, key), count in counts.items():
        if count > thresholds[site]:
            keys_by_site.setdefault(site, set()).add(key)
    return keys_by_site


def _slots(site: str, keys: Sequence[Hashable]) -> list[int]:
    return [hash((site, key)) & (SLOTS - 1) for key in keys]
