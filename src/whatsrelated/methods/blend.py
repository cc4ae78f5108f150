"""Blend: four methods, names, and two ways of being related.  The default.

A page may be related because it is like u, or because it belongs among the
links of u.  What people list under "See also", and pages of one kind, are the
former; links that are missing, above all at the edge of a crawl, the latter.
For a page u:

1. ask walk, cpa, coupling and peers: scores W, C, K and Q.  Coupling is held back for
   pages of few links, which are soon alike: K * sqrt(out-degree / (out-degree + 4));
2. *alike*: (1 + W/0.001) * (1 + C/0.5) * (1 + K/0.12) * (1 + Q).
   What divides is the doubt: a score far below it says nothing, and no part can
   condemn a page that it does not know.  Times in-degree ** (0.4 - 0.073 ln in-degree),
   for people point to what is known, but not to what is known to everyone; and times
   0.85 where u links to the page, for then the walk has counted that very link;
3. *missing*: (W + 0.001) * Q, for the pages that u does not link to: what the
   pages that link alike link to, the near ones first;
4. on a single site, multiply both by 1 + N/0.1, where N is how much the names of the
   two pages are spelt alike (`kernels.spelling`), for the 100 pages that come first by
   links: who names pages puts together what belongs together, in folders and in words.
   It is all that is taken from elsewhere than links, and `names` turns it off;
5. divide each of the two by the sum of its 100 largest, so that a few strong pages
   go before many weak ones, and add them up, the second times a weight: 0.15 in a
   whole graph, 1 in one without link order, where cpa says less, and 8 where a fifth
   or more of the pages that the walk found have no links: there the crawl ended, and
   most of what pages have in common was never read.  All this in proportion to the
   children of u for each of its parents, where there are fewer than 2;
6. where a graph has many sites, each site has one vote in W and C; pages of u's own
   site, and pages that link to u but are named nowhere beside it, count three tenths:
   who asks for what is related to a newspaper asks neither for its sections nor for
   lists of papers.

The numbers were settled on the graphs of docs/reports/ground-truth.md, all of them
together, and are not options.

Cost: that of its four parts; the names of 101 pages are read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log1p
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option
from whatsrelated.methods.coupling import Coupling
from whatsrelated.methods.cpa import Cpa
from whatsrelated.methods.peers import Peers
from whatsrelated.methods.walk import Walk
from whatsrelated.options import option
from whatsrelated.query.answer import Found

if TYPE_CHECKING:
    from numpy import bool_, float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.query.question import Question

FEW_LINKS = 4
"""A page of so many links keeps 0.7 of its score by coupling."""
DOUBTS = (0.001, 0.5, 0.12, 1.0)
"""What walk, cpa, coupling and peers must say of a page to double its likeness."""
KNOWN = (0.4, 0.073)
"""In-degree ** (a - b * ln in-degree): a page of 15 parents is preferred most."""
LINKED = 0.85
"""What is left of a page's likeness where the query links to it."""
STRONGEST = 100
"""How many of the largest scores are summed up to make the two lists comparable."""
MISSING = {"ordered": 0.15, "unordered": 1.0, "edge": 8.0}
"""How much missing pages count in a whole graph, with link order or without, and at an edge."""
EDGE = 0.2
"""The share of pages without links from which on it is the edge of a crawl."""
OWN_LINKS = 2
"""The children for each parent from which on the query's own links have their full weight."""
NAMES_COMPARED = 100
"""How many pages have their names compared with that of the query: those first by links."""
SPELT = 0.1
"""How much a name must be spelt like the query's to double both scores of its page."""
NO_PEER = 0.3
"""Where there are many sites, what is left of the score of a page on the query's own site, and
of one that links to the query and that cpa does not know."""


@dataclass(frozen=True)
class Blend(Method):
    """Four methods, names, and two ways of being related."""

    name: ClassVar[str] = "blend"

    parents: int = parents_option()
    names: bool = option(True, "whether similar names count as well, on a single site")

    @property
    def parts(self) -> tuple[Method, ...]:
        return Walk(), Cpa(parents=self.parents), Coupling(), Peers()

    def find(self, question: Question) -> Found:
        everything = replace(question, stop=question.stop[:0])
        founds = [part.find(everything) for part in self.parts]
        if not any(map(len, founds)):
            return Found.nothing(founds[0].reason)
        pages, columns = side_by_side(founds)
        links = question.store.out_degree(pages)
        columns[2] *= np.sqrt(links / (links + FEW_LINKS))
        if question.sites is not None:
            parents = everything.parents(question.page, self.parents)
            columns[:2] *= votes(question, question.sites, parents, pages)
        linked = np.isin(pages, question.store.links_from(question.page))
        likes = likeness(columns, linked, question.store.in_degree(pages))
        lacks = lacking(columns, linked)
        weight = weight_of_missing(question, founds[0].pages)
        alike, missing = comparable(likes), weight * comparable(lacks)
        spelt = np.zeros(len(pages))
        if self.names and question.sites is None:
            spelt = spelling(question, pages, alike + missing)
            lifted = 1 + spelt / SPELT
            alike, missing = comparable(likes * lifted), weight * comparable(lacks * lifted)
        scores = alike + missing
        if question.sites is not None:
            pointing = np.isin(pages, question.store.links_to(question.page))
            scores[question.sites[pages] == question.sites[question.page]] *= NO_PEER
            scores[pointing & (columns[1] == 0)] *= NO_PEER
        allowed = question.answerable(pages) & (scores > 0)
        place_of = {number: place for place, number in enumerate(pages.tolist())}

        def evidence(other: int) -> dict[str, Any]:
            place = place_of[other]
            share = missing[place] / (alike[place] + missing[place])
            lift = np.log(lifts(columns[:, [place]])[:, 0])
            parts = (1 - share) * lift
            parts[-1] += share * lift.sum()  # what is missing is what peers have
            return self._evidence(founds, parts, float(spelt[place]), other)

        return Found(
            pages[allowed],
            scores[allowed],
            vicinity_pages=1 + len(pages),
            vicinity_links=sum(found.vicinity_links for found in founds),
            notes=tuple(note for found in founds for note in found.notes),
            details={part.name: len(found) for part, found in zip(self.parts, founds, strict=True)},
            evidence=evidence,
        )

    def _evidence(
        self, founds: list[Found], lifts: NDArray[float64], spelt: float, other: int
    ) -> dict[str, Any]:
        """What each part contributes, the largest part first."""
        by_name = log1p(spelt / SPELT)
        total = float(lifts.sum()) + by_name
        parts = [
            {**found.evidence(other), "by": part.name, "share": lift / total}
            for part, found, lift in zip(self.parts, founds, lifts.tolist(), strict=True)
            if lift > 0
        ]
        if spelt > 0:
            sentence = f"The names are {spelt:.0%} alike, in letters that few answers have."
            by = {"by": "names", "share": by_name / total}
            parts.append({"sentence": sentence, "alike": spelt, **by})
        parts.sort(key=lambda part: -part["share"])
        strong = [part["sentence"] for part in parts if part["share"] >= parts[0]["share"] / 2]
        return {"sentence": " ".join(strong), "parts": parts}


def side_by_side(founds: list[Found]) -> tuple[NDArray[uint32], NDArray[float64]]:
    """Every page that a part found, and a row of scores for each part, 0 where it has none."""
    pages, where = kernels.sums.places(
        scratch_of(kernels.sums.Scratch), np.concatenate([found.pages for found in founds])
    )
    columns = np.zeros((len(founds), len(pages)))
    begin = 0
    for column, found in zip(columns, founds, strict=True):
        column[where[begin : begin + len(found)]] = found.scores
        begin += len(found)
    return pages, columns


def votes(
    question: Question, sites: NDArray[uint32], parents: NDArray[uint32], pages: NDArray[uint32]
) -> NDArray[float64]:
    """What is left of each page where a site has one vote, however many of its pages link.

    Of the parents that a page shares with the query, their sites over their number; and
    for a page that is a parent itself, one over the parents on its site.
    """
    voted = np.ones(len(pages))
    _, where, sizes = np.unique(sites[parents], return_inverse=True, return_counts=True)
    if sizes.max(initial=1) == 1:
        return voted
    one_each, by_site = np.ones(len(parents)), 1 / sizes[where]
    store = question.store
    (siblings, shared, _), (_, sharing, _) = (
        kernels.sums.weighted_sums(
            scratch_of(kernels.sums.Scratch), store.links, parents, weights, backward=False
        )
        for weights in (one_each, by_site)
    )
    for voters, left in ((siblings, sharing / shared), (parents, by_site)):
        _, places, those = np.intersect1d(pages, voters, assume_unique=True, return_indices=True)
        voted[places] *= left[those]
    return voted


def lifts(columns: NDArray[float64]) -> NDArray[float64]:
    """How many times each part raises a page over one that it does not know."""
    return np.asarray(1 + columns / np.array(DOUBTS)[:, None])


def likeness(
    columns: NDArray[float64], linked: NDArray[bool_], in_degrees: NDArray[Any]
) -> NDArray[float64]:
    """How much each page is like the query."""
    known = np.log(np.maximum(in_degrees, 1))
    likes: NDArray[float64] = lifts(columns).prod(axis=0) * np.where(linked, LINKED, 1.0)
    likes *= np.exp(known * (KNOWN[0] - KNOWN[1] * known))
    return likes


def lacking(columns: NDArray[float64], linked: NDArray[bool_]) -> NDArray[float64]:
    """How much each page belongs among the query's links, and is not there."""
    near, _, _, peers = columns
    return np.where(linked, 0.0, (near + DOUBTS[0]) * peers)


def spelling(
    question: Question, pages: NDArray[uint32], scores: NDArray[float64]
) -> NDArray[float64]:
    """How much the names of the pages with the highest scores are spelt like that of the query."""
    whole = np.array([0, len(pages)], np.int64)
    first = kernels.choosing.best(whole, pages, scores, NAMES_COMPARED)
    listed = np.append(np.uint32(question.page), pages[first])
    keys = question.store.names.table.get_many(listed)
    spelt = np.zeros(len(pages))
    spelt[first] = kernels.spelling.cosines(*keys)[1:]
    return spelt


def comparable(scores: NDArray[float64]) -> NDArray[float64]:
    """The scores over the sum of the largest."""
    place = max(len(scores) - STRONGEST, 0)
    largest = np.partition(scores, place)[place:]
    return scores / max(float(largest.sum()), 1e-300)


def weight_of_missing(question: Question, walked: NDArray[uint32]) -> float:
    """How much missing pages count: by the pages around without links, and by the query's own."""
    store, page = question.store, question.page
    unread = np.count_nonzero(store.out_degree(walked) == 0) / max(len(walked), 1)
    whole = MISSING["ordered" if store.ordered else "unordered"]
    weight = whole * (MISSING["edge"] / whole) ** min(unread / EDGE, 1.0)
    children, parents = len(store.links_from(page)), len(store.links_to(page))
    return float(weight * min(children / (OWN_LINKS * max(parents, 0.1)), 1.0))
