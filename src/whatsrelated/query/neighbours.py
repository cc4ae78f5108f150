"""Common neighbours: pages that link to most of the given pages, or that most of them link to.

1. Read the parents (`in`) or the children (`out`) of each page.
2. For each neighbour, count the pages that it is linked with.
3. Leave out the pages themselves and, on request, neighbours of other pages, to find pages
   that link to competitors but not to you.
4. Sort by the number of pages, then by the fewest links (`in`) or the lowest in-degree (`out`),
   since a page that links to everything says little.

Cost: one read of the links of each page, and of the out-degree of their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from whatsrelated.contract.replies import CommonPage, CommonReply
from whatsrelated.errors import OptionError
from whatsrelated.query.resolve import find_page

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store

WAYS = ("in", "out")


@dataclass(frozen=True, slots=True)
class Common:
    """The common neighbours of several pages, best first, and their total number."""

    asked: list[str]
    way: str
    found: int
    pages: list[CommonPage]
    notes: list[str]

    def __iter__(self) -> Iterator[CommonPage]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)

    def reply(self) -> CommonReply:
        """The neighbours as JSON, in the same form on the command line and over HTTP."""
        return CommonReply(
            asked=self.asked,
            way=cast("Literal['in', 'out']", self.way),
            found=self.found,
            pages=self.pages,
            notes=self.notes,
        )

    def as_dict(self) -> dict[str, Any]:
        """The same JSON as plain Python values."""
        return self.reply().as_dict()


def common_neighbours(
    store: Store,
    names: Sequence[str],
    way: str = "in",
    *,
    without: Sequence[str] = (),
    least: int = 0,
    limit: int = 100,
) -> Common:
    """The neighbours that at least `least` of the pages share; 0 means more than half of the pages.

    Neighbours of a page in `without` are left out.
    """
    if way not in WAYS:
        raise OptionError(f"common: way must be in or out, got {way!r:.80}.")
    for name, value in (("least", least), ("limit", limit)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise OptionError(f"common: {name} must be a whole number, got {value!r:.80}.")
    matches = [find_page(store, text) for text in names]
    left_out = [find_page(store, text) for text in without]
    pages = list(dict.fromkeys(page for page, _ in matches))
    if not pages:
        raise OptionError("common: no pages given; name at least one.")
    if not 0 <= least <= len(pages):
        raise OptionError(f"common: at least must be from 0 to {len(pages)} pages, got {least}.")
    least = least or len(pages) // 2 + 1
    links = store.links_to if way == "in" else store.links_from
    neighbours, counts = np.unique(
        np.concatenate([links(page) for page in pages]), return_counts=True
    )
    selected = (counts >= least) & ~np.isin(neighbours, pages)
    for page, _ in left_out:
        selected &= ~np.isin(neighbours, links(page)) & (neighbours != page)
    neighbours, counts = neighbours[selected], counts[selected]
    degrees = store.out_degree(neighbours) if way == "in" else store.in_degree(neighbours)
    order = np.lexsort((neighbours, degrees, -counts))
    listed = neighbours[order[:limit]].tolist()
    return Common(
        asked=list(names),
        way=way,
        found=len(order),
        pages=[
            CommonPage(
                url=store.url(page),
                title=store.title(page),
                shared=count,
                links_to_it=len(store.links_to(page)),
                links_from_it=len(store.links_from(page)),
            )
            for page, count in zip(listed, counts[order].tolist(), strict=False)
        ],
        notes=list(dict.fromkeys(note for _, notes in [*matches, *left_out] for note in notes)),
    )
