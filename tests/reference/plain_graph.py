"""A graph as a dict of lists, with the notions that every algorithm reads.

Pages, links, order, sites, samples, windows, near-duplicates and stop lists,
each as ALGORITHMS.md words it.  A page is its name throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from whatsrelated.names.keys import sort_key

Links = Mapping[str, Sequence[str]]
Scores = dict[str, float]
NONE: frozenset[str] = frozenset()


def half(url: str, seed: int) -> float:
    """A draw for tests without the product: always the middle."""
    return 0.5


class PlainGraph:
    """Names and their links in page order; `key` puts the names in page order."""

    def __init__(
        self,
        links: Links,
        key: Callable[[str], object] = sort_key,
        *,
        ordered: bool = True,
        draw: Callable[[str, int], float] = half,
    ) -> None:
        names = set(links)
        self.read = frozenset(links)
        for targets in links.values():
            names.update(targets)
        self.pages: list[str] = sorted(names, key=key)  # type: ignore[arg-type]
        self.number = {page: i for i, page in enumerate(self.pages)}
        self.links: dict[str, list[str]] = {page: [] for page in self.pages}
        for page, targets in links.items():
            for target in targets:
                if target != page and target not in self.links[page]:
                    self.links[page].append(target)
        self.parents: dict[str, list[str]] = {page: [] for page in self.pages}
        for page in self.pages:
            for target in self.links[page]:
                self.parents[target].append(page)
        for page in self.pages:
            self.parents[page].sort(key=lambda p: (-self.in_degree(p), self.number[p]))
        self.ordered = ordered
        self.draw = draw

    def in_degree(self, page: str) -> int:
        return len(self.parents[page])

    def out_degree(self, page: str) -> int:
        return len(self.links[page])

    # Sites

    def auto_site(self) -> str:
        """`page` inside one domain or among plain names, else `host`."""
        linking = [page for page in self.pages if self.links[page]]
        plain = sum(1 for page in linking if "://" not in page)
        domains = [domain(page) for page in linking if "://" in page]
        largest = max((domains.count(d) for d in set(domains)), default=0)
        return "page" if linking and plain + largest >= 0.95 * len(linking) else "host"

    def site_for(self, queries: Iterable[str], site: str = "auto") -> Callable[[str], str]:
        """The function page -> site for a question about these pages."""
        if site == "auto":
            site = self.auto_site()
            if site == "host" and all(
                host(near) == host(query)
                for query in queries
                for near in self.parents[query] + self.links[query]
            ):
                site = "page"
        return SITES[site]

    # Parents, children, windows

    def stop_pages(self, stop: Iterable[str], queries: Iterable[str]) -> frozenset[str]:
        """The stop list of a question: empty if a query page is on it."""
        listed = frozenset(stop)
        return NONE if any(query in listed for query in queries) else listed

    def most_linked(self, count: int, site: str = "page") -> frozenset[str]:
        """`auto:N`: the N pages linked from the most sites."""
        site_of = SITES[site]
        sites = {page: len({site_of(p) for p in self.parents[page]}) for page in self.pages}
        ranked = sorted(self.pages, key=lambda page: (-sites[page], self.number[page]))
        return frozenset(ranked[:count])

    def sampled_parents(
        self, page: str, most: int, seed: int = 0, stop: frozenset[str] = NONE
    ) -> list[str]:
        """Up to `most` parents: all of them, or a seeded even sample."""
        listed = [parent for parent in self.parents[page] if parent not in stop]
        n = len(listed)
        if n <= most:
            return listed
        u = self.draw(page, seed)
        return [listed[int((i + u) * n / most)] for i in range(most)]

    def best_parents(
        self, page: str, most: int, apart: Iterable[str] = (), stop: frozenset[str] = NONE
    ) -> list[str]:
        """The `most` parents with the highest in-degree, without those set `apart`."""
        left = set(apart) | stop
        return [parent for parent in self.parents[page] if parent not in left][:most]

    def first_children(self, page: str, most: int, stop: frozenset[str] = NONE) -> list[str]:
        """The first `most` links; stop pages keep their places and are then dropped."""
        return [child for child in self.links[page][:most] if child not in stop]

    def window(self, parent: str, page: str, size: int, stop: frozenset[str] = NONE) -> list[str]:
        """The links around the parent's link to the page."""
        links = self.links[parent]
        if len(links) <= size + 1:
            near = [link for link in links if link != page]
        else:
            at, side = links.index(page), size // 2
            near = links[max(0, at - side) : at] + links[at + 1 : at + 1 + side]
        return [link for link in near if link not in stop]

    # Near-duplicates

    def near_duplicates(self, a: str, b: str, least: int = 10, share: float = 0.95) -> bool:
        if len(self.links[a]) <= least or len(self.links[b]) <= least:
            return False
        one, two = set(self.links[a]), set(self.links[b])
        return len(one & two) >= Fraction(str(share)) * max(len(one), len(two))

    def merged(
        self, pages: Iterable[str], related: Callable[[str, str], bool]
    ) -> list[frozenset[str]]:
        """The classes of the pages under the transitive closure of `related`."""
        classes: list[set[str]] = []
        for page in dict.fromkeys(pages):
            near = [c for c in classes if any(related(page, other) for other in c)]
            classes = [c for c in classes if c not in near]
            classes.append({page}.union(*near))
        return [frozenset(c) for c in classes]

    # Order

    def ordered_list(self, scores: Scores, *ties: Mapping[str, float]) -> list[str]:
        """Best first: the score to nine decimals, the ties, in-degree, page number."""
        largest = max(scores.values(), default=0)

        def place(page: str) -> tuple[float, ...]:
            score = round(scores[page] / largest, 9) if largest > 0 else scores[page]
            return (
                -score,
                *(-tie[page] for tie in ties),
                self.in_degree(page),
                self.number[page],
            )

        return sorted(scores, key=place)


class Setting:
    """What every method gets besides its own options: the sites, the seed, the stop list."""

    def __init__(
        self,
        graph: PlainGraph,
        queries: Sequence[str],
        site: str = "auto",
        seed: int = 0,
        stop: frozenset[str] = NONE,
    ) -> None:
        self.graph = graph
        self.seed = seed
        self.stop = graph.stop_pages(stop, queries)
        self.site_of = graph.site_for(queries, site)

    def parents(self, page: str, most: int) -> list[str]:
        return self.graph.sampled_parents(page, most, self.seed, self.stop)

    def window(self, parent: str, page: str, size: int) -> list[str]:
        return self.graph.window(parent, page, size, self.stop)


def host(page: str) -> str:
    """The host with its port; a plain name is its own."""
    return urlsplit(page).netloc.lower() if "://" in page else page


def domain(page: str) -> str:
    """The registrable domain; addresses, single labels and plain names are their own."""
    if "://" not in page:
        return page
    name = urlsplit(page).hostname or ""
    if "." not in name or name.replace(".", "").isdigit() or ":" in name:
        return name
    return _registrable(name)


@cache
def _registrable(name: str) -> str:
    return _suffixes().privatesuffix(name) or name


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def page(page: str) -> str:
    """Every page its own site."""
    return page


SITES: dict[str, Callable[[str], str]] = {"host": host, "domain": domain, "page": page}
