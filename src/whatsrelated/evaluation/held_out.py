"""Links held out: what is left of a graph, asked for what was taken away.

Which pages would a page link to that it does not link to yet?

1. every pair of pages with a link between them is held out with the chance
   `share`, both directions at once, drawn by a hash of the two names and a seed,
   so that the draw does not depend on the rest of the graph;
2. a link stays where it is the last of the page that has it, or the last to its
   page: nobody could find a page that nothing is known of;
3. the rest is a graph of its own; the gold of a page is what its links that were
   held out lead to.

Cost: the graph is built once more, in a folder of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import api
from whatsrelated.errors import OptionError
from whatsrelated.evaluation.gold import Judged
from whatsrelated.query.sampling import draw
from whatsrelated.stream import NamedLinks, Names

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.api import Graph


def held_out(graph: Graph, share: float, seed: int, folder: Path) -> tuple[Graph, Judged]:
    """The graph without the links held out, built in a folder, and these links as gold."""
    if not 0 < share < 1:
        raise OptionError(f"evaluate: the share held out must be above 0 and below 1, got {share}.")
    sources, targets = _links(graph)
    away = _drawn(graph, sources, targets, share, seed)
    _keep_the_last(away, sources, len(graph))
    _keep_the_last(away, targets, len(graph))
    if not away.any():
        raise OptionError(
            f"evaluate: no link could be held out of {len(targets):,} with a share of {share:g}; "
            f"raise it with --hold-out."
        )
    urls = [graph.url(page) for page in range(len(graph))]
    titles = {page: graph.title(page) for page in range(len(graph))}
    rest = NamedLinks(
        Names.of(url.encode("utf-8", "surrogateescape") for url in urls),
        sources[~away],
        targets[~away],
        {page: title for page, title in titles.items() if title},
    )
    left = api.build([rest], folder, ordered=graph.store.ordered, urls="keep")
    queries: dict[str, dict[str, float]] = {}
    for source, target in zip(sources[away].tolist(), targets[away].tolist(), strict=True):
        queries.setdefault(urls[source], {})[urls[target]] = 1.0
    return left, Judged(queries)


def _links(graph: Graph) -> tuple[NDArray[uint32], NDArray[uint32]]:
    """Every link of the graph, in page order."""
    store = graph.store
    offsets = store.out_offsets.astype(np.int64)
    degrees = offsets[1:] - offsets[:-1]
    return np.repeat(np.arange(len(graph), dtype=np.uint32), degrees), np.asarray(store.out_links)


def _drawn(
    graph: Graph, sources: NDArray[uint32], targets: NDArray[uint32], share: float, seed: int
) -> NDArray[bool_]:
    """Which links are drawn: the same whichever of the two pages has the link."""
    marks = np.array(
        [int(draw(graph.url(page), seed) * 2**32) for page in range(len(graph))], np.uint64
    )
    low = np.minimum(marks[sources], marks[targets])
    high = np.maximum(marks[sources], marks[targets])
    # splitmix64's last steps: every bit of the pair moves every bit of the result.
    mixed = (high << np.uint64(32)) | low
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return np.asarray(mixed < np.uint64(min(int(share * 2**64), 2**64 - 1)))


def _keep_the_last(away: NDArray[bool_], ends: NDArray[uint32], pages: int) -> None:
    """Where all links of a page are drawn, its first one stays."""
    left = np.bincount(ends[~away], minlength=pages)
    drawn = np.flatnonzero(away)
    bare, first = np.unique(ends[drawn], return_index=True)
    away[drawn[first[left[bare] == 0]]] = False
