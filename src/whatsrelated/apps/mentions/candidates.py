"""Candidates: a page, words on it, and a page that these words may link to.

The rows are the join of the phrases on each page with the dictionary. For a row with the words w
on the page u and the target v:

- *hits* is the number of pages on which w is a link to v;
- *chances* is the number of pages with w that have no other link to v;
- so hits / chances is how often w becomes a link to v when it could.

A held-out link counts as plain text: its words are a mention like any other. That is how the
weights are chosen, from the site's own links (scoring).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

    from whatsrelated.apps.mentions.corpus import Corpus

NEAR = 300
"""Links at most this many characters away are near."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Every phrase on every page once: its first place, and whether that is a link."""

    pages: NDArray[int64]
    phrases: NDArray[int64]
    starts: NDArray[int64]
    ends: NDArray[int64]
    blocks: NDArray[int64]
    counts: NDArray[int64]
    links_to: NDArray[int64]
    """The target if the place is a link, otherwise -1."""


def mentions_of(corpus: Corpus) -> Mentions:
    """The first place of each phrase in the prose of each page, and the first of each link."""
    rows: list[tuple[int, ...]] = []
    for text, found in zip(corpus.texts, corpus.found, strict=True):
        first: dict[tuple[int, int], list[int]] = {}
        for one in found:
            row = first.setdefault((one.phrase, -1), [one.start, one.end, one.block, 0])
            row[3] += 1
        for link, target in zip(text.scan.links, text.targets, strict=True):
            if target < 0 or target == text.page:
                continue
            phrase = corpus.table.number(link.words, link.is_code)
            if phrase is not None:
                start, end = (
                    (link.words_start, link.words_end)
                    if link.style == "macro"
                    else (link.start, link.end)
                )
                row = first.setdefault((phrase, target), [start, end, link.block, 0])
                row[3] += 1
        rows += [(text.page, phrase, *row, target) for (phrase, target), row in first.items()]
    table = np.array(rows, np.int64).reshape(-1, 7)
    return Mentions(*table.T)


@dataclass(frozen=True, slots=True)
class LinkCandidates:
    """Rows of page, words and target, with the counts that their score needs."""

    rows: NDArray[int64]
    """The row of `Mentions`."""
    entries: NDArray[int64]
    """The row of the dictionary."""
    targets: NDArray[int64]
    hits: NDArray[int64]
    chances: NDArray[int64]
    all_hits: NDArray[int64]
    """Links with these words, whatever their target."""
    is_held_out: NDArray[bool_]


class CandidateFinder:
    """Joins the phrases on each page with the dictionary."""

    def __init__(self, corpus: Corpus, mentions: Mentions, links: NDArray[int64]) -> None:
        """`links` are all links between pages as source * pages + target, sorted."""
        self.n_pages = corpus.store.n_pages
        self.corpus, self.mentions, self.links = corpus, mentions, links
        dictionary = corpus.dictionary
        first = np.searchsorted(dictionary.phrases, mentions.phrases, "left")
        last = np.searchsorted(dictionary.phrases, mentions.phrases, "right")
        counts = last - first
        self._rows = np.repeat(np.arange(len(first)), counts)
        self._entries = np.arange(len(self._rows)) - np.repeat(
            np.cumsum(counts) - counts - first, counts
        )
        self._targets = dictionary.targets[self._entries]
        self._pairs = mentions.pages[self._rows] * self.n_pages + self._targets
        self._is_link = mentions.links_to[self._rows] >= 0
        self._is_this_link = mentions.links_to[self._rows] == self._targets
        self._elsewhere = self._targets != mentions.pages[self._rows]

    def find(self, held_out: NDArray[int64] | None = None) -> LinkCandidates:
        """The candidates if these links, as source * pages + target, were plain text."""
        held_out = np.zeros(0, np.int64) if held_out is None else held_out
        n_entries = len(self.corpus.dictionary.phrases)
        mentions, entries, rows = self.mentions, self._entries, self._rows
        row_pairs = mentions.pages * self.n_pages + np.maximum(mentions.links_to, 0)
        removed = (mentions.links_to >= 0) & np.isin(row_pairs, held_out)
        is_link = self._is_link & ~removed[rows]
        is_held_out = np.isin(self._pairs, held_out)
        linked = np.isin(self._pairs, self.links) & ~is_held_out
        hit = is_link & self._is_this_link
        hits = np.bincount(entries[hit], minlength=n_entries)
        open_ = ~linked & self._elsewhere & ~is_link
        key = entries * self.n_pages + mentions.pages[rows]
        chance_keys = np.unique(key[open_ | hit])
        chances = np.bincount(chance_keys // self.n_pages, minlength=n_entries)
        phrases = self.corpus.dictionary.phrases
        all_hits = np.bincount(phrases, weights=hits, minlength=len(self.corpus.table) or 1)
        known = self.corpus.dictionary.is_title | (hits > 0)
        kept = open_ & known[entries]
        order = np.flatnonzero(kept)
        # The words of a removed link come before a later mention in prose.
        order = order[np.lexsort((mentions.starts[rows[order]], key[order]))]
        first = np.ones(len(order), np.bool_)
        first[1:] = key[order][1:] != key[order][:-1]
        order = order[first]
        chosen = entries[order]
        return LinkCandidates(
            rows[order],
            chosen,
            self._targets[order],
            hits[chosen],
            chances[chosen],
            all_hits[phrases[chosen]].astype(np.int64),
            is_held_out[order],
        )


def nearness(
    corpus: Corpus,
    mentions: Mentions,
    candidates: LinkCandidates,
    links: NDArray[int64],
    held_out: NDArray[int64] | None = None,
) -> NDArray[float64]:
    """For each candidate, the number of links near it, and how many lead to a page that the
    target links to or is linked from.
    """
    n_pages = corpus.store.n_pages
    result = np.zeros((len(candidates.rows), 2))
    hidden = frozenset() if held_out is None else frozenset(held_out.tolist())
    starts = mentions.starts[candidates.rows].tolist()
    pages = mentions.pages[candidates.rows].tolist()
    first: list[int] = []
    second: list[int] = []
    which: list[int] = []
    known: dict[int, tuple[list[int], list[int]]] = {}
    for number, (page, start, target) in enumerate(
        zip(pages, starts, candidates.targets.tolist(), strict=True)
    ):
        if page not in known:
            text = corpus.texts[corpus.by_page[page]]
            pairs = [
                (link.start, to)
                for link, to in zip(text.scan.links, text.targets, strict=True)
                if to >= 0 and to != page and page * n_pages + to not in hidden
            ]
            known[page] = [place for place, _ in pairs], [to for _, to in pairs]
        places, targets = known[page]
        low, high = bisect_left(places, start - NEAR), bisect_left(places, start + NEAR)
        near = {to for to in targets[max(low, high - 8) : high] if to != target}
        result[number, 0] = high - low
        for other in near:
            first.append(other)
            second.append(target)
            which.append(number)
    if which:
        a, b = np.array(first, np.int64), np.array(second, np.int64)
        joined = np.isin(a * n_pages + b, links) | np.isin(b * n_pages + a, links)
        result[:, 1] = np.bincount(np.array(which)[joined], minlength=len(result))
    return np.log1p(result)
