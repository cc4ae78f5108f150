"""Turn names into page numbers by merging sorted runs of keys, one range of keys at a time.

1. Each part of the input becomes a `KeyRun`: its distinct names, normalised once, with
   sorted keys.
2. The keys of all runs are merged range by range, each small enough for memory; a page's number is
   the position of its key among all keys.
3. On the way, the names are front-coded, and each page gets the number of its host and of
   its registrable domain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import BuildError
from whatsrelated.graph.format import MAX_PAGES, ArraysByName
from whatsrelated.graph.names import CodedPiece, Packed, StringWriter, concatenate
from whatsrelated.graph.sites import SiteNumbers
from whatsrelated.names.canonical import BadName
from whatsrelated.names.keys import sort_key
from whatsrelated.stream import Names, Refused

if TYPE_CHECKING:
    from numpy import bool_, uint8, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.array_spool import ArraySpool, SpooledArray
    from whatsrelated.names.naming import Naming

NONE = 0xFFFFFFFF
"""Stands for a page whose name was rejected."""


class KeyRun:
    """The distinct names in part of the input: sorted keys, and the position of each name."""

    def __init__(self, names: Names, naming: Naming, spool: ArraySpool) -> None:
        easy, key_text, key_ends = kernels.sort_keys.easy_keys(
            names.blob, names.offsets, naming.plain_stays, naming.http_stays
        )
        hard = np.flatnonzero(~easy)
        keys, self.reasons = _sort_keys(names, hard.tolist(), naming)
        packed = Names.of(keys.values())
        text, ends, places = sort_distinct(
            *concatenate([(key_text, key_ends), (packed.blob, packed.offsets)])
        )
        self.places = np.full(len(names), NONE, np.uint32)
        self.places[easy] = places[: len(easy) - len(hard)]
        self.places[list(keys)] = places[len(easy) - len(hard) :]
        self._hold(text, ends, spool)

    def _hold(self, text: NDArray[uint8], ends: NDArray[uint64], spool: ArraySpool) -> None:
        self.text = spool.add(text)
        self.ends = spool.add(ends)
        self.count = len(ends) - 1
        self._spool = spool
        self._numbered: list[NDArray[uint32]] = []
        self._pages: SpooledArray | None = None

    def key(self, place: int) -> bytes:
        first, last = self.ends.load(place, place + 2).tolist()
        return self.text.load(first, last).tobytes()

    def keys(self, first: int, last: int) -> Packed:
        """The keys of a range of positions, packed."""
        ends = self.ends.load(first, last + 1)
        return self.text.load(int(ends[0]), int(ends[-1])), ends - ends[0]

    def append_pages(self, pages: NDArray[uint32]) -> None:
        """Add the page numbers of the next positions."""
        self._numbered.append(pages)

    def set_pages(self) -> None:
        """Call when every position has been given its page."""
        pages = np.concatenate(self._numbered) if self._numbered else np.empty(0, np.uint32)
        self._numbered = []
        self._pages = self._spool.add(pages)

    def drop_keys(self) -> None:
        """Free the keys; every position must already have its page."""
        self.text.drop()
        self.ends.drop()

    @property
    def pages(self) -> SpooledArray:
        """The page of each position; known once the pages are numbered."""
        assert self._pages is not None
        return self._pages

    def count_refused(self, names: NDArray[uint32], refused: Refused) -> None:
        """Count the links lost to these rejected names, by reason."""
        refused.add_links(names, self.reasons)

    def places_of(self, names: NDArray[uint32]) -> NDArray[uint32]:
        """The positions of names, NONE for rejected ones."""
        return kernels.link_sorting.translate(self.places, names)


class NumberRun(KeyRun):
    """The distinct numbers in part of the input, and the position of each."""

    def __init__(self, numbers: NDArray[uint64], spool: ArraySpool) -> None:
        distinct, places = np.unique(numbers, return_inverse=True)
        self.places = places.astype(np.uint32)
        self.reasons = {}
        self._hold(*kernels.sort_keys.number_keys(distinct.astype(np.uint64)), spool)


def _sort_keys(
    names: Names, positions: list[int], naming: Naming
) -> tuple[dict[int, bytes], dict[int, tuple[str, str]]]:
    """The sort keys of the names at these positions, and the reasons for rejecting others."""
    keys: dict[int, bytes] = {}
    reasons: dict[int, tuple[str, str]] = {}
    for index in positions:
        raw = names[index]
        try:
            keys[index] = sort_key(naming(raw.decode()))
        except BadName as bad:
            reasons[index] = bad.reason, raw[:200].decode(errors="replace")
        except UnicodeDecodeError:
            reasons[index] = "invalid UTF-8", raw[:200].decode(errors="replace")
    return keys, reasons


def sort_distinct(
    text: NDArray[uint8], ends: NDArray[uint64]
) -> tuple[NDArray[uint8], NDArray[uint64], NDArray[uint32]]:
    """Sort packed strings and remove duplicates; also return the new position of each string."""
    order = kernels.sort_keys.sort(text, ends)
    text, ends = kernels.sort_keys.take(text, ends, order)
    different = kernels.sort_keys.differs(text, ends)
    places = np.empty(len(order), np.uint32)
    places[order] = (np.cumsum(different) - 1).astype(np.uint32)
    if not different.all():
        text, ends = kernels.sort_keys.take(text, ends, np.flatnonzero(different).astype(np.uint32))
    return text, ends, places


def number_pages(
    runs: list[KeyRun],
    names: NamesWriter | NamesCounter,
    memory: int,
    progress: Callable[[int], None],
    kept: NDArray[bool_] | None = None,
) -> int:
    """Number the pages of all runs in the order of their keys; return the number of pages.

    If `kept` is given, pages that are not in it get the number NONE.
    """
    passed = 0
    for bounds in _key_ranges(runs, memory):
        parts = [run.keys(first, last) for run, (first, last) in zip(runs, bounds, strict=True)]
        if len(parts) == 1:
            text, ends = parts[0]
            places = np.arange(len(ends) - 1, dtype=np.uint32)
        else:
            text, ends, places = sort_distinct(*concatenate(parts))
        if kept is not None:
            part = kept[passed : passed + len(ends) - 1]
            passed += len(part)
            text, ends, places = keep_some(part, text, ends, places)
        base = names.count
        if base + len(ends) - 1 > MAX_PAGES:
            raise BuildError(
                f"More than {MAX_PAGES:,} pages, the maximum for one graph; split the input."
            )
        names.append(text, ends)
        at = 0
        for run, (first, last) in zip(runs, bounds, strict=True):
            pages = places[at : at + last - first] + np.uint32(base)
            if kept is not None:
                pages[places[at : at + last - first] == NONE] = NONE
            run.append_pages(pages)
            at += last - first
        progress(names.count)
    for run in runs:
        run.set_pages()
    return names.count


def keep_some(
    kept: NDArray[bool_], text: NDArray[uint8], ends: NDArray[uint64], places: NDArray[uint32]
) -> tuple[NDArray[uint8], NDArray[uint64], NDArray[uint32]]:
    """The kept strings, packed, and `places` renumbered to match; the positions of other strings
    are NONE.
    """
    table = np.where(kept, np.cumsum(kept) - 1, NONE).astype(np.uint32)
    chosen = np.flatnonzero(kept).astype(np.uint32)
    return *kernels.sort_keys.take(text, ends, chosen), kernels.link_sorting.translate(
        table, places
    )


def _key_ranges(runs: list[KeyRun], memory: int) -> Iterator[list[tuple[int, int]]]:
    """Ranges of keys small enough for memory, as first and last position in every run."""
    if not runs:
        return
    size = sum(len(run.text) + 40 * run.count for run in runs)
    pieces = size * 3 // max(memory, 1) + 1
    cuts: list[list[int]] = []
    if pieces > 1:
        step = max(1, sum(run.count for run in runs) // (pieces * 64))
        samples = sorted(run.key(place) for run in runs for place in range(0, run.count, step))
        chosen = samples[64::64]
        cuts = [[_place_of(run, key) for run in runs] for key in chosen]
    starts = [[0] * len(runs), *cuts]
    stops = [*cuts, [run.count for run in runs]]
    for first, last in zip(starts, stops, strict=True):
        yield list(zip(first, last, strict=True))


def _place_of(run: KeyRun, key: bytes) -> int:
    return bisect_left(range(run.count), key, key=run.key)


class NamesCounter:
    """Counts pages without writing their names."""

    count = 0

    def append(self, text: NDArray[uint8], ends: NDArray[uint64]) -> None:
        """Count the next pages, given by their keys."""
        self.count += len(ends) - 1


class NamesWriter:
    """Writes names front-coded, and the host and domain number of each page."""

    def __init__(self, array: ArraysByName) -> None:
        self._names = StringWriter(array, "names")
        self._sites = SiteNumbers(array)
        self.count = 0

    @property
    def hosts(self) -> int:
        return self._sites.hosts

    @property
    def domains(self) -> int:
        return self._sites.domains

    def append(self, text: NDArray[uint8], ends: NDArray[uint64]) -> None:
        """Write the next pages, given by their keys."""
        self._sites.append(text, ends)
        self.count += len(ends) - 1
        self._names.append(text, ends)

    def append_coded(self, piece: CodedPiece) -> None:
        """Write the next pages, given by their coded keys."""
        coded, blocks, count, heads, text, ends = piece
        self._sites.append(text, ends, np.diff(np.append(heads, count)))
        self.count += count
        self._names.append_coded(coded, blocks)

    def close(self) -> None:
        """Write the last, incomplete block of names."""
        self._names.close()

    def is_plain(self) -> NDArray[bool_]:
        """Whether each page has a plain name."""
        if not self._sites.plain:
            return np.empty(0, np.bool_)
        return np.concatenate(self._sites.plain).astype(np.bool_)
