"""A graph as a collection of pages: names, links, sites, and conversions for other packages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.contract.markup import SHARED, render
from whatsrelated.contract.replies import PageSummary
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.graph.facts import facts
from whatsrelated.graph.store import Store
from whatsrelated.machine.packages import load
from whatsrelated.names.hosts import domain_of, host_of
from whatsrelated.query.anchors import texts_of_links

if TYPE_CHECKING:
    from numpy import int64, uint32
    from numpy.typing import NDArray

PIECE = 10_000
"""Number of names read at a time."""


@dataclass(frozen=True, slots=True)
class GraphPage:
    """A page of a graph, with its number, name, title and the names of its neighbours."""

    number: int
    url: str
    title: str | None
    _store: Store = field(repr=False, compare=False)

    @property
    def links(self) -> list[str]:
        """The pages it links to, in page order."""
        return self._store.urls(self._store.links_from(self.number))

    @property
    def parents(self) -> list[str]:
        """The pages that link to it, most linked first."""
        return self._store.urls(self._store.links_to(self.number))

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise OptionError("A page cannot be pickled without its graph; pickle its url.")


class Contents:
    """The pages of a graph by name, and conversions for other packages."""

    store: Store

    def __len__(self) -> int:
        return self.store.n_pages

    @property
    def n_links(self) -> int:
        return self.store.n_links

    def page(self, url: str) -> int:
        """The page with this name, in any of its usual forms."""
        self.store.require_mapped()
        return self.store.page(url)

    def url(self, page: int) -> str:
        return self.store.url(self.require(page, "names.text", "names.blocks"))

    def title(self, page: int) -> str | None:
        return self.store.title(self.require(page, "titles.text", "titles.blocks"))

    def links_from(self, page: int) -> NDArray[uint32]:
        """The pages that a page links to, in page order."""
        return self.store.links_from(self.require(page, "out.offsets", "out.links"))

    def links_to(self, page: int) -> NDArray[uint32]:
        """The pages that link to a page, most linked first."""
        return self.store.links_to(self.require(page, "in.offsets", "in.links"))

    def anchors(self, page: int) -> dict[str, str]:
        """The anchor texts of a page's links, by URL and in page order, if the graph stores them.

        Different texts of links to one URL are joined by " · ".
        """
        page = self.require(page, "anchors.text", "anchors.blocks")
        return texts_of_links(self.store, page)

    def site(self, page: int, by: str = "host") -> str:
        """The host or the registrable domain of a page; a plain name is its own site."""
        name = self.url(page)
        host = host_of(name)
        if host is None or by == "page":
            return name
        return host if by == "host" else domain_of(host)

    def summary(self, page: int) -> PageSummary:
        """A page's name, title and degrees."""
        store = self.store
        store.require_mapped()
        degrees = len(store.links_to(page)), len(store.links_from(page))
        return PageSummary(store.url(page), store.title(page), *degrees)

    def __contains__(self, url: object) -> bool:
        """Whether there is a page with this name, in any of its usual forms."""
        self.store.require_mapped()
        return isinstance(url, str) and self.store.look_up(url) is not None

    def __iter__(self) -> Iterator[str]:
        """The names of all pages, by page number."""
        for low in range(0, self.store.n_pages, PIECE):
            self.store.require_mapped()
            high = min(low + PIECE, self.store.n_pages)
            yield from self.store.urls(np.arange(low, high, dtype=np.uint32))

    def __getitem__(self, page: str | int) -> GraphPage:
        """The page with this name, in any of its usual forms, or with this number."""
        self.store.require_mapped()
        number = self.store.page(page) if isinstance(page, str) else self.require(page)
        return GraphPage(number, self.store.url(number), self.store.title(number), self.store)

    def require(self, page: int, *arrays: str) -> int:
        """The page number, checked: the page must exist, and the files of these arrays must have
        their full length.
        """
        if arrays:
            self.store.require_mapped(*arrays)
        if isinstance(page, bool) or not isinstance(page, int | np.integer):
            raise OptionError(f"A page must be a number here, got {page!r:.80}; see graph.page.")
        if not 0 <= page < self.store.n_pages:
            raise PageNotFound(f"No page number {page} in a graph of {self.store.n_pages:,} pages.")
        return int(page)

    def to_scipy(self) -> Any:
        """The links as a sparse matrix of ones: the entry in row a, column b is 1 if page a links
        to page b.
        """
        csr_array = load("scipy.sparse", "to_scipy").csr_array
        ends = self._links()[1]
        offsets = self.store.out_offsets.astype(np.int64)
        size = (self.store.n_pages, self.store.n_pages)
        matrix = csr_array((np.ones(len(ends), np.int8), ends, offsets), shape=size)
        matrix.sort_indices()
        return matrix

    def to_networkx(self) -> Any:
        """The graph as a networkx.DiGraph of URLs, with a `title` for pages that have one."""
        graph = load("networkx", "to_networkx").DiGraph()
        urls, titles = self._named()
        for url, title in zip(urls, titles, strict=True):
            graph.add_node(url, **({} if title is None else {"title": title}))
        starts, ends = (side.tolist() for side in self._links())
        graph.add_edges_from((urls[a], urls[b]) for a, b in zip(starts, ends, strict=True))
        return graph

    def to_igraph(self) -> Any:
        """The graph as a directed igraph.Graph: vertex i is page i, with `name` and `title`."""
        urls, titles = self._named()
        return load("igraph", "to_igraph").Graph(
            n=self.store.n_pages,
            edges=np.column_stack(self._links()),
            directed=True,
            vertex_attrs={"name": urls, "title": titles},
        )

    def _named(self) -> tuple[list[str], list[str | None]]:
        pages = np.arange(self.store.n_pages, dtype=np.uint32)
        return list(self), self.store.titles(pages)

    def _links(self) -> tuple[NDArray[int64], NDArray[int64]]:
        """All links: their source pages, in page order, and their targets."""
        self.store.require_mapped()
        offsets = self.store.out_offsets.astype(np.int64)
        starts = np.repeat(
            np.arange(self.store.n_pages, dtype=np.int64), offsets[1:] - offsets[:-1]
        )
        return starts, np.asarray(self.store.out_links, np.int64)

    def _repr_html_(self) -> str:
        """How the graph looks in a notebook: its size, and its pages by in-degree."""
        numbers = facts(self.store)
        sizes = {name: numbers[name] for name in ("pages", "links", "hosts", "domains")}
        counts = {row["degree"]: row["in"] for row in numbers["degrees"]}
        values = {"caption": repr(self), "sizes": sizes, "counts": counts}
        return str(render(SHARED, "notebook_graph.html", **values))
