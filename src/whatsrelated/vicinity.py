"""The neighbourhood of a page: what every method reads before it thinks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import bool_, float64, int64, uint8, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


QUERY, PARENT, SIBLING, CHILD, COPARENT = 1, 2, 4, 8, 16
"""The roles in which a page came into a vicinity, added up where there are several."""

NEAR_DUPLICATE = (10, 95, 100)
"""More than 10 links each, and 95 of 100 of the longer list in both (DH99, sec. 2.1.2)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a method: the pages, and what every method is told.

    `sites` has the site number of every page, None where each page is its own
    site.  `stop` are the stop pages, ascending.  `rank` gives a global rank of
    the graph, kept or computed.  `deadline` is a `time.monotonic()`, or None.
    """

    store: Store
    pages: tuple[int, ...]
    sites: NDArray[uint32] | None
    stop: NDArray[uint32]
    seed: int = 0
    rank: Callable[..., Any] | None = None
    deadline: float | None = None

    @property
    def page(self) -> int:
        """The query page of a method that is asked for one at a time."""
        return self.pages[0]

    def without_stop(self, pages: NDArray[uint32]) -> NDArray[uint32]:
        """The pages that are not on the stop list, in their order."""
        return pages[~np.isin(pages, self.stop)] if len(self.stop) else pages

    def answerable(self, pages: NDArray[uint32]) -> NDArray[bool_]:
        """Which of the pages may be results: no query page, no stop page."""
        kept = np.ones(len(pages), np.bool_)
        for page in self.pages:
            kept &= pages != page
        if len(self.stop):
            kept &= ~np.isin(pages, self.stop)
        return kept

    def parents(self, page: int, most: int) -> NDArray[uint32]:
        """The parents of a page, stop pages left out; a sample where there are more than `most`."""
        parents = self.without_stop(self.store.links_to(page))
        if len(parents) <= most:
            return parents
        return sample(parents, most, draw(self.store.url(page), self.seed))


def draw(url: str, seed: int) -> float:
    """A number in [0, 1) that depends on the seed and the URL alone, in steps of 2**-32."""
    hashed = hashlib.blake2b(f"{seed}\n{url}".encode("utf-8", "surrogatepass"), digest_size=4)
    return int.from_bytes(hashed.digest(), "big") / 2**32


def sample(pages: NDArray[uint32], most: int, start: float) -> NDArray[uint32]:
    """`most` of the pages, evenly spread: those at floor((i + start) * n / most)."""
    count = len(pages)
    if count <= most:
        return pages
    places = np.floor((np.arange(most) + start) * count / most).astype(np.int64)
    return pages[places]


def distinct(*lists: NDArray[uint32]) -> int:
    """How many different pages there are in the lists."""
    return len(kernels.sums.places(scratch_of("sums"), np.concatenate(lists))[0])


_threads = threading.local()


def scratch_of(kernel: str, kind: str = "Scratch") -> Any:
    """This thread's scratch memory for a kernel module."""
    held: dict[tuple[str, str], Any] = _threads.__dict__.setdefault("held", {})
    if (kernel, kind) not in held:
        held[kernel, kind] = getattr(getattr(kernels, kernel), kind)()
    return held[kernel, kind]


class Gathering:
    """Collects the pages around a question, each with the roles in which it came.

    Stop pages stay out.  The memory is the thread's: one gathering at a time.
    """

    def __init__(self, question: Question, expected: int) -> None:
        self.question = question
        self.store = question.store
        self.held = scratch_of("vicinity", "Vicinity")
        self.held.clear(min(expected, self.store.n_pages))

    def add(self, pages: NDArray[uint32], role: int) -> None:
        self.held.add(pages, role, self.question.stop)

    def add_windows(self, page: int, parents: NDArray[uint32], width: int | str) -> None:
        """What the parents link to around their link to the page, as its siblings."""
        links = -1 if width == "all" else int(width)
        self.held.add_windows(
            self.store.out_offsets,
            self.store.out_links,
            page,
            parents,
            links,
            SIBLING,
            self.question.stop,
        )

    def add_best_parents(self, pages: NDArray[uint32], most: int) -> None:
        """Of each page, the parents with the highest in-degree."""
        self.held.add_best_parents(
            self.store.in_offsets,
            self.store.in_links,
            pages,
            most,
            COPARENT,
            self.question.stop,
            np.empty(0, np.uint32),
        )

    def vicinity(self) -> Vicinity:
        """The pages, and the links between those on different sites."""
        pages, roles = self.held.members()
        numbers, starts, targets = self.held.graph(
            self.store.out_offsets, self.store.out_links, self.question.sites
        )
        names = np.arange(len(pages), dtype=np.uint32)
        return Vicinity(self.question, pages, roles, numbers, names, starts, targets)


@dataclass(frozen=True, slots=True)
class Vicinity:
    """A small graph around a question.  A page is known by its place in `pages`.

    The links of place p are targets[starts[p]:starts[p + 1]].  `sites` numbers
    the sites, None where every page is one.  `names` has, for each place, that
    of the page that stands for it after merging near-duplicates (DH99, sec. 2.1.2):
    a query page names those it is among, else the one with the highest in-degree;
    a name has the links of all, one to each other name, none within a site.
    """

    question: Question
    pages: NDArray[uint32]
    roles: NDArray[uint8]
    sites: NDArray[uint32] | None
    names: NDArray[uint32]
    starts: NDArray[int64]
    targets: NDArray[uint32]

    def edge_weights(self) -> tuple[NDArray[float64], NDArray[float64]]:
        """The authority and the hub weight of every link (BH98)."""
        if self.sites is None:
            ones = np.ones(len(self.targets))
            return ones, ones
        weights: tuple[NDArray[float64], NDArray[float64]] = kernels.authorities.edge_weights(
            self.starts, self.targets, self.sites
        )
        return weights

    def links_to(self, place: int) -> NDArray[int64]:
        """Where in `targets` the links to a place stand."""
        return np.flatnonzero(self.targets == place)

    def sources(self, links: NDArray[int64]) -> NDArray[int64]:
        """The places that these links come from."""
        return np.searchsorted(self.starts, links, side="right").astype(np.int64) - 1


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a page source: candidates, and which neighbours of the query they share.

    Back: siblings of u, and the parents of u that link to them.  Forward: other
    parents of u's children, and the children of u that they link to.  Neighbours
    that are on one site or near-duplicates are one; `members` has the number of
    each.  Candidate places[i] shares neighbour numbers[i]: each pair once.
    """

    pages: NDArray[uint32]
    neighbours: NDArray[uint32]
    members: NDArray[uint32]
    places: NDArray[uint32]
    numbers: NDArray[uint32]

    @property
    def width(self) -> int:
        """How many neighbours there are after merging."""
        return int(self.members.max()) + 1 if len(self.members) else 0

    def degrees(self) -> NDArray[int64]:
        """How many neighbours each candidate shares (HZ03's b and f)."""
        return np.bincount(self.places, minlength=len(self.pages))

    def shared(self, place: int) -> NDArray[uint32]:
        """The numbers of the neighbours that one candidate shares."""
        shared: NDArray[uint32] = self.numbers[self.places == place]
        return shared


def back_half(question: Question, parents: int, siblings: int) -> Half:
    """The siblings of the query and its parents, merged (HZ03, sec. 2.2: BS and P_u)."""
    store, page = question.store, question.page
    sampled = question.parents(page, parents)
    around = Gathering(question, len(sampled) * min(siblings, 64))
    around.add_windows(page, sampled, siblings)
    return _half(around, sampled, store.out_offsets, store.out_links)


def forward_half(question: Question, children: int, coparents: int) -> Half:
    """Who else links to the query's children, and these, merged (HZ03, sec. 2.2: FS and C_u)."""
    store, page = question.store, question.page
    first = question.without_stop(store.links_from(page)[:children])
    around = Gathering(question, len(first) * coparents)
    for child in first.tolist():
        candidates = question.without_stop(store.links_to(child))
        around.add(
            kernels.duplicates.unlike(
                store.out_offsets,
                store.out_links,
                question.sites,
                page,
                candidates,
                coparents,
                *NEAR_DUPLICATE,
            ),
            COPARENT,
        )
    pages, _ = around.held.members()
    if store.in_degree(first).sum() <= store.out_degree(pages).sum():
        return _half(around, first, store.in_offsets, store.in_links)
    # A child that all the world links to: read the links of the few that were gathered.
    members = merged_by_site(question, first)
    beside = Gathering(question, len(first))
    beside.add(first, CHILD)
    own = np.arange(len(pages), dtype=np.uint32)
    places, numbers = beside.held.crossings(store.out_offsets, store.out_links, pages, own, members)
    return Half(pages, first, members, places, numbers)


def _half(
    around: Gathering,
    neighbours: NDArray[uint32],
    offsets: NDArray[uint64],
    links: NDArray[uint32],
) -> Half:
    """What was gathered, and where it stands in the neighbours' lists of links."""
    pages, _ = around.held.members()
    members = merged_by_site(around.question, neighbours)
    together = np.argsort(members, kind="stable")
    numbers, places = around.held.crossings(
        offsets, links, neighbours[together], members[together], None
    )
    return Half(pages, neighbours, members, places, numbers)


def merged_by_site(question: Question, pages: NDArray[uint32]) -> NDArray[uint32]:
    """A number from 0 for each page, the same for pages of one site and near-duplicates.

    Transitive: a site whose page has a near-duplicate is one with that one's site.
    """
    groups = near_duplicates(question.store, pages).astype(np.int64)
    if question.sites is not None:
        _, sites = np.unique(question.sites[pages], return_inverse=True)
        joined = np.arange(sites.max(initial=-1) + 1)
        for one, other in np.unique(np.stack([sites, sites[groups]]), axis=1).T.tolist():
            if joined[one] != joined[other]:
                joined[joined == joined[one]] = joined[other]
        groups = joined[sites]
    return np.unique(groups, return_inverse=True)[1].astype(np.uint32)


def near_duplicates(store: Store, pages: NDArray[uint32]) -> NDArray[uint32]:
    """For each of the pages, the place of the first of its near-duplicates; its own if none.

    Transitive: whoever is a near-duplicate of a near-duplicate is of the group.
    """
    groups: NDArray[uint32] = kernels.duplicates.near_duplicates(
        store.out_offsets, store.out_links, pages, *NEAR_DUPLICATE
    )
    return groups


def linking(store: Store, pages: NDArray[uint32], target: int) -> NDArray[uint32]:
    """Those of the pages that link to a target, at the cost of reading their links."""
    held = scratch_of("vicinity", "Vicinity")
    held.clear(1)
    held.add(np.array([target], np.uint32), SIBLING, np.empty(0, np.uint32))
    numbers = np.arange(len(pages), dtype=np.uint32)
    found, _ = held.crossings(store.out_offsets, store.out_links, pages, numbers, None)
    linking_pages: NDArray[uint32] = pages[found]
    return linking_pages


def shared_parents(
    store: Store, parents: NDArray[uint32], page: int, other: int, shown: int
) -> tuple[int, list[dict[str, Any]]]:
    """How many of the parents of a page link to the other too, and the most specific of them.

    Fewest links first, then page number; with each, its number of links, and how
    far the second link stands after the first.
    """
    sharing = linking(store, parents, other)
    first = np.lexsort((sharing, store.out_degree(sharing)))[:shown]
    listed = []
    for parent in sharing[first].tolist():
        links = store.links_from(parent)
        distance = int(np.argmax(links == other)) - int(np.argmax(links == page))
        listed.append({"url": store.url(parent), "links": len(links), "distance": distance})
    return len(sharing), listed
