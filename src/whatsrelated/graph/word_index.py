"""The index of names and titles: finds pages by label, by word, and by a word with typos.

Pages are numbered by rank here. The page with the most parents is 0, so every list begins with the
best page.

- `labels.keys`, `labels.ranks`: hashes of the labels of every page (its full name, its
  last path element, its title) in ascending order, and the pages.
- `words.text`, `words.blocks`: every word, sorted; `words.offsets`, `words.ranks`:
  the pages with each word.
- `typos.keys`, `typos.words`: each word by the hashes of its parts. Two changes leave one of three
  parts intact, so a word two changes away from the search text shares a third with it (the middle
  third may have moved by two letters). A word one change away shares a half.
- `pages`: the page of every rank.

Hashes only select candidates; the caller compares the texts.  The index is built when it is
first needed and kept in `search/` in the graph's folder; if its checksums do not match, it
is built again.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.kept_arrays import KeptArrays
from whatsrelated.graph.names import StringTable
from whatsrelated.names.folding import elements, label, words
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress

    Arrays = dict[str, NDArray[Any]]

VERSION = 1
FOLDER = "search"
PAGES_PER_STEP = 1 << 14
MAX_CHANGES = 2
LONGEST_WORD = 40
"""Words longer than this are not matched with typos."""
TYPES = {
    "pages": "<u4",
    "labels.keys": "<u4",
    "labels.ranks": "<u4",
    "words.text": "|u1",
    "words.blocks": "<u8",
    "words.offsets": "<u8",
    "words.ranks": "<u4",
    "typos.keys": "<u4",
    "typos.words": "<u4",
}


class WordIndex:
    """Pages by their labels and words, most linked first."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.pages = arrays["pages"]
        self.n_words = len(arrays["words.offsets"]) - 1

    @cached_property
    def _words(self) -> StringTable:
        return StringTable(self.arrays["words.text"], self.arrays["words.blocks"], self.n_words)

    def pages_at(self, ranks: NDArray[uint32]) -> list[int]:
        """The pages with these ranks; the numbers are valid even if the index is damaged."""
        last = len(self.pages) - 1
        pages = self.pages[np.minimum(ranks, last)]
        return [int(page) for page in np.minimum(pages, last)]

    def labelled(self, text: str) -> NDArray[uint32]:
        """The ranks of the pages that may have this label."""
        return self._equal("labels.keys", "labels.ranks", _key(text))

    def with_word(self, word: str) -> NDArray[uint32]:
        """The ranks of the pages that have a word."""
        place = self._words.table.find(word.encode())
        return self.with_words(place, place + 1) if place >= 0 else np.empty(0, np.uint32)

    def with_beginning(self, start: str) -> NDArray[uint32]:
        """The ranks of the pages with a word that starts with this text."""
        low, high = (
            place if place >= 0 else -1 - place
            for place in map(self._words.table.find, (start.encode(), start.encode() + b"\xff"))
        )
        return self.with_words(low, high)

    def with_words(self, low: int, high: int) -> NDArray[uint32]:
        """The ranks of the pages with a word from a range of words."""
        offsets = self.arrays["words.offsets"]
        ranks = self.arrays["words.ranks"][int(offsets[low]) : int(offsets[high])]
        return ranks if high - low == 1 else np.unique(ranks)

    def words_like(self, text: str) -> list[str]:
        """The words at most `max_changes` away from the search text, closest first."""
        changes = max_changes(text)
        parts = [self._equal("typos.keys", "typos.words", key) for key in _keys_near(text)]
        if not parts:
            return []
        places = np.minimum(np.unique(np.concatenate(parts)), self.n_words - 1)
        near = []
        for word in Names(*self._words.table.get_many(places.astype(np.uint32))):
            other = word.decode("utf-8", "replace")
            apart = kernels.searching.distance(text, other, changes)
            if apart <= changes:
                near.append((apart, other))
        return [word for _, word in sorted(near)]

    def _equal(self, keys: str, values: str, key: int) -> NDArray[uint32]:
        table = self.arrays[keys]
        first = np.searchsorted(table, np.uint32(key), "left")
        last = np.searchsorted(table, np.uint32(key), "right")
        return self.arrays[values][first:last]

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return sum(array.nbytes for array in self.arrays.values())


def word_index(store: Store, progress: Progress | None = None) -> WordIndex:
    """The graph's index; built if needed, and saved if possible."""
    return WordIndex(KEPT.obtain(store, lambda: build(store, progress).arrays))


def read_index(store: Store) -> WordIndex | None:
    """The index saved with a graph; None if it is missing, damaged or belongs to another graph."""
    arrays = KEPT.read(store)
    return None if arrays is None else WordIndex(arrays)


def build(store: Store, progress: Progress | None = None) -> WordIndex:
    """Build the index of a graph's names and titles."""
    degrees = np.diff(store.in_offsets)
    pages = kernels.link_sorting.descending(degrees.astype(np.uint32))
    ids = _Numbers()
    labels: list[NDArray[Any]] = []
    postings: list[NDArray[uint32]] = []
    counts: list[NDArray[uint32]] = []
    for low in range(0, len(pages), PAGES_PER_STEP):
        batch = pages[low : low + PAGES_PER_STEP]
        named = [
            (elements(name), title, words(name))
            for name, title in zip(store.urls(batch), store.titles(batch), strict=True)
        ]
        keys = [
            _key(text) << 32 | rank
            for rank, (parts, title, _) in enumerate(named, low)
            for text in _labels(parts, title)
        ]
        labels.append(np.array(keys, np.uint64))
        word_sets = [
            {*name_words, *words(title)} if title else set(name_words)
            for _, title, name_words in named
        ]
        postings.append(
            np.array([ids[word] for name_words in word_sets for word in name_words], np.uint32)
        )
        counts.append(np.array([len(name_words) for name_words in word_sets], np.uint32))
        if progress is not None:
            progress("indexing names", low + len(batch), len(pages))
    return WordIndex({"pages": pages, **_sort_labels(labels), **_invert(ids, postings, counts)})


def _labels(parts: list[str], title: str | None) -> set[str]:
    """The labels by which a page can be found."""
    labels = {"/".join(parts), *parts[-1:]}
    if title:
        labels.add(label(title))
    return labels - {""}


def _sort_labels(labels: list[NDArray[Any]]) -> Arrays:
    pairs = np.concatenate(labels) if labels else np.empty(0, np.uint64)
    pairs.sort()
    return {
        "labels.keys": (pairs >> np.uint64(32)).astype(np.uint32),
        "labels.ranks": pairs.astype(np.uint32),
    }


def _invert(
    ids: dict[str, int], postings: list[NDArray[uint32]], counts: list[NDArray[uint32]]
) -> Arrays:
    """The sorted words, the pages of each word, and the words by their parts."""
    packed = Names.of(word.encode() for word in ids)
    order = kernels.sort_keys.sort(packed.blob, packed.offsets)
    places = np.empty(len(ids), np.uint32)
    places[order] = np.arange(len(ids), dtype=np.uint32)
    text, blocks = kernels.name_table.encode(
        *kernels.sort_keys.take(packed.blob, packed.offsets, order)
    )
    flat = np.concatenate(postings) if postings else np.empty(0, np.uint32)
    each = np.concatenate(counts) if counts else np.empty(0, np.uint32)
    ranks = np.repeat(np.arange(len(each), dtype=np.uint32), each)
    offsets, grouped = kernels.link_sorting.group(places[flat], ranks, 0, len(ids), False)
    typos = np.array(
        [
            key << 32 | int(places[number])
            for number, word in enumerate(ids)
            for key in _keys_of(word)
        ],
        np.uint64,
    )
    typos.sort()
    return {
        "words.text": text,
        "words.blocks": blocks,
        "words.offsets": offsets,
        "words.ranks": grouped,
        "typos.keys": (typos >> np.uint64(32)).astype(np.uint32),
        "typos.words": typos.astype(np.uint32),
    }


class _Numbers(dict[str, int]):
    """Numbers words in order of appearance."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def _key(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


def max_changes(word: str) -> int:
    """The number of changes allowed in a word: none up to 3 letters, one up to 6, then two."""
    return 0 if not 4 <= len(word) <= LONGEST_WORD else 1 if len(word) < 7 else 2


def _thirds(size: int) -> tuple[int, int]:
    """The two positions at which a word of `size` letters is cut into three parts."""
    return size // 3, size - (size + 2) // 3


def _keys_of(word: str) -> set[int]:
    """The keys of a word's parts, each with the word's length.

    Short words have halves, long words thirds, and those in between have both.
    """
    size = len(word)
    keys = set()
    if 3 <= size <= 7:
        keys |= {_key(f"a{size} {word[: size // 2]}"), _key(f"b{size} {word[size // 2 :]}")}
    if 5 <= size <= LONGEST_WORD + MAX_CHANGES:
        first, second = _thirds(size)
        parts = word[:first], word[first:second], word[second:]
        keys |= {_key(f"{part}{size} {text}") for part, text in enumerate(parts)}
    return keys


def _keys_near(text: str) -> set[int]:
    """Keys such that every word at most `max_changes` away from the search text has one of them."""
    changes = max_changes(text)
    keys = set()
    for size in range(len(text) - changes, len(text) + changes + 1) if changes else ():
        if changes == 1:
            half = size // 2
            swapped = text[: half - 1] + text[half : half + 1] + text[half - 1 : half]
            keys |= {_key(f"a{size} {start}") for start in (text[:half], swapped[:half])}
            keys.add(_key(f"b{size} {text[len(text) - (size - half) :]}"))
            continue
        first, second = _thirds(size)
        keys.add(_key(f"0{size} {text[:first]}"))
        for shift in range(-changes, changes + 1):
            keys.add(_key(f"1{size} {text[max(first + shift, 0) : second + shift]}"))
        keys.add(_key(f"2{size} {text[len(text) - (size - second) :]}"))
    return keys


def _is_sound(arrays: Arrays, store: Store) -> bool:
    """Whether the lengths agree and the offsets stay inside the arrays."""
    pages, offsets = arrays["pages"], arrays["words.offsets"]
    pairs = (("labels.keys", "labels.ranks"), ("typos.keys", "typos.words"))
    return (
        len(pages) == store.n_pages
        and all(len(arrays[a]) == len(arrays[b]) for a, b in pairs)
        and len(offsets) > 0
        and int(offsets[-1]) == len(arrays["words.ranks"])
    )


KEPT = KeptArrays(FOLDER, VERSION, TYPES, _is_sound)
