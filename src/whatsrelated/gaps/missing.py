"""Missing links: what pages like a page link to, and it does not, over a whole site.

For each page u that is no hub (see structure):

1. its peers are the 100 pages that link most like it, each with a weight, as in the
   method peers;
2. of a page v that u does not link to, m is the weight of the peers that link to v, of M
   of all peers; p is v's place in the list of the method peers, 100 at most; a is the weight
   of v itself as a peer; r is 1 where v links to u, else 0;
3. z = ln(m + 0.01) - 0.5 ln(M + 1) + 0.75 r + 0.25 ln(a + 0.05) - ln(p + 1);
4. the score is 1 / (1 + exp(-(1.36 + 2 z))): of links with a score of 0.7, seven in ten
   were true ones where links had been taken away.

What peers say of one page compares with what they say of another only so far: m grows with
the number of links that u has, and m / M is 1 where there is a single peer; so M is taken
to a power between the two.  That v links to u is a sign, and so is that v links alike; by
its place the first suggestion for a page comes before the third for another.  The four
numbers of z were chosen by leaving out each site in turn, the two of the score fitted
after that (docs/gaps.md).

Cost: that of one question to peers for each page.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.gaps.findings import MissingLink
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.methods.coupling import coupled, rarest_children
from whatsrelated.methods.peers import POPULAR, Peers
from whatsrelated.query.question import Question
from whatsrelated.vicinity.wording import quote_page, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy import bool_, float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.gaps.structure import Site
    from whatsrelated.stream import Progress

PEERS = Peers()
MOST_PLACES = 12
"""How many pages of a list are looked at, besides those that link back."""
EXAMPLES = 3
TOTAL, BACK, ALIKE, PLACE = 0.5, 0.75, 0.25, 1.0
LAST_PLACE = 100
LEVEL, SLOPE = 1.36, 2.0


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The pages that one page may be missing, with what is known of each."""

    targets: NDArray[uint32]
    mass: NDArray[float64]
    total: float
    peers: NDArray[uint32]
    places: NDArray[int64]
    alike: NDArray[float64]
    back: NDArray[bool_]

    def scores(self) -> NDArray[float64]:
        """How likely each is a link that is missing."""
        z = (
            np.log(self.mass + 0.01)
            - TOTAL * np.log(self.total + 1)
            + BACK * self.back
            + ALIKE * np.log(self.alike + 0.05)
            - PLACE * np.log(np.minimum(self.places, LAST_PLACE) + 1)
        )
        return np.asarray(1 / (1 + np.exp(-(LEVEL + SLOPE * z))))


def suggest(site: Site, page: int, is_target: NDArray[bool_]) -> Suggestions | None:
    """What a page may be missing; None where nothing speaks for any page."""
    store = site.store
    question = Question.about(store, (page,), site="page")
    children = rarest_children(question, PEERS.children, PEERS.reads)
    rarity = 1 / np.sqrt(store.in_degree(children))
    alike, weights, _ = coupled(question, children, rarity)
    best = np.lexsort((alike, -weights))[: PEERS.peers]
    peers, strength = alike[best], weights[best]
    scratch = scratch_of(kernels.sums.Scratch)
    pages, mass, _ = kernels.sums.weighted_sums(
        scratch, store.links, peers, strength, backward=False
    )
    linked = store.links_from(page)
    candidate = site.is_page[pages] & (pages != page) & ~np.isin(pages, linked)
    pages, mass = pages[candidate], mass[candidate]
    order = np.lexsort((pages, -mass / store.in_degree(pages) ** POPULAR))
    parents = np.sort(store.links_to(page))
    parents = parents[is_target[parents] & ~np.isin(parents, linked)]
    places = np.flatnonzero(is_target[pages[order]])
    wanted = places[(np.arange(len(places)) < MOST_PLACES) | np.isin(pages[order][places], parents)]
    known = order[wanted]
    others = parents[~np.isin(parents, pages)]
    targets = np.concatenate([pages[known], others])
    if not len(targets):
        return None
    return Suggestions(
        targets,
        np.concatenate([mass[known], np.zeros(len(others))]),
        float(strength.sum()),
        peers,
        np.concatenate([wanted + 1, np.full(len(others), LAST_PLACE)]),
        _values_of(targets, alike, weights),
        np.isin(targets, parents),
    )


def _values_of(
    pages: NDArray[uint32], known: NDArray[uint32], values: NDArray[float64]
) -> NDArray[float64]:
    """The value of each page, 0 where it is not among those that have one."""
    if not len(known):
        return np.zeros(len(pages))
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], pages), len(known) - 1)
    return np.where(known[order][at] == pages, values[order][at], 0.0)


def missing_links(
    site: Site,
    sources: Iterable[int],
    is_target: NDArray[bool_],
    progress: Progress | None = None,
) -> Iterator[tuple[float, int, int]]:
    """The score, the page and the page to link to, of all that these may be missing, in order."""
    asked = list(sources)
    ranked: list[tuple[float, int, int]] = []
    for done, page in enumerate(asked):
        if progress is not None:
            progress("looking for missing links", done, len(asked))
        found = suggest(site, page, is_target)
        if found is not None:
            scores = np.round(found.scores(), 9).tolist()
            ranked += zip(scores, repeat(page), found.targets.tolist())
    return iter(sorted(ranked, key=lambda one: (-one[0], *one[1:])))


def explain(site: Site, page: int, target: int, score: float) -> MissingLink:
    """A missing link with its reason."""
    store = site.store
    found = suggest(site, page, np.arange(store.n_pages) == target)
    assert found is not None, "what was suggested once is suggested again"
    linking = found.peers[np.isin(found.peers, store.links_to(target))]
    linking = linking[np.argsort(site.is_index[linking], kind="stable")]  # an index says least
    back = bool(found.back[0])
    reasons = []
    if len(linking):
        reasons.append(
            _who_links(len(linking), len(found.peers), quote_page(store, int(linking[0])))
        )
    if back:
        reasons.append("that page links here")
    return MissingLink(
        store.url(page),
        store.title(page),
        store.url(target),
        store.title(target),
        round(score, 4),
        sentence("; ".join(reasons)),
        len(linking),
        len(found.peers),
        back,
        tuple(store.urls(linking[:EXAMPLES])),
    )


def _who_links(linking: int, peers: int, first: str) -> str:
    if peers == 1:
        return f"the one page that links like it, {first}, links there"
    verb = "links" if linking == 1 else "link"
    return f"{linking:,} of the {peers:,} pages that link most like it {verb} there, e.g. {first}"
