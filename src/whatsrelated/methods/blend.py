"""Blend: a walk, proximity, coupling and names, multiplied.  The default.

A page is related to u if a random walk from u often reaches it, if other pages link
to the two side by side, and if the two link to the same pages.  No single part covers
every page, so a page is never ruled out just because one part misses it.  For a page u:

1. W, the walk: the probability of a random walk from u with restart 0.3, along links
   in either direction, over (in- and out-degree) ** 0.35 (`methods.walk`);
2. C, proximity: the sum of 1 / distance ** 0.85 over up to B parents of u, the
   distance counted in links from the link to u (`methods.cpa`);
3. K, coupling: the sum of 1 / ln(2 + in-degree) over shared children, over the square
   root of the out-degree (`methods.coupling`);
4. N, names, on a single site: how similar the names of the two pages are, for the 100
   pages that the links put first (`kernels.name_similarity`);
5. the score is the product

       (W / (max W + 0.01 * (1 / A - 1)) + 0.05) * (D / max D + 0.75) * (K / max K + 1)
       * min(in-degree, 15) ** 0.07 * (1 + N / 0.2) * P

   The number added to a part is its *doubt*: what a page keeps if the part misses it.
   A is the larger of the cosines of W with C and with K, at least 0.1: the walk counts
   less if its best page is improbable and no other part confirms it.  D is C over
   in-degree ** 0.15, since a page that is linked everywhere is linked beside everything.
   P is below 1 for pages that are rarely wanted: 0.5 for a page of another host that was
   not read, in a graph of one site; with many sites 0.3 for a page on u's own site, and
   0.3 for a page that links to u without a link back.

With many sites, anyone can make links, so sites count as far as they agree.  Each site
has one vote in C, and the kernel believes a parent as far as other sites name its other
links beside u.  W and K, which a page can raise with its own links, are multiplied by C / max C.
docs/explanation/default.md has the details.

The score s is shown as its *strength*, s**g / (s**g + m**g): about how likely people are
to list the page as related, comparable across pages and graphs.

`methods.blend_similarity` compares two pages with each other.

`BlendFormula` has the numbers.  They were tuned on graphs with known answers and are not
options; CONTRIBUTING.md lists what else to update when one of them changes.

Cost: at most some 100,000 links for the walk, 200,000 for coupling and those of B parents;
the names of 101 pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import log, prod, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.found import Found
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option
from whatsrelated.methods.blend_similarity import similarities
from whatsrelated.methods.coupling import Coupling, coupling_evidence, rarest_children
from whatsrelated.methods.cpa import UNORDERED, Cpa, cpa_evidence
from whatsrelated.methods.walk import Walk, link_between, walk_evidence
from whatsrelated.names.hosts import host_of
from whatsrelated.options import option
from whatsrelated.vicinity.wording import sentence

if TYPE_CHECKING:
    from numpy import bool_, float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

LEAST_SHARE = 0.005
"""Minimum share of a part in the evidence; a smaller one would show as 0 %."""
NAMES = "names"
PARTS = (Walk.name, Cpa.name, Coupling.name)
"""The parts read from links, in the order of the kernel's rows."""
STEEPNESS = {"names": 1.0, "links": 1.05}
"""How fast the strength rises with the score, with names or from links alone."""
EVEN = {"names": 3.3, "links": 2.2}
"""The score whose strength is one half.  Both were fitted by logistic regression."""
# default 710b7f7e: python -m benchmarks.reliability SETS --refit


@dataclass(frozen=True)
class BlendFormula:
    """The numbers of the default, and the formula they belong to."""

    restart: float = 0.3
    """Probability that a step of the walk returns to the query: related pages are near."""
    error: float = 3e-5
    """The error of the walk's probabilities, per link of a page."""
    walk_power: float = 0.35
    """The power of the degree that the walk's probability is divided by."""
    distance_power: float = 0.85
    """The power of the distance between two links that a link's weight is divided by."""
    children: int = 1000
    """Maximum number of children that coupling reads."""
    reads: int = 200_000
    """Maximum number of links to these children that coupling reads."""
    walk_doubt: float = 0.05
    """What a page keeps if the walk misses it; the walk's best page has up to 1 more."""
    proximity_doubt: float = 0.75
    """The same for proximity."""
    coupling_doubt: float = 1.0
    """The same for coupling."""
    faint: float = 0.01
    """Added to the walk's largest probability, times (1 / agreement - 1)."""
    least_agreement: float = 0.1
    """Lower bound of the walk's agreement with the other parts."""
    popular_power: float = 0.15
    """The power of the in-degree that proximity is divided by."""
    known_power: float = 0.07
    """The power of the in-degree that a score is multiplied by: people list well-known pages."""
    known_limit: int = 15
    """The in-degree beyond which a page gains nothing more."""
    names_doubling: float = 0.2
    """The similarity of names that doubles a score."""
    names_compared: int = 100
    """The number of pages, best by links first, whose names are compared with the query's."""
    outside: float = 0.5
    """In a graph of one site, the share kept by a page of another host that was not read."""
    own_site: float = 0.3
    """With many sites, the share kept by a page on the query's own site."""
    one_way: float = 0.3
    """With many sites, the share kept by a page that links to the query without a link back."""

    @property
    def doubts(self) -> dict[str, float]:
        """The factor of each part for a page that it misses."""
        doubts = self.walk_doubt, self.proximity_doubt, self.coupling_doubt, 1.0
        return dict(zip((*PARTS, NAMES), doubts, strict=True))

    @cached_property
    def known(self) -> NDArray[float64]:
        """The factor of a page's score by its in-degree; the last one is for all above."""
        return np.maximum(np.arange(self.known_limit + 1), 1.0) ** self.known_power

    @cached_property
    def kept(self) -> NDArray[float64]:
        """With many sites, the share of its score that a page keeps, by its flags."""
        return np.array([1.0, self.own_site, self.one_way, self.own_site * self.one_way])

    def factors(self, vicinity: BlendVicinity, *, names: bool) -> dict[str, NDArray[float64]]:
        """The factors of every page's score, by the part they come from, or "page"."""
        walk, near, coupled = vicinity.parts
        agreement = max(cosine(walk, near), cosine(walk, coupled), self.least_agreement)
        faint = self.faint * (1 / min(agreement, 1.0) - 1)
        page = self.known.take(vicinity.in_degrees, mode="clip")
        if not vicinity.many_sites:
            np.multiply(page, self.outside, where=vicinity.outside(), out=page)
        else:
            page *= self.kept.take(vicinity.flags)
            if (nearest := near.max()) > 0:
                trust = near / nearest
                walk, coupled = walk * trust, coupled * trust
        near = near / vicinity.in_degrees**self.popular_power
        factors = {
            Walk.name: walk / (walk.max() + faint or 1.0) + self.walk_doubt,
            Cpa.name: near / (near.max() or 1.0) + self.proximity_doubt,
            Coupling.name: coupled / (coupled.max() or 1.0) + self.coupling_doubt,
            "page": page,
        }
        if names:
            similarity = vicinity.compare_names(product(factors), self.names_compared)
            factors[NAMES] = 1 + similarity / self.names_doubling
        return factors


FORMULA = BlendFormula()


def cosine(part: NDArray[float64], other: NDArray[float64]) -> float:
    """How well two parts agree on the pages found."""
    squares = float(part.dot(part)) * float(other.dot(other))
    return float(part.dot(other)) / sqrt(squares) if squares > 0 else 0.0


def product(factors: dict[str, NDArray[float64]]) -> NDArray[float64]:
    """The scores: the factors of each page, multiplied."""
    return reduce(np.multiply, factors.values())


@dataclass(frozen=True)
class Blend(Method):
    """A walk, proximity, coupling and names, multiplied."""

    name = "blend"
    scored = "about how likely people are to list this page as related; comparable across graphs"
    percent = True
    compares = True
    symmetric = True

    parents: int = parents_option()
    compare_names: bool = option(
        True, "also compare the names of pages, on a single site", formerly=("names",)
    )

    def find(self, question: Question) -> Found:
        store = question.store
        stopless = replace(question, stop=question.stop[:0]) if len(question.stop) else question
        vicinity = gather(stopless, self.parents, FORMULA)
        pages = vicinity.pages
        if not len(pages):
            return Found.nothing(f"{store.url(question.page)} has no links in either direction")
        names = self.compare_names and not vicinity.many_sites
        factors = FORMULA.factors(vicinity, names=names)
        found = Found(
            pages,
            strength(product(factors), names=names),
            vicinity_pages=1 + len(pages),
            vicinity_links=vicinity.read,
            notes=() if store.ordered or not len(vicinity.parents) else (UNORDERED,),
            details=dict(zip(PARTS, vicinity.counts, strict=True)),
            evidence=lambda other: vicinity.evidence(factors, other),
        )
        return found.only(question.answerable(pages)) if len(question.stop) else found

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """The similarity of the page with each of the others."""
        return similarities(question, others)


@dataclass(slots=True)
class BlendVicinity:
    """The pages that the parts found for a question, each once, with its parts and degrees."""

    question: Question
    parents: NDArray[uint32]
    children: NDArray[uint32]
    pages: NDArray[uint32]
    parts: NDArray[float64]
    in_degrees: NDArray[int64]
    flags: NDArray[int64]
    counts: list[int]
    read: int
    name_similarity: NDArray[float64] | None = None

    @property
    def many_sites(self) -> bool:
        return self.question.sites is not None

    def outside(self) -> NDArray[bool_]:
        """Which pages are outside the graph's site: not read, and on another host."""
        store, page = self.question.store, self.question.page
        elsewhere: NDArray[bool_] = store.hosts.take(self.pages) != store.hosts[page]
        if (
            not elsewhere.any()
            or store.auto_site != "page"
            or host_of(store.url(page)) is None
            or not store.is_read(np.array([page]))[0]
        ):
            return np.zeros(len(self.pages), np.bool_)
        return elsewhere & ~store.is_read(self.pages)

    def compare_names(self, scores: NDArray[float64], limit: int) -> NDArray[float64]:
        """The similarity of the query's name with those of the pages that score highest."""
        whole = np.array([0, len(self.pages)], np.int64)
        first = kernels.best_pages.best(whole, self.pages, scores, limit)
        listed = np.append(np.uint32(self.question.page), self.pages[first])
        keys = self.question.store.names.table.get_many(listed)
        self.name_similarity = np.zeros(len(self.pages))
        self.name_similarity[first] = kernels.name_similarity.cosines(*keys)[1:]
        return self.name_similarity

    def evidence(self, factors: dict[str, NDArray[float64]], other: int) -> dict[str, Any]:
        """What each part contributes to a page, the largest part first.

        The share of a part is proportional to the logarithm of how much it raised the page
        above one that it misses.
        """
        place = int(np.flatnonzero(self.pages == other)[0])
        raised = {name: float(factor[place]) for name, factor in factors.items()}
        values = dict(zip(PARTS, self.parts[:, place].tolist(), strict=True))
        if self.name_similarity is not None:
            values[NAMES] = float(self.name_similarity[place])
        lifts = {part: log(raised[part] / FORMULA.doubts[part]) for part in values}
        if not any(lifts.values()):  # no site agrees: the parts that found the page share equally
            lifts = {part: float(value > 0) for part, value in values.items()}
        shares = {part: lift / sum(lifts.values()) for part, lift in lifts.items()}
        described = [
            {**self._part(part, value, other), "by": part, "score": value, "share": shares[part]}
            for part, value in values.items()
            if value > 0 and shares[part] >= LEAST_SHARE
        ]
        described.sort(key=lambda part: -part["share"])
        shown = self._shown(described, other)
        return {
            "sentence": " ".join(part["sentence"] for part in shown),
            "named": [page for part in shown for page in part.get("named", ())],
            "raw_score": prod(raised.values()),
            "parts": described,
        }

    def _shown(self, parts: list[dict[str, Any]], other: int) -> list[dict[str, Any]]:
        """The strongest parts.  The walk only repeats the others, unless there is a link."""
        others = [part for part in parts if part["by"] != Walk.name]
        if not others:
            return parts
        strongest = [part for part in others if part["share"] >= others[0]["share"] / 2]
        direct = link_between(self.question.store, self.question.page, other)
        return [*strongest, *([{"sentence": sentence(direct)}] if direct else [])]

    def _part(self, by: str, value: float, other: int) -> dict[str, Any]:
        if by == Cpa.name:
            return cpa_evidence(self.question, self.parents, other)
        if by == Coupling.name:
            return coupling_evidence(self.question, self.children, other)
        if by == Walk.name:
            probability = value * self._degree(other) ** FORMULA.walk_power
            return walk_evidence(self.question, probability, FORMULA.error, other)
        text = f"Their names share unusual letter sequences ({value:.0%} similar)."
        return {"sentence": text, "alike": value}

    def _degree(self, page: int) -> int:
        store = self.question.store
        return len(store.links_from(page)) + len(store.links_to(page))


def gather(question: Question, max_parents: int, formula: BlendFormula) -> BlendVicinity:
    """Compute the three parts in one pass."""
    store = question.store
    parents = question.parents(question.page, max_parents)
    children = rarest_children(question, formula.children, formula.reads)
    if question.sites is not None and len(parents) > 1:
        parents = parents[question.sites[parents].argsort(kind="stable")]
    pages, parts, in_degrees, flags, counts, read = kernels.blend.parts(
        scratch_of(kernels.blend.Scratch),
        store.links,
        question.page,
        parents=parents,
        sites=parents[:0] if question.sites is None else question.sites,
        children=children,
        restart=formula.restart,
        error=formula.error,
        walk_power=formula.walk_power,
        distance_power=formula.distance_power if store.ordered else 0.0,
    )
    return BlendVicinity(question, parents, children, pages, parts, in_degrees, flags, counts, read)


def strength(scores: NDArray[float64], *, names: bool) -> NDArray[float64]:
    """Scores between 0 and 1, in the same order, comparable across pages and graphs."""
    kind = "names" if names else "links"
    odds = scores / EVEN[kind]
    odds **= STEEPNESS[kind]
    odds /= 1 + odds
    return odds
