"""Blend: a walk, proximity, coupling and names, multiplied.  The default.

A page is related to u when a reader of u soon comes to it, when others name the
two side by side, and when the two link to the same pages.  No one of these knows
every page, so that none may condemn a page that it does not know.  For a page u:

1. W, the walk: the probability of a random walk from u with restart 0.3, links
   taken either way, over (in- and out-degree) ** 0.35 (`methods.walk`);
2. C, proximity: the sum over up to B parents of u of 1 / distance ** 0.85, the
   distance from the link to u (`methods.cpa`);
3. K, coupling: the sum over shared children of 1 / ln(2 + in-degree), over the
   square root of the out-degree (`methods.coupling`);
4. the score is

       (W / (max W + 0.01 * (1 / A - 1)) + 0.05) * (D / max D + 0.75) * (K / max K + 1)
       * min(in-degree, 15) ** 0.07

   where what is added is the doubt: the least that a part leaves to a page.  D is
   C / in-degree ** 0.15: what is named everywhere is named beside everything.  A is how
   far the other parts agree with the walk, the larger of its cosines with C and with K,
   and at least 0.1.  The walk is trusted most, but less where its best page is faint, for
   a page of many links says less by each, and where nothing confirms it.  People point to
   what is known, hence the in-degree;
5. in a graph of one site, pages of other hosts that were not read count half: they are
   outside, known by the links to them alone, and who asks for a page that was read asks
   mostly for what the site has itself;
6. on a single site, times 1 + N / 0.2 for the 100 pages that come first, where N is
   how much the names of the two pages are spelt alike (`kernels.name_similarity`): who names
   pages puts together what belongs together.  It is all that is taken from elsewhere
   than links, and `names` turns it off;
7. where a graph has many sites, each site has one vote in C, and its pages are believed as
   far as other sites agree: a parent of u vouches for a page by the mean of (sites - 1) /
   in-degree over its other links, each weighed as in C, where `sites` is how many sites
   name that link beside u, and 1 for pages of a site that votes.  Pages that one site alone
   names beside u have no C where others are named by two.  (Where sites agree on fewer than
   two pages, all votes count alike.)
   W and K, in which a page speaks for itself, count as far as C does: times C / max C.
   Pages of u's own site, and pages that link to u, unless u links to them, count three
   tenths: who asks for what is related to a newspaper asks neither for its sections nor
   for lists of papers.

What is shown is the *strength* of a score s, s**g / (s**g + m**g), between 0 and 1 and
in the same order: about how likely a page is one that people list as related.

How alike two pages are, whatever else is related to them, is told by the same parts, taken
both ways: with w the geometric mean of the probabilities of the walks from one to the other,
restart 0.5, and c and k the cosines of their parents and of their children, each with a
weight of ln(1 + pages / degree), the degree being how many links it has in that direction,

    x = (w + 0.002) * (1 + c) * (1 + k) - 0.002

it is x / (x + 0.02), 1 for a page and itself, and 0 where no walk gets from one to the
other.  Links are taken either way, so that one walk tells the other.

The numbers were settled on graphs with known answers, which docs/evaluation.md lists,
and are not options.

Cost: no more than some 100,000 links for the walk, 200,000 for coupling and those of B
parents; the names of 101 pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.found import Found
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option
from whatsrelated.methods.coupling import Coupling, coupling_evidence, rarest_children
from whatsrelated.methods.cpa import UNORDERED, Cpa, cpa_evidence
from whatsrelated.methods.walk import Walk, link_between, walk_evidence
from whatsrelated.names.hosts import host_of
from whatsrelated.options import option
from whatsrelated.vicinity.wording import sentence

if TYPE_CHECKING:
    from numpy import bool_, float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph.store import Store

RESTART = 0.3
"""Related pages are near: a reader goes back after three links or so."""
ERROR = Walk().error
"""How exact the walk's probabilities are, per link of a page."""
POPULAR = 0.35
"""The power of the degree that the walk's probability is divided by."""
FAINT, LEAST_AGREED = 0.01, 0.1
"""Where the walk's best page is not much more probable than the first, the walk counts less, and
the more so the less another part agrees with it, of which this is the least that is assumed."""
COMMON = 0.15
"""The power of the in-degree that proximity is divided by."""
DOUBTS = np.array([0.05, 0.75, 1.0])
"""What walk, cpa and coupling leave to a page that they do not know; their best has 1 more."""
KNOWN = np.maximum(np.arange(16), 1) ** 0.07
"""What a page gains by its in-degree; beyond the last it is known to everyone."""
NAMES_COMPARED = 100
"""How many pages have their names compared with that of the query: those first by links."""
SPELT = 0.2
"""How much a name must be spelt like the query's to double the score of its page."""
NO_PEER = 0.3
"""Where there are many sites, what is left of the score of a page on the query's own site, and
of one that links to the query, which does not link back."""
OUTSIDE = 0.5
"""In a graph of one site, what is left of the score of a page of another host that was not read."""
COMPARED_RESTART, COMPARED_ERROR = 0.5, 3e-6
"""Those of the walks by which two pages are compared: what lies further says less of either."""
UNWALKED = 0.002
"""What is added to a walk that hardly ever gets there, for the links that two pages share."""
HALF_ALIKE = 0.02
"""What walk and shared links come to for two pages that are half alike."""
LEAST_TOLD = 0.005
"""The share from which on a part is evidence: below it would be said to give 0 %."""
STEEPNESS = {"names": 1.0, "links": 1.05}
EVEN = {"names": 3.3, "links": 2.2}
"""The score whose strength is one half, with names or from links alone; logistic regressions."""


@dataclass(frozen=True)
class Blend(Method):
    """A walk, proximity, coupling and names, multiplied."""

    name: ClassVar[str] = "blend"
    scored: ClassVar[str] = (
        "about how likely people are to list this page as related; it compares "
        "across pages and graphs"
    )
    percent: ClassVar[bool] = True
    compares: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True

    parents: int = parents_option()
    names: bool = option(True, "whether similar names count as well, on a single site")

    def find(self, question: Question) -> Found:
        store = question.store
        vicinity = gather(replace(question, stop=question.stop[:0]), self.parents)
        pages, scores = vicinity.pages, vicinity.scores
        if not len(pages):
            return Found.nothing(f"{store.url(question.page)} has no links, neither in nor out")
        spelt = None
        if question.sites is None:
            scores[outside(question, pages)] *= OUTSIDE
            if self.names:
                spelt = spelling(question, pages, scores)
                scores *= 1 + spelt / SPELT
        strengths = strength(scores, names=spelt is not None)
        found = Found(
            pages,
            strengths,
            vicinity_pages=1 + len(pages),
            vicinity_links=vicinity.read,
            notes=() if store.ordered or not len(vicinity.parents) else (UNORDERED,),
            details=vicinity.found(),
            evidence=lambda other: vicinity.evidence(spelt, other),
        )
        return found.only(question.answerable(pages)) if len(question.stop) else found

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """How alike the page and others are, by the walk from the page and what they share."""
        store, page = question.store, question.page
        pages, probabilities, _, _ = kernels.walk.push(
            scratch_of(kernels.walk.Scratch),
            store.links,
            page,
            COMPARED_RESTART,
            COMPARED_ERROR,
        )
        degrees = (store.in_degree(pages) + store.out_degree(pages)).astype(np.float64)
        own = max(float(degrees[0]), 1.0)
        # Back again p is p * own / degree, as links are taken either way.
        near = probabilities * np.sqrt(own / np.maximum(degrees, 1))
        walked = dict(zip(pages.tolist(), near.tolist(), strict=True))
        parents, children = weighed_links(store, page)
        alike = np.ones(len(others))
        for place, other in enumerate(others):
            kernels.limits.check()
            if other != page:
                their_parents, their_children = weighed_links(store, other)
                both = walked.get(other, 0.0) + UNWALKED
                both *= 1 + parents.cosine(their_parents)
                both *= 1 + children.cosine(their_children)
                alike[place] = (both - UNWALKED) / (both - UNWALKED + HALF_ALIKE)
        return alike


@dataclass(frozen=True, slots=True)
class WeighedLinks:
    """Pages that link to one, or that it links to, each with a weight: what is rare says most."""

    pages: NDArray[uint32]
    weights: NDArray[float64]

    def cosine(self, other: WeighedLinks) -> float:
        """How much of their weight two have in common."""
        _, here, _ = np.intersect1d(
            self.pages, other.pages, assume_unique=True, return_indices=True
        )
        if not len(here):
            return 0.0
        return float(self.weights[here].sum() / np.sqrt(self.weights.sum() * other.weights.sum()))


def weighed_links(store: Store, page: int) -> tuple[WeighedLinks, WeighedLinks]:
    """The parents and the children of a page."""
    parents, children = store.links_to(page), store.links_from(page)
    degrees = store.out_degree(parents), store.in_degree(children)
    parents_weights, children_weights = (np.log1p(store.n_pages / of) ** 2 for of in degrees)
    return WeighedLinks(parents, parents_weights), WeighedLinks(children, children_weights)


PARTS = (Walk.name, Cpa.name, Coupling.name)
"""The parts in the order of the rows of `Vicinity.parts`."""


@dataclass(slots=True)
class Vicinity:
    """What the parts found for a question: every page once, with its parts and its score."""

    question: Question
    parents: NDArray[uint32]
    children: NDArray[uint32]
    pages: NDArray[uint32]
    parts: NDArray[float64]
    largest: NDArray[float64]
    scores: NDArray[float64]
    read: int

    def found(self) -> dict[str, int]:
        """How many pages each part knows."""
        return dict(zip(PARTS, np.count_nonzero(self.parts, axis=1).tolist(), strict=True))

    def evidence(self, spelt: NDArray[float64] | None, other: int) -> dict[str, Any]:
        """What each part contributes to a page, the largest part first.

        The share of a part is the logarithm of how much it raised the page over one that
        it does not know.
        """
        parts = self.parts if self.question.sites is None else agreed(self.parts)
        place = int(np.flatnonzero(self.pages == other)[0])
        alike = 0.0 if spelt is None else float(spelt[place])
        values = [*self.parts[:, place].tolist(), alike]
        relative = parts[:, place] / np.where(self.largest > 0, self.largest, 1)
        relative[1] /= max(int(self.question.store.in_degree(self.pages[[place]])[0]), 1) ** COMMON
        lifts = np.log1p(np.append(relative, alike) / np.append(DOUBTS, SPELT))
        if not lifts.any():  # nobody agrees: what knows the page has the same share
            lifts = np.greater(values, 0).astype(np.float64)
        shares = lifts / lifts.sum()
        described = [
            {**self._part(by, value, other), "by": by, "score": value, "share": share}
            for by, value, share in zip((*PARTS, "names"), values, shares.tolist(), strict=True)
            if value > 0 and share >= LEAST_TOLD
        ]
        described.sort(key=lambda part: -part["share"])
        told = self._worth_telling(described, other)
        return {
            "sentence": " ".join(part["sentence"] for part in told),
            "named": [page for part in told for page in part.get("named", ())],
            "raw_score": float(self.scores[place]),
            "parts": described,
        }

    def _worth_telling(self, parts: list[dict[str, Any]], other: int) -> list[dict[str, Any]]:
        """The strongest parts.  The walk only says again what the others say, but for a link."""
        plain = [part for part in parts if part["by"] != Walk.name]
        if not plain:
            return parts
        told = [part for part in plain if part["share"] >= plain[0]["share"] / 2]
        direct = link_between(self.question.store, self.question.page, other)
        return [*told, *([{"sentence": sentence(direct)}] if direct else [])]

    def _part(self, by: str, value: float, other: int) -> dict[str, Any]:
        if by == Cpa.name:
            return cpa_evidence(self.question, self.parents, other)
        if by == Coupling.name:
            return coupling_evidence(self.question, self.children, other)
        if by == Walk.name:
            probability = value * self._degree(other) ** POPULAR
            return walk_evidence(self.question, probability, ERROR, other)
        text = f"Their names are {value:.0%} alike, in letters that few answers have."
        return {"sentence": text, "alike": value}

    def _degree(self, page: int) -> int:
        store = self.question.store
        return len(store.links_from(page)) + len(store.links_to(page))


def gather(question: Question, most_parents: int) -> Vicinity:
    """Ask the three parts, in one pass."""
    store, options = question.store, Coupling()
    parents = question.parents(question.page, most_parents)
    children = rarest_children(question, options.children, options.reads)
    if question.sites is not None:
        parents = parents[np.argsort(question.sites[parents], kind="stable")]
    pages, parts, largest, scores, read = kernels.blend.find(
        scratch_of(kernels.blend.Scratch),
        store.links,
        question.page,
        parents,
        parents[:0] if question.sites is None else question.sites,
        children,
        1 / np.log(2 + store.in_degree(children)),
        RESTART,
        ERROR,
        Cpa().alpha if store.ordered else 0.0,
        POPULAR,
        FAINT,
        LEAST_AGREED,
        COMMON,
        DOUBTS,
        KNOWN,
        NO_PEER,
    )
    return Vicinity(question, parents, children, pages, parts, largest, scores, read)


def agreed(parts: NDArray[float64]) -> NDArray[float64]:
    """Walk and coupling as far as other sites agree, where any have something to say."""
    near = parts[1]
    most = near.max(initial=0.0)
    return parts * np.stack([near / most, np.ones(len(near)), near / most]) if most > 0 else parts


def outside(question: Question, pages: NDArray[uint32]) -> NDArray[bool_]:
    """Which pages are outside of the site that the graph is of: not read, on another host."""
    store, page = question.store, question.page
    apart: NDArray[bool_] = store.hosts[pages] != store.hosts[page]
    within = store.auto_site == "page" and host_of(store.url(page)) is not None
    if not apart.any() or not within or not store.is_read(np.array([page]))[0]:
        return np.zeros(len(pages), np.bool_)
    return apart & ~store.is_read(pages)


def spelling(
    question: Question, pages: NDArray[uint32], scores: NDArray[float64]
) -> NDArray[float64]:
    """How much the names of the pages with the highest scores are spelt like that of the query."""
    whole = np.array([0, len(pages)], np.int64)
    first = kernels.best_pages.best(whole, pages, scores, NAMES_COMPARED)
    listed = np.append(np.uint32(question.page), pages[first])
    keys = question.store.names.table.get_many(listed)
    spelt = np.zeros(len(pages))
    spelt[first] = kernels.name_similarity.cosines(*keys)[1:]
    return spelt


def strength(scores: NDArray[float64], *, names: bool) -> NDArray[float64]:
    """The scores between 0 and 1, in the same order, with one meaning for all pages and graphs."""
    kind = "names" if names else "links"
    odds = (scores / EVEN[kind]) ** STEEPNESS[kind]
    return np.asarray(odds / (1 + odds))
