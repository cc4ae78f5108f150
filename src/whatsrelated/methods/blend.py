"""Blend: a walk, proximity, coupling, names and text, multiplied. This is the default method.

A page is related to u if a random walk from u often reaches it, if other pages link to both side by
side, and if both link to the same pages. No single part covers every page, so a page is never ruled
out just because one part misses it. For a page u:

1. W, the walk: the probability of a random walk from u with restart 0.3, along links in either
   direction, divided by (in- and out-degree) ** 0.35 (`methods.walk`);
2. C, proximity: the sum of 1 / distance ** 0.85 over up to B parents of u, where the distance is
   counted in links from the link to u (`methods.cpa`);
3. K, coupling: the sum of 1 / ln(2 + in-degree) over shared children, divided by the square root of
   the out-degree (`methods.coupling`);
4. N, names, on a single site: how similar the names of the two pages are, for the best 100 pages by
   links (`kernels.name_similarity`);
5. the score is the product

       (W / (max W + 0.01 * (1 / A - 1)) + 0.05) * (D / max D + 0.75) * (K / max K + 1)
       * min(in-degree, 15) ** 0.07 * (1 + N / 0.2) * P

   The number added to a part is its *doubt*: the factor that a page keeps if the part misses it. A
   is the larger of the cosines of W with C and with K, at least 0.1. So the walk counts less if its
   best page is improbable and no other part confirms it. D is C divided by in-degree ** 0.15, since
   a page that is linked everywhere is linked next to everything. P is below 1 for pages that are
   rarely useful. In a graph of one site, it is 0.5 for an unread page on another host. With many
   sites, it is 0.3 for a page on u's own site, and for a page that links to u but that u does not
   link back to.

On a single site whose graph has texts, the score is also multiplied by 1 + min(T, 0.2) / 0.1, where
T is how similar the texts of the two pages are (`graph.text_index`), and up to 100 pages with
similar texts are added to those found by links.

With many sites, anyone can create links, so a site counts only as far as others agree. Each site
has one vote in C. A parent's weight is the degree to which other sites, too, link to the pages next
to u on it. A page can raise W and K with its own links, so they are multiplied by C / max C.
docs/explanation/default.md has the details.

The score s is shown as its *strength*, s**g / (s**g + m**g): roughly the probability that people
would list the page as related. It is comparable across pages and graphs.

Weighted query pages count as one page with all their links (`methods.query_shares`), and the parts
of pages to move away from are subtracted.

`methods.blend_similarity` compares two pages with each other. `BlendFormula` has the constants.
They were tuned on graphs with known answers; CONTRIBUTING.md lists what else to update when one of
them changes.

Cost: at most about 100,000 links for the walk, 200,000 for coupling, the links of B parents, the
names of 101 pages, and 8,000 entries of the text index.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.graph.text_index import require_text_index
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods import Method, parents_option
from whatsrelated.methods.blend_evidence import NAMES, PARTS, TEXT, BlendEvidence
from whatsrelated.methods.blend_similarity import similarities
from whatsrelated.methods.coupling import Coupling
from whatsrelated.methods.cpa import UNORDERED, Cpa
from whatsrelated.methods.query_shares import gather_children, gather_parents, subtract_parts
from whatsrelated.methods.walk import Walk, nothing_near
from whatsrelated.names.hosts import host_of
from whatsrelated.options import option

if TYPE_CHECKING:
    from numpy import bool_, float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question
    from whatsrelated.graph.text_index import TextIndex

STEEPNESS = {"text": 1.1, "names": 1.0, "links": 1.05}
"""The exponent g of the strength: with text, with names, and from links alone."""
EVEN = {"text": 6.0, "names": 3.3, "links": 2.2}
"""The score with a strength of one half. Both were fitted by logistic regression."""
# default 710b7f7e: python -m benchmarks.reliability SETS --refit

TEXT_DOUBLING = 0.1
"""The similarity of texts that doubles a score."""
TEXT_LIMIT = 0.2
"""Higher similarities of texts count as this one, since copies are not more closely related."""
TEXT_ADDED = 100
"""The number of pages with similar texts that are added to those found by links."""


@dataclass(frozen=True)
class BlendFormula:
    """The constants of the default method, and the formula that uses them."""

    restart: float = 0.3
    """Probability that a step of the walk returns to the query.

    It is high because related pages are near.
    """
    error: float = 3e-5
    """The error of the walk's probabilities, per link of a page."""
    walk_power: float = 0.35
    """The walk's probability is divided by the degree to this power."""
    distance_power: float = 0.85
    """A link's weight is divided by its distance to this power."""
    children: int = 1000
    """Maximum number of children that coupling reads."""
    reads: int = 200_000
    """Maximum number of links to these children that coupling reads."""
    walk_doubt: float = 0.05
    """The doubt of the walk; the walk's best page gets up to 1 more."""
    proximity_doubt: float = 0.75
    """The doubt of proximity."""
    coupling_doubt: float = 1.0
    """The doubt of coupling."""
    faint: float = 0.01
    """Added to the walk's largest probability, times (1 / agreement - 1)."""
    least_agreement: float = 0.1
    """Lower bound on the walk's agreement with the other parts."""
    popular_power: float = 0.15
    """Proximity is divided by the in-degree to this power."""
    known_power: float = 0.07
    """A score is multiplied by the in-degree to this power, since people list well-known pages."""
    known_limit: int = 15
    """Higher in-degrees count as this one."""
    names_doubling: float = 0.2
    """The similarity of names that doubles a score."""
    names_compared: int = 100
    """The number of best pages by links whose names are compared with the query's."""
    outside: float = 0.5
    """In a graph of one site, the share that an unread page on another host keeps of its score."""
    own_site: float = 0.3
    """With many sites, the share that a page on the query's own site keeps of its score."""
    one_way: float = 0.3
    """The share that a page keeps of its score if it links to the query without a link back."""

    @property
    def doubts(self) -> dict[str, float]:
        """The factor of each part for a page that it misses."""
        doubts = self.walk_doubt, self.proximity_doubt, self.coupling_doubt, 1.0, 1.0
        return dict(zip((*PARTS, NAMES, TEXT), doubts, strict=True))

    @cached_property
    def known(self) -> NDArray[float64]:
        """The factor of a page's score by its in-degree.

        The last entry also applies to all higher in-degrees.
        """
        return np.maximum(np.arange(self.known_limit + 1), 1.0) ** self.known_power

    def factors(self, vicinity: BlendVicinity, *, names: bool) -> dict[str, NDArray[float64]]:
        """The factors of every page's score, by the part they come from, or "page"."""
        walk, near, coupled = vicinity.parts
        agreement = max(cosine(walk, near), cosine(walk, coupled), self.least_agreement)
        faint = self.faint * (1 / min(agreement, 1.0) - 1)
        page = self.known.take(vicinity.in_degrees, mode="clip")
        if not vicinity.many_sites:
            np.multiply(page, self.outside, where=vicinity.outside(), out=page)
        else:
            own_site, one_way = vicinity.penalized
            page *= (1 - (1 - self.own_site) * own_site) * (1 - (1 - self.one_way) * one_way)
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
        if vicinity.text_similarity is not None:
            similar = np.minimum(vicinity.text_similarity, TEXT_LIMIT)
            factors[TEXT] = 1 + similar / TEXT_DOUBLING
        if names:
            similarity = vicinity.compare_names(product(factors), self.names_compared)
            factors[NAMES] = 1 + similarity / self.names_doubling
        return factors


FORMULA = BlendFormula()


def cosine(part: NDArray[float64], other: NDArray[float64]) -> float:
    """How well two parts agree on the pages found."""
    # Not np.dot: BLAS uses threads from 10,000 numbers on, and waiting for them takes longer.
    squares = np.einsum("i,i", part, part) * np.einsum("i,i", other, other)
    return float(np.einsum("i,i", part, other)) / sqrt(squares) if squares > 0 else 0.0


def product(factors: dict[str, NDArray[float64]]) -> NDArray[float64]:
    """The scores: the product of each page's factors."""
    return reduce(np.multiply, factors.values())


@dataclass(frozen=True)
class Blend(Method):
    """The product of a walk, proximity, coupling and names."""

    name = "blend"
    scored = "about how likely people are to list this page as related; comparable across graphs"
    percent = True
    compares = True
    weighs = True
    symmetric = True

    parents: int = parents_option()
    compare_names: bool = option(
        True, "on a single site, also compare the names of pages", formerly=("names",)
    )
    text: str = option(
        "auto",
        "on a single site, also compare the texts of pages; auto: if the graph has them (--text)",
        choices=("auto", "on", "off"),
    )

    def find(self, question: Question) -> Candidates:
        store = question.store
        stopless = replace(question, stop=question.stop[:0]) if len(question.stop) else question
        vicinity = gather(stopless, self.parents, FORMULA)
        if (index := self._text_of(question)) is not None:
            vicinity.add_text(index)
        pages = vicinity.pages
        if not len(pages):
            return Candidates.nothing(nothing_near(question))
        names = self.compare_names and not vicinity.many_sites
        factors = FORMULA.factors(vicinity, names=names)
        explained: list[int] = []
        candidates = Candidates(
            pages,
            strength(product(factors), kind_of(factors)),
            vicinity_pages=1 + len(pages),
            vicinity_links=vicinity.read,
            notes=() if store.ordered or not len(vicinity.parents) else (UNORDERED,),
            details=dict(zip(PARTS, vicinity.counts, strict=True)),
            evidence=BlendEvidence(vicinity, factors, FORMULA, explained),
            explained=explained,
        )
        allowed = question.answerable(pages) if len(question.stop) or question.away else None
        return candidates if allowed is None else candidates.only(allowed)

    def _text_of(self, question: Question) -> TextIndex | None:
        """The texts to compare, if any."""
        store = question.store
        if self.text == "off" or question.sites is not None:
            return None
        return require_text_index(store, "text=on") if self.text == "on" else store.texts

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """The similarity of the page with each of the others."""
        return similarities(question, others)


@dataclass(slots=True)
class BlendVicinity:
    """The distinct pages that the parts found for a question, with their parts and degrees."""

    question: Question
    parents: NDArray[uint32]
    children: NDArray[uint32]
    pages: NDArray[uint32]
    parts: NDArray[float64]
    in_degrees: NDArray[int64]
    penalized: NDArray[float64]  # shares of query pages on its site, and linked to one way
    counts: list[int]
    read: int
    name_similarity: NDArray[float64] | None = None
    text_similarity: NDArray[float64] | None = None

    @property
    def many_sites(self) -> bool:
        return self.question.sites is not None

    def outside(self) -> NDArray[bool_]:
        """Which pages are outside the graph's site: unread and on another host."""
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

    def subtract(self, other: BlendVicinity) -> None:
        """Subtract the parts of the pages to move away from; drop pages without any part left."""
        subtract_parts(self.pages, self.parts, other.pages, other.parts, self.question.away_share)
        kept = self.parts.any(axis=0)
        self.pages, self.in_degrees = self.pages[kept], self.in_degrees[kept]
        self.parts, self.penalized = self.parts[:, kept], self.penalized[:, kept]
        self.read += other.read

    def add_text(self, index: TextIndex) -> None:
        """Compare the texts of all pages with the query's, and add the pages among the most similar
        ones that links did not find.
        """
        question = self.question
        query = dict(zip(question.pages, question.shares.tolist(), strict=True))
        if question.away:
            away = question.opposite().shares * question.away_share
            query |= dict(zip(question.away, (-away).tolist(), strict=True))
        similar = index.similar(query, self.pages, TEXT_ADDED)
        unlinked = np.zeros((len(PARTS), len(similar.others)))
        self.pages = np.concatenate([self.pages, similar.others])
        self.parts = np.concatenate([self.parts, unlinked], axis=1)
        self.penalized = np.concatenate([self.penalized, unlinked[: len(self.penalized)]], axis=1)
        in_degrees = question.store.in_degree(similar.others)
        self.in_degrees = np.concatenate([self.in_degrees, np.maximum(in_degrees, 1)])
        self.text_similarity = np.concatenate([similar.known, similar.similarities])

    def compare_names(self, scores: NDArray[float64], limit: int) -> NDArray[float64]:
        """The similarity of the query's names to the names of the best pages."""
        whole = np.array([0, len(self.pages)], np.int64)
        first = kernels.best_pages.best(whole, self.pages, scores, limit)
        self.name_similarity = np.zeros(len(self.pages))
        shares = self.question.shares.tolist()
        for page, share in zip(self.question.pages, shares, strict=True):
            listed = np.append(np.uint32(page), self.pages[first])
            keys = self.question.store.names.table.get_many(listed)
            self.name_similarity[first] += share * kernels.name_similarity.cosines(*keys)[1:]
        return self.name_similarity


def gather(question: Question, max_parents: int, formula: BlendFormula) -> BlendVicinity:
    """Compute the three parts in one pass."""
    store, shares = question.store, question.shares
    parents, near_shares = gather_parents(question, shares, max_parents)
    children, child_shares = gather_children(question, shares, formula.children, formula.reads)
    if question.sites is not None and len(parents) > 1:
        parents = parents[question.sites[parents].argsort(kind="stable")]
    pages, parts, in_degrees, counts, read = kernels.blend.parts(
        scratch_of(kernels.blend.Scratch),
        store.links,
        np.array(question.pages, np.uint32),
        shares,
        parents=parents,
        near_shares=near_shares,
        sites=parents[:0] if question.sites is None else question.sites,
        children=children,
        child_shares=child_shares,
        restart=formula.restart,
        error=formula.error,
        walk_power=formula.walk_power,
        distance_power=formula.distance_power if store.ordered else 0.0,
    )
    vicinity = BlendVicinity(
        question, parents, children, pages, parts[:3], in_degrees, parts[3:], counts, read
    )
    if question.away:
        vicinity.subtract(gather(question.opposite(), max_parents, formula))
    return vicinity


def kind_of(factors: Collection[str]) -> str:
    """The kind of strength, by the factors of the scores."""
    return next((kind for kind in (TEXT, NAMES) if kind in factors), "links")


def strength(scores: NDArray[float64], kind: str) -> NDArray[float64]:
    """Scores between 0 and 1, in the same order, comparable across pages and graphs."""
    odds = scores / EVEN[kind]
    odds **= STEEPNESS[kind]
    odds /= 1 + odds
    return odds
