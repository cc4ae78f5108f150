"""Word counts of the first 1,000 words of each page, for graphs built with text.

A page's words are those of its title (or name), then those of its text. A word is a case-folded
run of letters, marks and digits in any script. In scripts without spaces (Chinese, Japanese, Thai
…), every pair of neighbouring letters is a word. Each page stores its own words, so pages can be
read in any order and a build does not need a table of all words. Words are compared by 32-bit
hashes. Among a million distinct words, about a hundred collide with another, which barely changes
a cosine.

    terms.text, terms.blocks   for each page its words and their counts, compressed
    terms.counts               the number of pages with text; then hash·2³² + pages with it

The similarity of two pages is the cosine of their TF·IDF vectors. TF is the count, and IDF is ln(N
/ pages with the word), where N is the number of pages with text.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError, OptionError

if TYPE_CHECKING:
    from numpy import float64, int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Page

COLUMN = "terms"
FIRST_WORDS = 1000
LONGEST_WORD = 64
"""Letters of a word that count."""
MAX_BYTES = FIRST_WORDS * (4 * LONGEST_WORD + 3)
"""Upper bound on the size of a page's words and counts, uncompressed."""
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""Thai, Lao, Burmese, Khmer, kana and Han: written without spaces between words."""


def words(text: str) -> list[str]:
    """The first words of text."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    first_words: list[str] = []
    for match in _word().finditer(folded):
        if match[1]:
            letters = _marks().sub("", match[1])
            first_words += [letters[at : at + 2] for at in range(max(len(letters) - 1, 1))]
        else:
            first_words.append(match[0][:LONGEST_WORD])
        if len(first_words) >= FIRST_WORDS:
            return first_words[:FIRST_WORDS]
    return first_words


@cache
def _marks() -> re.Pattern[str]:
    marks = "".join(
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)).startswith("M")
    )
    return re.compile(f"[{marks}]+")


@cache
def _word() -> re.Pattern[str]:
    marks = _marks().pattern.removesuffix("+")
    letter = rf"[^\W_{UNSPACED}]"
    unspaced = rf"[{UNSPACED}](?<!\W)"
    return re.compile(rf"{letter}(?:{letter}|{marks})*|({unspaced}(?:{unspaced}|{marks})*)")


def terms_of(page: Page) -> bytes | None:
    """A page's words and their counts, compressed; None if it has no text."""
    if not page.text:
        return None
    counted = Counter(words(f"{page.title or page.url} {page.text}"))
    if not counted:
        return None
    listed = sorted(counted)
    counts = np.array([counted[word] for word in listed], "<u2")
    text = "\n".join(listed).encode("utf-8", "surrogatepass")
    return zlib.compress(text + b"\0" + counts.tobytes())


def words_of(data: bytes) -> tuple[list[bytes], NDArray[Any]]:
    """A page's words in UTF-8 and their counts; empty without text."""
    if not data:
        return [], np.empty(0, "<u2")
    try:
        text, _, counts = zlib.decompressobj().decompress(data, MAX_BYTES).partition(b"\0")
        listed = text.split(b"\n")
        if len(listed) <= FIRST_WORDS and len(counts) == 2 * len(listed):
            return listed, np.frombuffer(counts, "<u2")
    except zlib.error:
        pass
    raise _damaged()


def vector(data: bytes) -> tuple[NDArray[uint32], NDArray[Any]]:
    """The hashes of a page's words, ascending, and their counts."""
    listed, counts = words_of(data)
    hashes = np.array([zlib.crc32(word) for word in listed], np.uint32)
    distinct, places = np.unique(hashes, return_inverse=True)
    return distinct, np.bincount(places, counts, len(distinct))


class PageCounts:
    """The number of pages with each word, counted while a graph is written."""

    def __init__(self, stored: NDArray[uint64] | None = None) -> None:
        """Start from zero, or from the counts `stored` in a graph."""
        if stored is not None and not len(stored):
            raise _damaged()
        self._pages = 0 if stored is None else int(stored[0])
        self._counts_by_hash = np.empty(0, np.uint64) if stored is None else stored[1:].copy()

    def add(self, values: list[bytes]) -> None:
        """Add the pages with these vectors."""
        new = self._tally(values, 1)
        known = self._counts_by_hash >> np.uint64(32)
        places = np.searchsorted(known, new >> np.uint64(32))
        met = np.zeros(len(new), bool)
        inside = places < len(known)
        met[inside] = known[places[inside]] == new[inside] >> np.uint64(32)
        self._counts_by_hash[places[met]] += new[met] & np.uint64(0xFFFFFFFF)
        self._counts_by_hash = np.sort(np.concatenate([self._counts_by_hash, new[~met]]))

    def remove(self, values: list[bytes]) -> None:
        """Subtract the pages with these vectors."""
        less = self._tally(values, -1)
        words = self._counts_by_hash >> np.uint64(32)
        places = np.searchsorted(words, less >> np.uint64(32))
        counts = np.zeros(len(words), np.uint64)
        if not np.array_equal(words[places[places < len(words)]], less >> np.uint64(32)):
            raise _damaged()
        counts[places] = less & np.uint64(0xFFFFFFFF)
        remaining = (self._counts_by_hash & np.uint64(0xFFFFFFFF)) > counts
        self._counts_by_hash = (self._counts_by_hash - counts)[remaining]

    def _tally(self, values: list[bytes], sign: int) -> NDArray[uint64]:
        """Count the pages with these vectors; return the words, each with its number of pages."""
        hashes = [vector(data)[0] for data in values if data]
        self._pages += sign * len(hashes)
        distinct, counts = np.unique(
            np.concatenate([np.empty(0, np.uint32), *hashes]), return_counts=True
        )
        return distinct.astype(np.uint64) << np.uint64(32) | counts.astype(np.uint64)

    def as_array(self) -> NDArray[uint64]:
        """The counts as the graph stores them."""
        return np.concatenate([np.array([self._pages], np.uint64), self._counts_by_hash])


def text_of(store: Store, option: str) -> Terms:
    """The words of a graph's pages; if it was built without them, an OptionError about `option`."""
    column, counts = store.column(COLUMN), store.arrays.get(f"{COLUMN}.counts")
    if column is None or counts is None:
        where = store.path or "the graph"
        raise OptionError(
            f"{option} needs the text of pages, and {where} was built without it; "
            "build it again with --text from sources that have text."
        )
    return Terms(column.get, counts)


class Terms:
    """The words of a graph's pages, and the similarity of pages by their words."""

    def __init__(self, get: Callable[[int], bytes], counts: NDArray[uint64]) -> None:
        self._get = get
        if not len(counts):
            raise _damaged()
        self._pages = int(counts[0])
        self._counts = counts[1:]

    def weights(self, page: int) -> tuple[NDArray[uint32], NDArray[float64]]:
        """The page's words and their TF·IDF weights, scaled to length 1; empty without text."""
        hashes, weights, _ = self._weighted(page)
        return hashes, weights

    def shared_weights(self, page: int) -> tuple[NDArray[uint32], NDArray[float64]]:
        """The same for the words that another page has, too."""
        hashes, weights, pages = self._weighted(page)
        return hashes[pages > 1], weights[pages > 1]

    def _weighted(self, page: int) -> tuple[NDArray[uint32], NDArray[float64], NDArray[float64]]:
        """The page's words, their weights, and the number of pages with each."""
        hashes, counts = vector(self._get(page))
        if not len(hashes):
            return hashes, np.empty(0), np.empty(0)
        places = np.searchsorted(self._counts, hashes.astype(np.uint64) << np.uint64(32))
        if not np.array_equal(self._hashes_at(places), hashes):
            raise _damaged()
        pages = (self._counts[places] & np.uint64(0xFFFFFFFF)).astype(np.float64)
        weights = counts * np.log(self._pages / pages)
        length = np.linalg.norm(weights)
        return hashes, weights / length if length else weights, pages

    def shared_words(self, page: int, other: int, limit: int) -> list[str]:
        """The words that both pages have and that add most to their similarity."""
        hashes, weights = self.weights(page)
        their_hashes, their_weights = self.weights(other)
        shared, places, their_places = np.intersect1d(
            hashes, their_hashes, assume_unique=True, return_indices=True
        )
        products = weights[places] * their_weights[their_places]
        order = np.argsort(-products, kind="stable")[:limit]
        best = shared[order[products[order] > 0]].tolist()
        listed = {zlib.crc32(word): word for word in words_of(self._get(page))[0]}
        return [listed[hashed].decode("utf-8", "replace") for hashed in best]

    def _hashes_at(self, places: NDArray[int64]) -> NDArray[uint64]:
        inside = places[places < len(self._counts)]
        return self._counts[inside] >> np.uint64(32)

    def likeness(self, queries: NDArray[uint32], pages: NDArray[uint32]) -> NDArray[float64]:
        """The largest cosine of each page with any of the query pages; 0 without text."""
        cosines = np.zeros(len(pages))
        for query in queries.tolist():
            words, query_weights = self.weights(query)
            if not len(words):
                continue
            for place, page in enumerate(pages.tolist()):
                others, weights = self.weights(page)
                if len(others):
                    at = np.minimum(np.searchsorted(words, others), len(words) - 1)
                    shared = words[at] == others
                    cosine = float(query_weights[at[shared]] @ weights[shared])
                    cosines[place] = max(cosines[place], cosine)
        return cosines


def _damaged() -> GraphFormatError:
    return GraphFormatError("The graph's words are damaged; build the graph again.")
