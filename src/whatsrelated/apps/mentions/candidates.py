"""Candidates: a page, words on it, and a page that these words may link to.

The rows are the join of the phrases on each page with the dictionary. For a row with the words w
on the page u and the target v:

- *hits* is the number of pages on which w is a link to v;
- *misses* is the number of pages with w that have no link to v at all, including u;
- *expected* estimates the share of these mentions that should be links: f / (f + misses), with f =
  hits / 9 + 0.05, as if a tenth of all links had been forgotten.

Rows with a small expectation are dropped. A held-out link counts as plain text, so its words are a
mention like any other; scoring learns its weights that way from the site's own links.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

    from whatsrelated.apps.mentions.corpus import Corpus

FORGOTTEN, DOUBT = 1 / 9, 0.05
MIN_EXPECTED = 0.005
"""Candidates with a smaller expectation are dropped."""


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
    """The target if the phrase is a link there, otherwise -1."""


def mentions_of(corpus: Corpus) -> Mentions:
    """The first place of each phrase in the prose of each page, and the first of each link."""
    rows: list[tuple[int, ...]] = []
    for text, occurrences in zip(corpus.texts, corpus.occurrences, strict=True):
        first: dict[tuple[int, int], list[int]] = {}
        for one in occurrences:
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
    misses: NDArray[int64]
    all_hits: NDArray[int64]
    """Pages on which the words are a link, whatever its target."""
    linked: NDArray[int64]
    """Links with these words to the target; a page may have several."""
    plain: NDArray[int64]
    """Places where the words are not a link."""
    expected: NDArray[float64]
    is_held_out: NDArray[bool_]
    """Whether the page had a link to the target that is held out."""

    def only(self, kept: NDArray[bool_]) -> LinkCandidates:
        """The rows that the mask selects."""
        return LinkCandidates(*(getattr(self, one.name)[kept] for one in fields(self)))


class CandidateFinder:
    """Joins the phrases on each page with the dictionary."""

    def __init__(
        self,
        corpus: Corpus,
        mentions: Mentions,
        links: NDArray[int64],
        is_page: NDArray[bool_],
    ) -> None:
        """`links` holds all links between pages, as sorted numbers source * pages + target. Only
        pages of the site become targets.
        """
        self.n_pages = corpus.store.n_pages
        self.corpus, self.mentions = corpus, mentions
        dictionary = corpus.dictionary
        first = np.searchsorted(dictionary.phrases, mentions.phrases, "left")
        last = np.searchsorted(dictionary.phrases, mentions.phrases, "right")
        counts = last - first
        self._rows = np.repeat(np.arange(len(first)), counts)
        self._entries = np.arange(len(self._rows)) - np.repeat(
            np.cumsum(counts) - counts - first, counts
        )
        targets = dictionary.targets[self._entries]
        pages = mentions.pages[self._rows]
        self._pairs = pages * self.n_pages + targets
        self._keys = self._entries * self.n_pages + pages
        self._is_link = mentions.links_to[self._rows] >= 0
        self._is_this_link = mentions.links_to[self._rows] == targets
        self._may_link = is_page[targets] & (targets != pages)
        self._linked = np.isin(self._pairs, links)

    def find(self, held_out: NDArray[int64] | None = None) -> tuple[LinkCandidates, NDArray[int64]]:
        """The candidates with these links, given as source * pages + target, treated as plain text.
        Also returns the rows of the remaining links whose words are in the dictionary.
        """
        held_out = np.zeros(0, np.int64) if held_out is None else held_out
        dictionary = self.corpus.dictionary
        mentions, entries, rows = self.mentions, self._entries, self._rows
        row_pairs = mentions.pages * self.n_pages + np.maximum(mentions.links_to, 0)
        removed = (mentions.links_to >= 0) & np.isin(row_pairs, held_out)
        is_link = self._is_link & ~removed[rows]
        is_held_out = np.isin(self._pairs, held_out)
        hit = is_link & self._is_this_link
        is_open = ~is_link & self._may_link & (~self._linked | is_held_out)
        size = len(dictionary.phrases)
        hits = np.bincount(entries[hit], minlength=size)
        misses = np.bincount(np.unique(self._keys[is_open]) // self.n_pages, minlength=size)
        linked = np.bincount(entries[hit], mentions.counts[rows[hit]], minlength=size)
        words = len(self.corpus.table) + 1
        is_plain = removed | (mentions.links_to < 0)
        plain = np.bincount(mentions.phrases[is_plain], mentions.counts[is_plain], minlength=words)
        all_hits = np.bincount(dictionary.phrases, weights=hits, minlength=words)
        some = FORGOTTEN * hits + DOUBT
        expected = some / (some + misses)
        known = (dictionary.is_title | (hits > 0)) & (expected >= MIN_EXPECTED)
        order = np.flatnonzero(is_open & known[entries])
        # The words of a removed link come before a later mention in prose.
        order = order[np.lexsort((mentions.starts[rows[order]], self._keys[order]))]
        first = np.ones(len(order), np.bool_)
        first[1:] = self._keys[order][1:] != self._keys[order][:-1]
        order = order[first]
        chosen = entries[order]
        phrases = dictionary.phrases[chosen]
        candidates = LinkCandidates(
            rows[order],
            chosen,
            dictionary.targets[chosen],
            hits[chosen],
            misses[chosen],
            all_hits[phrases].astype(np.int64),
            linked[chosen].astype(np.int64),
            plain[phrases].astype(np.int64),
            expected[chosen],
            is_held_out[order],
        )
        hit &= self._may_link
        return candidates, rows[hit]
