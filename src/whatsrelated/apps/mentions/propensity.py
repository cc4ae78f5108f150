"""Measure how much more often than expected the candidates of a group are links.

The words of a mention suggest how likely it is to be a link (see `candidates`). Some groups differ:
one page links every term, another none; after "see", most names are links. For a group with L links
and candidates whose words lead us to expect E more, the feature is

    ln((L + k r) / (E + k)),  with r = all links / all that are expected, k = 3,

so a group with little evidence has nearly the ratio of the site; the feature is relative to ln r.
The candidate itself is left out of E. Groups are the page, the word before and the word after.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    from whatsrelated.apps.mentions.candidates import Mentions
    from whatsrelated.apps.mentions.corpus import Corpus

WIDTH = 100
"""Number of characters to read on either side of the words."""
DOUBT = 3.0

_BLOCK = re.compile(
    r"</?(?:p|li|ul|ol|div|td|tr|th|table|dd|dt|dl|section|blockquote|h\d|br)\b[^<>]*>|\n\s*\n|\n\s*[-*+|]\s",
    re.I,
)
_TAGS = re.compile(r"<[^<>]*(?:>|$)|^[^<>]*>|\]\([^()]*\)|\]\[[^\[\]]*\]|[\[\]`*_\"']")
_LAST = re.compile(r"((?<!\w)\w++|\x00|[^\w\s])\s*+$")
_FIRST = re.compile(r"\s*(\w+|\x00|[^\w\s])")


def propensity(
    linked: NDArray[int64], groups: NDArray[int64], expected: NDArray[float64]
) -> NDArray[float64]:
    """The feature of each candidate, from the groups of the links and each candidate's group and
    expectation.
    """
    size = int(max(linked.max(initial=-1), groups.max(initial=-1))) + 1
    links = np.bincount(linked, minlength=size)
    total = np.bincount(groups, weights=expected, minlength=size)
    ratio = (links.sum() + 1) / (total.sum() + 1)
    rest = np.maximum(total[groups] - expected, 0)
    return np.asarray(np.log((links[groups] + DOUBT * ratio) / (rest + DOUBT)) - np.log(ratio))


class Surroundings:
    """The words around mentions, as numbers; each place is read once."""

    def __init__(self, corpus: Corpus, mentions: Mentions) -> None:
        self.corpus, self.mentions = corpus, mentions
        self._words: dict[str, int] = {"\x00": 0}
        self._known = np.full((len(mentions.pages), 2), -1, np.int64)

    def of(self, rows: NDArray[int64]) -> NDArray[int64]:
        """For each row of the mentions: the word before and the word after."""
        new = np.unique(rows[self._known[rows, 0] < 0])
        mentions, corpus = self.mentions, self.corpus
        places = zip(
            new.tolist(),
            mentions.pages[new].tolist(),
            mentions.starts[new].tolist(),
            mentions.ends[new].tolist(),
            strict=True,
        )
        number = self._words.setdefault
        page, text = -1, ""
        for row, at, start, end in places:
            if at != page:
                page, text = at, corpus.texts[corpus.by_page[at]].decoded.text
            before = _TAGS.sub("", _BLOCK.sub("\x00", text[max(0, start - WIDTH) : start]))
            after = _TAGS.sub("", _BLOCK.sub("\x00", text[end : end + WIDTH]))
            last, first = _LAST.search(before), _FIRST.match(after)
            self._known[row] = (
                number(last[1].lower() if last else "\x00", len(self._words)),
                number(first[1].lower() if first else "\x00", len(self._words)),
            )
        return self._known[rows]
