"""Paths: the shortest chains of links between two pages, rare links first.

1. Search breadth first from both pages in turn, always on the side with fewer links to read,
   until the two sides meet.  Links are followed forwards (`out`), backwards (`in`), or either way.
2. Keep the links of the search that lie on a shortest chain.
3. The weight of a link is (links of its source) x (links to its target), because a link through a
   hub says little. The weight of a chain is the product over its links. List the `limit` chains
   with the lowest product; ties go to the lower page numbers.

Cost: one read of the links of each page visited before the sides meet. Memory: these links, up to
the query's limit; a search that would need more stops and reports how far it got.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.replies import ChainReply, PageName, PathReply, PathsReply
from whatsrelated.errors import OptionError
from whatsrelated.options import Configured, option
from whatsrelated.query.ask import limit_notes
from whatsrelated.query.resolve import find_page
from whatsrelated.vicinity.quoting import quote_page

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store

WAYS = ("either", "out", "in")
LINK_BYTES = 96
"""Memory for each link that one side of a search reads, on both sides."""
AT_ONCE = 2_000
"""Number of pages whose links are read between two checks of the clock."""


@dataclass(frozen=True)
class PathRequest(Configured):
    """The chains of links to look for."""

    name: ClassVar[str] = "path"

    limit: int = option(5, "maximum number of chains", low=1, high=1000)
    way: str = option(
        "either",
        "follow links either way, only forwards (out), or only backwards (in)",
        choices=WAYS,
    )
    longest: int = option(20, "maximum number of links in a chain", low=1, high=100)


@dataclass(frozen=True, slots=True)
class Chain:
    """Pages by number, and for each step whether it follows a link forwards, backwards or both."""

    pages: tuple[int, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkPath:
    """The shortest chains between two pages; `length` is None if there are none.

    `found` is their number. `ruled_out` is the length up to which no chain exists; `complete`
    means that no chain of any length exists.
    """

    start: int
    end: int
    length: int | None
    found: int
    chains: list[Chain]
    ruled_out: int
    complete: bool


@dataclass(frozen=True, slots=True)
class LinkPaths:
    """The paths through several pages, one from each page to the next."""

    asked: list[str]
    way: str
    paths: list[LinkPath]
    notes: list[str]
    store: Store

    def __iter__(self) -> Iterator[LinkPath]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def reply(self) -> PathsReply:
        """The paths as JSON, in the same form on the command line and over HTTP."""
        return PathsReply(
            asked=self.asked,
            way=cast("Literal['either', 'out', 'in']", self.way),
            paths=[self._path(path) for path in self.paths],
            notes=self.notes,
        )

    def as_dict(self) -> dict[str, Any]:
        """The same JSON as plain Python values."""
        return self.reply().as_dict()

    def sentence(self, path: LinkPath) -> str:
        """A sentence that summarises the chains between two pages."""
        start, end = (quote_page(self.store, page) for page in (path.start, path.end))
        if path.start == path.end:
            return f"Both are the same page, {start}."
        one, two = (end, start) if self.way == "in" else (start, end)
        ends = f"{one} and {two}" if self.way == "either" else f"from {one} to {two}"
        verb = "connect" if self.way == "either" else "lead"
        if path.length is not None:
            links = "one link" if path.length == 1 else f"{path.length} links"
            if path.found == 1:
                return f"One chain of {links} {verb}s {ends}."
            return f"{path.found:,} chains of {links} {verb} {ends}."
        if path.complete:
            return f"No chain of links {verb}s {ends}."
        links = "one link" if path.ruled_out == 1 else f"{path.ruled_out} links"
        return f"No chain of up to {links} {verb}s {ends}; the search did not go further."

    def steps(self, chain: Chain) -> list[str]:
        """A sentence for each step of a chain."""
        names = [quote_page(self.store, page) for page in chain.pages]
        return [
            f"{one} and {two} link to each other."
            if way == "both"
            else f"{one} links to {two}."
            if way == "out"
            else f"{two} links to {one}."
            for one, two, way in zip(names, names[1:], chain.steps, strict=False)
        ]

    def _path(self, path: LinkPath) -> PathReply:
        return PathReply(
            start=self._name(path.start),
            end=self._name(path.end),
            length=path.length,
            found=path.found,
            chains=[
                ChainReply(
                    pages=[self._name(page) for page in chain.pages],
                    steps=cast("list[Literal['out', 'in', 'both']]", list(chain.steps)),
                    sentences=self.steps(chain),
                )
                for chain in path.chains
            ],
            ruled_out=path.ruled_out,
            complete=path.complete,
            sentence=self.sentence(path),
        )

    def _name(self, page: int) -> PageName:
        return PageName(url=self.store.url(page), title=self.store.title(page))


def find_paths(
    store: Store, names: Sequence[str], request: PathRequest, limits: kernels.limits.Limits
) -> LinkPaths:
    """The shortest chains from each page to the next."""
    if len(names) < 2:
        raise OptionError("path: give at least two pages.")
    matches = [find_page(store, text) for text in names]
    pages = [page for page, _ in matches]
    paths = [find_path(store, *ends, request) for ends in pairwise(pages)]
    notes = dict.fromkeys(note for _, notes in matches for note in notes)
    return LinkPaths(list(names), request.way, paths, [*notes, *limit_notes(limits)], store)


def find_path(store: Store, start: int, end: int, request: PathRequest) -> LinkPath:
    """The shortest chains between two pages."""
    if start == end:
        return LinkPath(start, end, 0, 1, [Chain((start,), ())], 0, complete=False)
    ahead = request.way
    back = {"out": "in", "in": "out"}.get(ahead, ahead)
    sides = _Side(store, start, ahead), _Side(store, end, back)
    while True:
        length = sides[0].depth + sides[1].depth
        if min(len(side.frontier) for side in sides) == 0:
            return LinkPath(start, end, None, 0, [], length, complete=True)
        side, other = sorted(sides, key=lambda side: side.links_ahead())
        if length == request.longest or not side.expand():
            return LinkPath(start, end, None, 0, [], length, complete=False)
        meeting = np.intersect1d(side.frontier, other.frontier)
        if len(meeting):
            layers = _shortest_layers(sides, meeting)
            count, chains = _best_chains(store, start, layers, request.limit)
            return LinkPath(start, end, length + 1, count, chains, length, complete=False)


Layer = tuple["NDArray[uint32]", "NDArray[uint32]", "NDArray[np.bool_]"]
"""Links between two steps of a search: near page, far page, whether the near one has the link."""


Weighed = tuple[int, tuple[int, ...], tuple[str, ...]]
"""A chain by its product, pages and steps."""


class _Side:
    """A breadth-first search from one page: the pages at each distance, and how it got there."""

    def __init__(self, store: Store, page: int, way: str) -> None:
        self.store = store
        self.directions = [name == "in" for name in ("out", "in") if way in (name, "either")]
        self.frontier = np.array([page], np.uint32)
        self.seen = self.frontier
        self.layers: list[Layer] = []
        self._links_read = 0

    @property
    def depth(self) -> int:
        """The distance of the frontier."""
        return len(self.layers)

    def links_ahead(self) -> int:
        """The number of links from the frontier."""
        degrees = (self.store.links.degrees(self.frontier, way) for way in self.directions)
        return sum(int(each.sum()) for each in degrees)

    def expand(self) -> bool:
        """Go one link further; False if that needs more memory than the question may use."""
        self._links_read += self.links_ahead()
        if self._links_read > kernels.limits.rows_within(LINK_BYTES):
            kernels.limits.mark_reached()
            return False
        parts = [part for backward in self.directions for part in self._read(backward)]
        near, far = (np.concatenate([part[end] for part in parts]) for end in (0, 1))
        has_link = np.concatenate([np.full(len(part[0]), not part[2]) for part in parts])
        self.layers.append((near, far, has_link))
        self.frontier = np.unique(far)
        self.seen = np.union1d(self.seen, self.frontier)
        return True

    def _read(self, backward: bool) -> Iterator[tuple[NDArray[uint32], NDArray[uint32], bool]]:
        """The links from the frontier to pages that have not been seen."""
        for first in range(0, len(self.frontier), AT_ONCE):
            kernels.limits.check()
            pages = self.frontier[first : first + AT_ONCE]
            far = self.store.rows_of(pages, backward=backward)
            near = np.repeat(pages, self.store.links.degrees(pages, backward))
            new = ~np.isin(far, self.seen)
            yield near[new], far[new], backward


def _shortest_layers(sides: tuple[_Side, _Side], meeting: NDArray[uint32]) -> list[Layer]:
    """The links on shortest chains, in the order and the direction of the chain."""
    before: list[Layer] = []
    pages = meeting
    for near, far, has_link in reversed(sides[0].layers):
        kept = np.isin(far, pages)
        before.insert(0, (near[kept], far[kept], has_link[kept]))
        pages = np.unique(near[kept])
    after: list[Layer] = []
    pages = meeting
    for near, far, has_link in reversed(sides[1].layers):
        kept = np.isin(far, pages)
        after.append((far[kept], near[kept], ~has_link[kept]))
        pages = np.unique(near[kept])
    return [*before, *after]


def _best_chains(
    store: Store, start: int, layers: list[Layer], limit: int
) -> tuple[int, list[Chain]]:
    """The number of chains through these layers, and the best of them."""
    best: dict[int, list[Weighed]] = {start: [(1, (start,), ())]}
    counts = {start: 1}
    for layer in layers:
        reached: dict[int, list[tuple[int, int, str]]] = {}
        for one, two, weight, way in _steps(store, layer):
            reached.setdefault(two, []).append((one, weight, way))
        counts = {
            page: sum(counts[one] for one, _, _ in arriving) for page, arriving in reached.items()
        }
        best = {
            page: heapq.nsmallest(limit, _continued(best, page, arriving))
            for page, arriving in reached.items()
        }
    ((end, chains),) = best.items()
    return counts[end], [Chain(pages, steps) for _, pages, steps in chains]


def _continued(
    best: dict[int, list[Weighed]], page: int, arriving: Iterable[tuple[int, int, str]]
) -> Iterator[Weighed]:
    for one, weight, way in arriving:
        kernels.limits.check()
        for product, pages, steps in best[one]:
            yield product * weight, (*pages, page), (*steps, way)


def _steps(store: Store, layer: Layer) -> Iterator[tuple[int, int, int, str]]:
    """Each pair of pages once: its weight, and which of them has the link."""
    ones, twos, has_link = layer
    sources, targets = np.where(has_link, ones, twos), np.where(has_link, twos, ones)
    weights = store.out_degree(sources) * store.in_degree(targets)
    steps: dict[tuple[int, int], tuple[int, str]] = {}
    columns = (each.tolist() for each in (ones, twos, weights, has_link))
    for one, two, weight, out in zip(*columns, strict=True):
        before = steps.get((one, two))
        way = "out" if out else "in"
        steps[one, two] = (weight, way) if before is None else (min(weight, before[0]), "both")
    return ((one, two, weight, way) for (one, two), (weight, way) in steps.items())
