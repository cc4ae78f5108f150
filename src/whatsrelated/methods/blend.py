"""Blend: four methods, each where it is strong.  The default.

No method is best everywhere: what people list under "See also" is found by
proximity and walking, pages of one topic by what they link to, links at the
edge of a crawl by peers.  For a page u:

1. ask walk, cpa, coupling and peers, and scale each one's scores s:
   W = s / max,  C = t / (max + 1) with t = s / in-degree ** 0.4,
   K = t / (max + 0.3) with t = s * sqrt(out-degree / (out-degree + 4)),  Q = s / max;
   what is added keeps one shared parent or child from counting as much as fifty,
   and a page of a single link from being wholly like another;
2. see what is around: of the pages that the walk found, which share has links
   of its own?  Below 0.85 it is the edge of a crawl, where most pages were seen
   but never read; from 0.95 on the graph is whole.  A whole graph has link order
   or not, since proximity says much with it and little without.  So there are
   three kinds, each with its weights (`KINDS`), mixed between 0.85 and 0.95;
3. add up what the parts say, cpa times sqrt(parents of u / 8), at most 3, and
   coupling times children of u / 8, at most 4, for the more of them, the better
   they know; and with coupling's, what cpa and coupling both say, sqrt(C K);
4. multiply by a small power of each part, so that a page which all of them know
   goes before one that a single one praises; by in-degree ** (a - b ln in-degree),
   for people point to what is known, but not to what is known to everyone; and by
   a discount for pages that u links to already and that do not link back;
5. peers and that discount count for children of u / 4, at most 1;
6. where a graph has many sites, a page of u's own site counts a fiftieth, one
   that links to u but is named nowhere beside it three tenths: who asks for what
   is related to a newspaper asks neither for its sections nor for lists of papers.

The numbers were settled on the graphs of docs/evaluation.md, all of them
together, and are not options.

Cost: that of its four parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.answer import Found
from whatsrelated.methods import Method
from whatsrelated.methods.coupling import Coupling
from whatsrelated.methods.cpa import Cpa
from whatsrelated.methods.peers import Peers
from whatsrelated.methods.walk import Walk
from whatsrelated.vicinity import scratch_of

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.vicinity import Question

PARTS: tuple[Method, ...] = (Walk(), Cpa(), Coupling(), Peers())
EDGE, WHOLE = 0.85, 0.95
"""The shares of pages with links of their own up to which, and from which on, a graph is such."""
POPULAR = 0.4
"""The power of the in-degree that the score of cpa is divided by."""
FEW_LINKS = 4
"""What is added to the out-degree under the root that the score of coupling is divided by."""
DOUBTS = (0.0, 1.0, 0.3, 0.0)
"""What is added to the largest score of each part before it divides."""
LEAST = (0.0025, 0.05, 0.03, 0.03)
"""What is added to the score of each part before it is raised to a power."""
OWN_SITE = 0.02
"""What is left of the score of a page on the query's own site, where there are many sites."""
POINTING = 0.3
"""What is left of that of a page that links to the query and that cpa does not know, there."""


@dataclass(frozen=True)
class Kind:
    """What counts how much in one kind of graph."""

    added: tuple[float, ...]
    """The weights of walk, cpa, coupling, peers, and of cpa and coupling together."""
    powers: tuple[float, ...]
    """The powers of walk, cpa, coupling and peers."""
    known: tuple[float, float]
    """In-degree ** (a - b * ln in-degree): a and b."""
    linked: float
    """What is left of the score of a page that the query links to, and that does not link back."""


KINDS = {
    "edge": Kind((0.65, 1.5, 0.05, 2.5, 0.0), (0.15, 0.14, 0.1, 0.43), (0.1, 0.0), 0.14),
    "ordered": Kind((0.8, 0.75, 0.85, 0.25, 1.0), (0.27, 0.1, 0.13, 0.08), (0.22, 0.03), 0.82),
    "unordered": Kind((0.8, 0.2, 0.05, 0.9, 0.75), (0.05, 0.2, 0.05, 0.1), (-0.1, 0.0), 0.3),
}


@dataclass(frozen=True)
class Blend(Method):
    """Four methods, each where it is strong."""

    name: ClassVar[str] = "blend"

    def find(self, question: Question) -> Found:
        everything = replace(question, stop=question.stop[:0])
        founds = [part.find(everything) for part in PARTS]
        if not any(map(len, founds)):
            return Found.nothing(founds[0].reason)
        pages, columns = scaled(question, founds)
        kind = kind_around(question, founds[0].pages)
        shares = weights_of(question, kind)[:, None] * with_agreement(columns)
        scores = shares.sum(axis=0) * factors(question, kind, pages, columns)
        kept = question.answerable(pages) & (scores > 0)
        place_of = {number: place for place, number in enumerate(pages.tolist())}
        return Found(
            pages[kept],
            scores[kept],
            vicinity_pages=1 + len(pages),
            vicinity_links=sum(found.vicinity_links for found in founds),
            notes=tuple(note for found in founds for note in found.notes),
            details={part.name: len(found) for part, found in zip(PARTS, founds, strict=True)},
            evidence=lambda other: _evidence(founds, shares[:, place_of[other]], other),
        )


def scaled(question: Question, founds: list[Found]) -> tuple[NDArray[uint32], NDArray[float64]]:
    """Every page that a part found, and each part's scores between 0 and 1."""
    pages, columns = side_by_side(founds)
    on_pages = columns[1] > 0
    columns[1, on_pages] /= question.store.in_degree(pages[on_pages]) ** POPULAR
    linking = question.store.out_degree(pages)
    columns[2] *= np.sqrt(linking / (linking + FEW_LINKS))
    for column, doubt in zip(columns, DOUBTS, strict=True):
        column /= max(column.max() + doubt, 1e-300)
    return pages, columns


def side_by_side(founds: list[Found]) -> tuple[NDArray[uint32], NDArray[float64]]:
    """Every page that a part found, and a row of scores for each part, 0 where it has none."""
    pages, where = kernels.sums.places(
        scratch_of("sums"), np.concatenate([found.pages for found in founds])
    )
    columns = np.zeros((len(founds), len(pages)))
    begin = 0
    for column, found in zip(columns, founds, strict=True):
        column[where[begin : begin + len(found)]] = found.scores
        begin += len(found)
    return pages, columns


def with_agreement(columns: NDArray[float64]) -> NDArray[float64]:
    """The parts, and what cpa and coupling say together."""
    return np.vstack([columns, np.sqrt(columns[1] * columns[2])])


def kind_around(question: Question, walked: NDArray[uint32]) -> Kind:
    """The kind of graph that a page stands in, by the pages that the walk found."""
    store = question.store
    read = np.count_nonzero(store.out_degree(walked)) / max(len(walked), 1)
    whole = float(min(max((read - EDGE) / (WHOLE - EDGE), 0.0), 1.0))
    one, other = KINDS["edge"], KINDS["ordered" if store.ordered else "unordered"]

    def mixed(a: Any, b: Any) -> Any:
        return (1 - whole) * np.array(a) + whole * np.array(b)

    return Kind(
        mixed(one.added, other.added),
        mixed(one.powers, other.powers),
        mixed(one.known, other.known),
        float(np.exp(mixed(np.log(one.linked), np.log(other.linked)))),
    )


def weights_of(question: Question, kind: Kind) -> NDArray[float64]:
    """How much the parts and the agreement count for this page."""
    store, page = question.store, question.page
    parents = min((len(store.links_to(page)) / 8) ** 0.5, 3.0)
    children = min(len(store.links_from(page)) / 8, 4.0)
    return np.array([1, parents, children, few(question), children]) * kind.added


def few(question: Question) -> float:
    """How much the page's own links say: less where there are not even four."""
    return min(len(question.store.links_from(question.page)) / 4, 1.0)


def factors(
    question: Question, kind: Kind, pages: NDArray[uint32], columns: NDArray[float64]
) -> NDArray[float64]:
    """What the sum is multiplied by: the powers, what is known, what is linked or near already."""
    store, page = question.store, question.page
    powers = np.array(kind.powers) * [1, 1, 1, few(question)]
    known = np.log(np.maximum(store.in_degree(pages), 1))
    logs = powers @ np.log(columns + np.array(LEAST)[:, None])
    logs += known * (kind.known[0] - kind.known[1] * known)
    linked, pointing = (np.isin(pages, links(page)) for links in (store.links_from, store.links_to))
    logs[linked & ~pointing] += np.log(kind.linked) * few(question)
    factor: NDArray[float64] = np.exp(logs)
    if question.sites is not None:
        factor[question.sites[pages] == question.sites[page]] *= OWN_SITE
        factor[pointing & (columns[1] == 0)] *= POINTING
    return factor


def _evidence(founds: list[Found], shares: NDArray[float64], other: int) -> dict[str, Any]:
    """What each part gave, the one that gave most first; agreement goes half to each."""
    given = shares[:4].copy()
    given[1:3] += shares[4] / 2
    total = float(given.sum())
    parts = [
        {**founds[i].evidence(other), "by": PARTS[i].name, "share": float(given[i]) / total}
        for i in np.argsort(-given, kind="stable").tolist()
        if given[i] > 0
    ]
    said = [part["sentence"] for part in parts if part["share"] >= parts[0]["share"] / 2]
    return {"sentence": " ".join(said), "parts": parts}
