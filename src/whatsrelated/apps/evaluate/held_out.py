"""Held-out links as gold: remove some links, then query the rest for them.

This measures which missing links a method would suggest.

1. hold out each pair of linked pages, in both directions, with probability `share`. The draw
   depends only on the two names and a seed, not on the rest of the graph;
2. never remove a page's only remaining link in either direction, since a page without links
   could not be found;
3. build a graph of the other links; the gold of a page consists of the targets of its held-out
   links.

Cost: the graph is built again, in a scratch folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated import api
from whatsrelated.apps.evaluate.gold import Judgments
from whatsrelated.contract.sampling import draw
from whatsrelated.errors import OptionError
from whatsrelated.stream import NamedLinks, Names

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.api import Graph


@dataclass(frozen=True)
class HeldOutLinks:
    """A share of the links, drawn by the seed of the experiment."""

    share: float
    unlinked: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"held-out links, a share of {self.share:g}"

    def judge(self, graph: Graph, scratch: Path, seed: int) -> tuple[Graph, Judgments]:
        if not 0 < self.share < 1:
            raise OptionError(f"evaluate: hold_out must be above 0 and below 1, got {self.share}.")
        sources, targets = links_of(graph)
        held = _draw_pairs(graph, sources, targets, self.share, seed)
        _release_first(held, sources, len(graph))
        _release_first(held, targets, len(graph))
        if not held.any():
            raise OptionError(
                f"evaluate: a share of {self.share:g} holds out none of {len(targets):,} links; "
                "raise it with --hold-out."
            )
        return remove_links(graph, held, scratch / "rest.graph")


def remove_links(graph: Graph, held: NDArray[bool_], folder: Path) -> tuple[Graph, Judgments]:
    """Build the graph without the held-out links, and return those links as judgments.

    `held` has one entry per link, in the order of `links_of`.
    """
    sources, targets = links_of(graph)
    urls = [graph.url(page) for page in range(len(graph))]
    titles = {page: graph.title(page) for page in range(len(graph))}
    rest = NamedLinks(
        Names.of(url.encode("utf-8", "surrogateescape") for url in urls),
        sources[~held],
        targets[~held],
        {page: title for page, title in titles.items() if title},
        np.flatnonzero(graph.store.is_read(np.arange(len(graph)))).astype(np.uint32),
    )
    remaining = api.build([rest], folder, ordered=graph.store.ordered, urls="keep")
    queries: dict[str, dict[str, float]] = {}
    for source, target in zip(sources[held].tolist(), targets[held].tolist(), strict=True):
        queries.setdefault(urls[source], {})[urls[target]] = 1.0
    return remaining, Judgments(queries)


def links_of(graph: Graph) -> tuple[NDArray[uint32], NDArray[uint32]]:
    """The sources and targets of all links of a graph, in page order."""
    store = graph.store
    offsets = store.out_offsets.astype(np.int64)
    degrees = offsets[1:] - offsets[:-1]
    return np.repeat(np.arange(len(graph), dtype=np.uint32), degrees), np.asarray(store.out_links)


def _draw_pairs(
    graph: Graph, sources: NDArray[uint32], targets: NDArray[uint32], share: float, seed: int
) -> NDArray[bool_]:
    """Draw links; both directions of a pair are drawn together."""
    marks = np.array(
        [int(draw(graph.url(page), seed) * 2**32) for page in range(len(graph))], np.uint64
    )
    low = np.minimum(marks[sources], marks[targets])
    high = np.maximum(marks[sources], marks[targets])
    # The last steps of splitmix64: every bit of the pair affects every bit of the result.
    mixed = (high << np.uint64(32)) | low
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return np.asarray(mixed < np.uint64(min(int(share * 2**64), 2**64 - 1)))


def _release_first(held: NDArray[bool_], ends: NDArray[uint32], pages: int) -> None:
    """If all links of a page are held out, keep the first one in the graph."""
    remaining = np.bincount(ends[~held], minlength=pages)
    drawn = np.flatnonzero(held)
    bare, first = np.unique(ends[drawn], return_index=True)
    held[drawn[first[remaining[bare] == 0]]] = False
