"""Compare two graphs: their pages, links, answers and ranks.

Both graphs are sorted by name, so one pass over the two finds added and removed pages. A page's
links are compared as sets, then in order. Answers are compared for a seeded sample of pages that
are in both graphs and have a link in either. The largest changes come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from whatsrelated.api.asking import average_overlap
from whatsrelated.contract.replies import JSONReply

if TYPE_CHECKING:
    from numpy import int64, uint64
    from numpy.typing import NDArray

    from whatsrelated.api import Graph
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress

MAX_LINKS = 1 << 22
"""Number of links compared at a time."""


class ChangedPage(msgspec.Struct, kw_only=True):
    """A page in both graphs whose links differ."""

    url: str
    added: int
    removed: int
    reordered: bool


class MovedAnswer(msgspec.Struct, kw_only=True):
    """A page whose answer differs, with the number of results kept and the similarity of the two
    lists.
    """

    url: str
    shared: int
    of: int
    agreement: float
    came: list[str]
    gone: list[str]


class MovedPage(msgspec.Struct, kw_only=True):
    """A page whose position in a rank differs."""

    url: str
    before: int
    after: int


class Differences(JSONReply, kw_only=True):
    """The differences between two graphs; lists have at most `limit` entries, but counts are
    complete.
    """

    old: str
    new: str
    pages: tuple[int, int]
    links: tuple[int, int]
    added_pages: int
    removed_pages: int
    added_links: int
    removed_links: int
    changed_pages: int
    added: list[str]
    removed: list[str]
    changed: list[ChangedPage]
    by: str | None = None
    compared_answers: int = 0
    same_answers: int = 0
    mean_agreement: float | None = None
    answers: list[MovedAnswer] = msgspec.field(default_factory=list)
    rank: str | None = None
    moved: list[MovedPage] = msgspec.field(default_factory=list)


class MatchedGraphs:
    """Two graphs with their pages matched by name."""

    def __init__(self, old: Store, new: Store) -> None:
        self.old, self.new = old, new
        pages = np.arange(old.n_pages, dtype=np.uint32)
        new_pages = new.names.table.find_many(*old.names.table.get_many(pages))
        self.in_new = np.where(new_pages >= 0, new_pages, new.n_pages + np.arange(old.n_pages))
        """The new number of each old page; removed pages get unused numbers above those of the new
        graph.
        """
        self.stayed = new_pages >= 0
        self.came = np.ones(new.n_pages, np.bool_)
        self.came[new_pages[self.stayed]] = False

    def links_by_page(self) -> Iterator[tuple[int, int, int, bool]]:
        """For each new page whose links differ: links added, links removed, and whether they were
        reordered.
        """
        olds = np.flatnonzero(self.stayed)
        for low, high in _ranges(self.new.out_offsets):
            first, last = np.searchsorted(self.in_new[olds], [low, high])
            before = self._pairs(self.old, olds[first:last], self.in_new, low)
            after = self._pairs(self.new, np.arange(low, high), None, low)
            if np.array_equal(before, after):
                continue
            came = np.setdiff1d(after, before, assume_unique=True)
            went = np.setdiff1d(before, after, assume_unique=True)
            size = high - low
            shift = np.uint64(self._targets)
            added = np.bincount((came // shift).astype(np.int64), minlength=size)
            removed = np.bincount((went // shift).astype(np.int64), minlength=size)
            moved = self._reordered(before, after, (added + removed) == 0)
            for page in np.flatnonzero(added + removed + moved).tolist():
                yield low + page, int(added[page]), int(removed[page]), bool(moved[page])

    @property
    def _targets(self) -> int:
        return self.new.n_pages + self.old.n_pages

    def _pairs(
        self, store: Store, pages: NDArray[int64], numbers: NDArray[int64] | None, low: int
    ) -> NDArray[uint64]:
        """The links of some pages, each as one number made of the source minus `low` and the
        target.
        """
        degrees = store.out_degree(pages)
        sources = np.repeat(pages, degrees)
        targets = store.rows_of(pages, backward=False).astype(np.int64)
        if numbers is not None:
            sources, targets = numbers[sources], numbers[targets]
        return np.asarray((sources - low) * self._targets + targets, np.uint64)

    def _reordered(
        self, before: NDArray[uint64], after: NDArray[uint64], same: NDArray[Any]
    ) -> NDArray[int64]:
        """The pages with the same links in a different order."""
        shift = np.uint64(self._targets)
        kept = [pairs[same[(pairs // shift).astype(np.int64)]] for pairs in (before, after)]
        differ = kept[0][kept[0] != kept[1]]
        return (np.bincount((differ // shift).astype(np.int64), minlength=len(same)) > 0).astype(
            np.int64
        )


def _ranges(offsets: NDArray[uint64]) -> Iterator[tuple[int, int]]:
    """Ranges of pages with at most MAX_LINKS links, if possible."""
    low, pages = 0, len(offsets) - 1
    while low < pages:
        bound = offsets[low] + np.uint64(MAX_LINKS)
        high = int(np.searchsorted(offsets, bound, "right")) - 1
        high = min(max(high, low + 1), low + MAX_LINKS, pages)
        yield low, high
        low = high


def differences(
    old: Graph,
    new: Graph,
    *,
    limit: int = 20,
    by: str | None = None,
    sample: int = 200,
    seed: int = 0,
    rank: str | None = None,
    progress: Progress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Differences:
    """Compare `old` with `new`; answers are by the method `by`, positions by `rank`."""
    stores = old.store, new.store
    compared = MatchedGraphs(*stores)
    changed: list[tuple[int, int, int, bool]] = []
    n_changed = added = removed = 0
    for row in compared.links_by_page():
        added += row[1]
        removed += row[2]
        if compared.came[row[0]]:
            continue
        n_changed += 1
        changed.append(row)
        if len(changed) > 4 * limit:
            changed = _most_changed(changed, limit)
    gone = np.flatnonzero(~compared.stayed)
    came = np.flatnonzero(compared.came)
    report = Differences(
        old=_label(stores[0]),
        new=_label(stores[1]),
        pages=(len(old), len(new)),
        links=(old.n_links, new.n_links),
        added_pages=len(came),
        removed_pages=len(gone),
        added_links=added,
        removed_links=removed + int(stores[0].out_degree(gone).sum()),
        changed_pages=n_changed,
        added=stores[1].urls(came[:limit].astype(np.uint32)),
        removed=stores[0].urls(gone[:limit].astype(np.uint32)),
        changed=[
            ChangedPage(url=new.url(page), added=plus, removed=minus, reordered=moved)
            for page, plus, minus, moved in _most_changed(changed, limit)
        ],
    )
    if by is not None:
        _compare_answers(report, compared, (old, new), by, sample, seed, limit, options, progress)
    if rank is not None:
        _compare_ranks(report, compared, (old, new), rank, limit, progress)
    return report


def _label(store: Store) -> str:
    return f"{store.path}, generation {store.generation}" if store.path else "in memory"


def _most_changed(
    rows: list[tuple[int, int, int, bool]], limit: int
) -> list[tuple[int, int, int, bool]]:
    return sorted(rows, key=lambda row: (-row[1] - row[2], row[0]))[:limit]


def _compare_answers(
    report: Differences,
    compared: MatchedGraphs,
    graphs: tuple[Graph, Graph],
    by: str,
    sample: int,
    seed: int,
    limit: int,
    options: Mapping[str, Any] | None,
    progress: Progress | None,
) -> None:
    """Add the answers that differ, for a sample of the pages in both graphs."""
    old, new = graphs
    stayed = np.flatnonzero(compared.stayed)
    linked = old.store.out_degree(stayed) + old.store.in_degree(stayed) > 0
    linked |= (
        new.store.out_degree(compared.in_new[stayed]) + new.store.in_degree(compared.in_new[stayed])
        > 0
    )
    pages = stayed[linked]
    if len(pages) > sample:
        pages = np.sort(np.random.default_rng(seed).choice(pages, sample, replace=False))
    moved = []
    agreements = []
    for done, page in enumerate(pages.tolist()):
        url = old.url(page)
        before, after = (
            [result.url for result in graph.related(url, by=by, chop=False, **(options or {}))]
            for graph in graphs
        )
        agreement = 1.0 if before == after else average_overlap(before, after) or 0.0
        agreements.append(agreement)
        if before != after:
            moved.append(
                MovedAnswer(
                    url=url,
                    shared=len({*before} & {*after}),
                    of=max(len(before), len(after)),
                    agreement=agreement,
                    came=[one for one in after if one not in before],
                    gone=[one for one in before if one not in after],
                )
            )
        if progress is not None:
            progress("comparing answers", done + 1, len(pages))
    report.by = by
    report.compared_answers = len(pages)
    report.same_answers = len(pages) - len(moved)
    report.mean_agreement = sum(agreements) / len(agreements) if agreements else None
    report.answers = sorted(moved, key=lambda one: one.agreement)[:limit]


def _compare_ranks(
    report: Differences,
    compared: MatchedGraphs,
    graphs: tuple[Graph, Graph],
    rank: str,
    limit: int,
    progress: Progress | None,
) -> None:
    """Add the pages in both graphs whose position in a rank changed most, measured as a ratio."""
    places = []
    for graph in graphs:
        scores = graph.rank(rank, progress=progress).scores
        place = np.empty(len(scores), np.int64)
        place[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        places.append(place)
    pages = np.flatnonzero(compared.stayed)
    before, after = places[0][pages], places[1][compared.in_new[pages]]
    ratio = np.abs(np.log(before / after))
    order = np.lexsort((pages, -ratio))[:limit]
    report.rank = rank
    report.moved = [
        MovedPage(url=graphs[0].url(int(pages[i])), before=int(before[i]), after=int(after[i]))
        for i in order.tolist()
        if before[i] != after[i]
    ]
