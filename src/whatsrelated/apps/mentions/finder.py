"""Find the mentions of a site that should be links, best first, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.reading import source_folder
from whatsrelated.apps.gaps.calibration import hold_out
from whatsrelated.apps.gaps.findings import LinkPlace
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.apps.mentions.candidates import CandidateFinder, mentions_of
from whatsrelated.apps.mentions.corpus import Corpus
from whatsrelated.apps.mentions.scan import LineColumns, context
from whatsrelated.apps.mentions.scoring import SignReader, fit, probability
from whatsrelated.errors import ReadError

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.api.reading import SourceFolder
    from whatsrelated.api.stores import Store


HTML_ENDINGS = (".html", ".htm", ".xhtml")
TAG = re.compile(r"<[^<>]*(?:>|$)|^[^<>]*>")
"""A tag, or the part of it that is in the excerpt."""


@dataclass(frozen=True, slots=True)
class Place:
    """The location for a link: a file in the folder, its line and column counted from 1, and the
    words to link. Without words, the link becomes a new line in the file's "See also" list, or at
    its end. `start` and `end` are positions in the decoded text.
    """

    file: str
    line: int
    column: int
    words: str
    before: str
    after: str
    start: int
    end: int

    @property
    def shown(self) -> LinkPlace:
        """The location for printing; in HTML, its excerpts lose their tags."""
        texts = [self.words, self.before, self.after]
        if self.file.lower().endswith(HTML_ENDINGS):
            texts = [unescape(TAG.sub("", text)) for text in texts]
        words, before, after = texts
        return LinkPlace(self.file, self.line, self.column, words or None, before, after)


@dataclass(frozen=True, slots=True)
class Mention:
    """Words on a page that should link to another page."""

    score: float
    page: int
    target: int
    start: int
    end: int


class MentionFinder:
    """The mentions of a site. Reading its text takes a while, so one object serves all queries."""

    def __init__(self, store: Store, folder: SourceFolder) -> None:
        self.site = SiteStructure(store)
        self.store = store
        self.corpus = Corpus(store, folder)
        self._lines: dict[int, LineColumns] = {}

    @cached_property
    def reader(self) -> SignReader:
        """Computes the features of the site's mentions."""
        sources, targets = self.site.ends
        links = np.unique(sources * self.store.n_pages + targets)
        mentions = mentions_of(self.corpus)
        finder = CandidateFinder(self.corpus, mentions, links, self.site.is_page)
        return SignReader(self.site, finder)

    @cached_property
    def ranked(self) -> list[Mention]:
        """Every mention that could be a link, best first.

        A page gets one mention per target. Words that stand for several pages go to the one with
        the best score.
        """
        candidates, features = self.reader.candidates()
        mentions = self.reader.finder.mentions
        weights = fit(*self.reader.trials())
        scores = np.round(probability(features, weights), 6)
        pages = mentions.pages[candidates.rows]
        starts = mentions.starts[candidates.rows]
        order = np.lexsort((candidates.targets, starts, pages, -scores))
        pairs: set[tuple[int, int]] = set()
        places: set[tuple[int, int]] = set()
        ranked = []
        for row in order.tolist():
            page, target, start = int(pages[row]), int(candidates.targets[row]), int(starts[row])
            if (page, target) in pairs or (page, start) in places:
                continue
            pairs.add((page, target))
            places.add((page, start))
            end = int(mentions.ends[candidates.rows[row]])
            ranked.append(Mention(float(scores[row]), page, target, start, end))
        return ranked

    @cached_property
    def by_pair(self) -> dict[tuple[int, int], Mention]:
        """The mention for each pair of page and target."""
        return {(one.page, one.target): one for one in self.ranked}

    @cached_property
    def unmentioned(self) -> float:
        """How much less likely a link is if its page does not mention the target: the share of the
        site's links whose page has no words for the target, divided by the same share of all pairs.
        """
        _, gone = hold_out(self.site, 0)
        if not len(gone) or not self.ranked:
            return 1.0
        candidates, _ = self.reader.finder.find(gone)
        pages = self.reader.finder.mentions.pages[candidates.rows]
        pairs = np.unique((pages * self.store.n_pages + candidates.targets)[candidates.is_held_out])
        return max(1 - len(pairs) / len(gone), 0.02)

    def join(
        self,
        ranked: Iterable[tuple[float, int, int]],
        sources: NDArray[bool_],
        targets: NDArray[bool_],
    ) -> list[tuple[float, int, int]]:
        """Missing links by mentions and by the graph, in one list, best first.

        A link without a mention has the graph's score, with the odds lowered accordingly.
        """
        scored = [
            (one.score, one.page, one.target)
            for one in self.ranked
            if sources[one.page] and targets[one.target]
        ]
        for score, page, target in ranked:
            if (page, target) not in self.by_pair:
                odds = self.unmentioned * score / max(1 - score, 1e-9)
                scored.append((odds / (1 + odds), page, target))
        return sorted(scored, key=lambda one: (-one[0], *one[1:]))

    def link_place(self, page: int, target: int) -> LinkPlace | None:
        """The location for a mention's link, for printing."""
        place = self.place(page, target)
        return None if place is None else place.shown

    def place(self, page: int, target: int) -> Place | None:
        """The location for a link from one page to another; None if the page has no file."""
        number = self.corpus.by_page.get(page)
        if number is None:
            return None
        text = self.corpus.texts[number]
        mention = self.by_pair.get((page, target))
        if page not in self._lines:
            self._lines[page] = LineColumns(text.decoded.text)
        if mention is None:
            whole = text.decoded.text
            end = text.scan.see_also if text.scan.see_also is not None else len(whole.rstrip())
            line, column = self._lines[page](end)
            return Place(text.path, line, column, "", "", "", end, end)
        line, column = self._lines[page](mention.start)
        before, words, after = context(text.decoded.text, mention.start, mention.end)
        return Place(text.path, line, column, words, before, after, mention.start, mention.end)


def folder_of(store: Store, path: str | Path | None = None) -> SourceFolder:
    """The folder that a graph was built from; raises ReadError if there is none."""
    built = store.manifest["built"]
    sources = [str(path)] if path is not None else list(built.get("sources", ()))
    formats = built.get("formats", ())
    if len(sources) != 1 or not Path(sources[0]).is_dir():
        raise ReadError(
            "To find the places of links, build the graph from one folder, "
            "or name the folder instead of the graph."
        )
    options = built.get("options", {})
    base = {"base_url": options["base_url"]} if options.get("base_url") else {}
    return source_folder(sources[0], formats[0] if formats else None, **base)
