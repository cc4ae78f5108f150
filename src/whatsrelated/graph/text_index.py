"""The words of pages as an index: pages with similar text, without reading every page.

For each page it keeps the words with the highest TF·IDF weights (`terms`), and for each word the
pages that keep it. A weight is divided by the length of the page's whole vector, so the sum of
products over shared words is nearly the cosine of two pages; only faint words are missing. Words of
a single page are left out, since no other page can share them.

- `pages.offsets`, `pages.words`, `pages.weights`: the words of each page, highest weight first;
- `words.offsets`, `words.pages`, `words.weights`: the pages of each word, ascending.

A weight is stored as a multiple of 1 / 65535. The index is built with the graph, or when it is
first needed, and kept in `text/` in the graph's folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.kept_arrays import KeptArrays
from whatsrelated.graph.terms import COLUMN, text_of
from whatsrelated.kernels.scratch import scratch_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress

    Arrays = dict[str, NDArray[Any]]

VERSION = 1
FOLDER = "text"
WORDS_KEPT = 64
"""Maximum number of words per page in the index."""
MAX_READS = 8_000
"""Maximum number of entries of the index that a question reads."""
BUILT_AT_ONCE = 1_000_000
"""Graphs up to this many pages get their index when it is first needed."""
MIN_SIMILARITY = 0.03
"""Minimum similarity of a page that is found by its text alone."""
PAGES_PER_STEP = 1 << 14
SCALE = 65535
TYPES = {
    "pages.offsets": "<u8",
    "pages.words": "<u4",
    "pages.weights": "<u2",
    "words.offsets": "<u8",
    "words.pages": "<u4",
    "words.weights": "<u2",
}


class Similar(NamedTuple):
    """The similarity of some pages to the query, and the most similar of the other pages."""

    known: NDArray[float64]
    others: NDArray[uint32]
    similarities: NDArray[float64]


class TextIndex:
    """The words of each page with their weights, and the pages of each word."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.n_pages = len(arrays["pages.offsets"]) - 1

    def words(self, page: int) -> tuple[NDArray[uint32], NDArray[float64]]:
        """The words of a page and their weights, highest first."""
        low, high = self.arrays["pages.offsets"][page : page + 2].tolist()
        weights = self.arrays["pages.weights"][low:high] / SCALE
        return self.arrays["pages.words"][low:high], weights

    def similar(self, query: dict[int, float], known: NDArray[uint32], limit: int) -> Similar:
        """The similarity of the `known` pages to the query, and of the `limit` most similar other
        pages.

        `query` has the weight of each query page. Pages with negative weights are to be moved away
        from, so similarities are at least 0.
        """
        arrays = self.arrays
        pages, sums, places = kernels.row_sums.products(
            scratch_of(kernels.row_sums.Scratch),
            arrays["words.offsets"],
            arrays["words.pages"],
            arrays["words.weights"],
            *self._words_of_all(query),
            known,
            MAX_READS,
        )
        in_index = places >= 0
        similarities = np.zeros(len(known))
        similarities[in_index] = sums[places[in_index]]
        np.maximum(similarities, 0, out=similarities)
        close = sums >= MIN_SIMILARITY
        close[places[in_index]] = False
        others, sums = pages[close], sums[close]
        whole = np.array([0, len(others)], np.int64)
        best = kernels.best_pages.best(whole, others, sums, limit + len(query))
        others, sums = others[best], sums[best]
        valid = others < self.n_pages  # even if the index is damaged
        for page in query:
            valid &= others != page
        return Similar(similarities, others[valid][:limit], sums[valid][:limit])

    def _words_of_all(self, query: dict[int, float]) -> tuple[NDArray[uint32], NDArray[float64]]:
        """The words of the query pages with the largest summed weights, largest first."""
        if len(query) == 1:
            [(page, weight)] = query.items()
            words, weights = self.words(page)
            return words, weights * (weight / SCALE)
        lists = [(*self.words(page), weight) for page, weight in query.items()]
        words, places = np.unique(
            np.concatenate([listed for listed, _, _ in lists]), return_inverse=True
        )
        sums = np.bincount(
            places, np.concatenate([weights * weight for _, weights, weight in lists]), len(words)
        )
        chosen = np.argsort(-np.abs(sums), kind="stable")[:WORDS_KEPT]
        return words[chosen], sums[chosen] / SCALE


def text_index(store: Store, progress: Progress | None = None) -> TextIndex:
    """The graph's index; built if needed, and saved if possible."""
    return TextIndex(KEPT.obtain(store, lambda: build(store, progress)))


def find_text_index(store: Store) -> TextIndex | None:
    """The graph's index; None for a graph without text, or if it is too large to index unasked."""
    if store.column(COLUMN) is None:
        return None
    if store.n_pages <= BUILT_AT_ONCE:
        return text_index(store)
    arrays = KEPT.read(store)
    return None if arrays is None else TextIndex(arrays)


def with_text_index(store: Store, progress: Progress | None = None) -> Store:
    """The store, after building the index if the graph has text."""
    if store.column(COLUMN) is not None:
        text_index(store, progress)
    return store


def require_text_index(store: Store, option: str) -> TextIndex:
    """The graph's index, whatever its size; for a graph without text, an OptionError."""
    text_of(store, option)
    return store.texts or text_index(store)


def build(store: Store, progress: Progress | None = None) -> Arrays:
    """Build the index from the words of a graph's pages."""
    terms = text_of(store, "the index of words")
    kept_hashes, kept_weights = [np.empty(0, np.uint32)], [np.empty(0, np.uint16)]
    offsets = np.zeros(store.n_pages + 1, np.uint64)
    for page in range(store.n_pages):
        hashes, weights = terms.shared_weights(page)
        scaled = np.rint(weights * SCALE).astype(np.uint16)
        best = np.lexsort((hashes, -weights))[:WORDS_KEPT]
        best = best[scaled[best] > 0]
        kept_hashes.append(hashes[best])
        kept_weights.append(scaled[best])
        offsets[page + 1] = len(best)
        if progress is not None and not page % PAGES_PER_STEP:
            progress("indexing text", page, store.n_pages)
    np.cumsum(offsets, out=offsets)
    weights = np.concatenate(kept_weights)
    distinct, words = np.unique(np.concatenate(kept_hashes), return_inverse=True)
    order = np.argsort(words, kind="stable")
    pages = np.repeat(np.arange(store.n_pages, dtype=np.uint32), np.diff(offsets).astype(np.int64))
    counts = np.bincount(words, minlength=len(distinct))
    return {
        "pages.offsets": offsets,
        "pages.words": words.astype(np.uint32),
        "pages.weights": weights,
        "words.offsets": np.append(np.uint64(0), np.cumsum(counts).astype(np.uint64)),
        "words.pages": pages[order],
        "words.weights": weights[order],
    }


def _is_sound(arrays: Arrays, store: Store) -> bool:
    """Whether the lengths agree."""
    return len(arrays["pages.offsets"]) == store.n_pages + 1 and all(
        len(arrays[f"{side}.{entry}"]) == len(arrays["pages.words"])
        for side, entry in (("pages", "weights"), ("words", "pages"), ("words", "weights"))
    )


KEPT = KeptArrays(FOLDER, VERSION, TYPES, _is_sound)
