"""Turn a graph of pages into a graph of hosts or domains.

1. Every page is replaced by its site: its host or registrable domain, named `http://example.org/`.
   A plain name stays. `www.example.org` is the host `example.org`, unless it is kept apart.
2. All links from one site to another become one link, whose text is the number of links. Links
   within a site are dropped.

The pages of a site have consecutive numbers, so ranges of pages can be processed in turn:
memory holds the links of a range, the name of every site, and the links of hosts that occur
with and without `www.`, which are joined at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.api.graph import Graph
from whatsrelated.errors import OptionError
from whatsrelated.graph.build import build_on_disk
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan, WriteOptions
from whatsrelated.names.hosts import domain_of, host_of
from whatsrelated.names.naming import Naming
from whatsrelated.options import configure
from whatsrelated.stream import Page, Progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store

LEVELS = ("page", "host", "domain")
LINKS_PER_RANGE = 1 << 22
"""Approximate number of links counted at a time."""


def build_level(
    graph: Graph,
    path: str | Path,
    level: str,
    *,
    www: str = "fold",
    progress: Progress | None = None,
    **options: Any,
) -> Graph:
    """Build the graph of a graph's hosts or domains, and open it.

    `www` is "fold", or "keep" to keep www.example.org apart from example.org; `options` are for
    writing.
    """
    if level not in LEVELS[1:]:
        raise OptionError(f"build: level must be host or domain, got {level!r:.40}.")
    naming = Naming(urls="keep")
    pages = graph.store
    of = {"graph": str(pages.path or "memory"), "pages": pages.n_pages, "links": pages.n_links}
    plan = Plan(
        naming,
        configure(WriteOptions, {**options, "allow_empty": True}),
        ordered=False,
        columns=columns(naming),
        provenance={**naming.settings(), "level": level, "of": of},
        progress=progress,
    )
    return Graph(build_on_disk(level_pages(pages, level, www == "fold"), Path(path), plan))


def level_pages(store: Store, level: str, fold_www: bool = True) -> Iterator[Page]:
    """The sites of a graph, with the number of links from each to the others."""
    sites: NDArray[Any] = store.hosts if level == "host" else store.domains
    firsts = _first_pages(sites)
    names = [site_name(store.url(page), level, fold_www) for page in firsts.tolist()]
    first_of = dict(zip(reversed(names), reversed(range(len(names))), strict=True))
    folded_to = np.array([first_of[name] for name in names], np.uint64)
    read = np.zeros(len(names), np.bool_)
    read[folded_to[_read_sites(store, sites, len(names))]] = True
    is_joined = np.bincount(folded_to.astype(np.int64), minlength=len(names)) > 1
    waiting = [(np.empty(0, np.uint64), np.empty(0, np.int64))]
    for low, high in _ranges(store, sites):
        offsets = store.out_offsets[low : high + 1].astype(np.int64)
        links = store.out_links[int(offsets[0]) : int(offsets[-1])]
        owners = np.repeat(folded_to[sites[low:high]], np.diff(offsets))
        targets = folded_to[sites[links]]
        other = owners != targets
        pairs, counts = np.unique(
            owners[other] << np.uint64(32) | targets[other], return_counts=True
        )
        later = is_joined[pairs >> np.uint64(32)]
        waiting.append((pairs[later], counts[later]))
        range_sites = np.unique(folded_to[sites[low:high]])
        yield from _pages(
            pairs[~later], counts[~later], range_sites[~is_joined[range_sites]], names, read
        )
    pairs, places = np.unique(np.concatenate([one for one, _ in waiting]), return_inverse=True)
    counts = np.zeros(len(pairs), np.int64)
    np.add.at(counts, places, np.concatenate([one for _, one in waiting]))
    yield from _pages(pairs, counts, np.flatnonzero(is_joined), names, read)


def _pages(
    pairs: NDArray[Any],
    counts: NDArray[Any],
    range_sites: NDArray[Any],
    names: list[str],
    read: NDArray[Any],
) -> Iterator[Page]:
    sources = (pairs >> np.uint64(32)).astype(np.int64)
    targets = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    starts = np.searchsorted(sources, range_sites, side="left").tolist()
    ends = np.searchsorted(sources, range_sites, side="right").tolist()
    for site, start, end in zip(range_sites.tolist(), starts, ends, strict=True):
        links = [names[target] for target in targets[start:end].tolist()]
        texts = [count_text(count) for count in counts[start:end].tolist()]
        yield Page(names[site], links, anchors=texts, read=bool(read[site]))


def count_text(count: int) -> str:
    """The number of links, used as the text of the link that replaces them."""
    return f"{count:,} links" if count > 1 else "1 link"


def site_name(url: str, level: str, fold_www: bool = True) -> str:
    """The name of a page's site: its front page, or the plain name itself."""
    host = host_of(url)
    if host is None:
        return url
    if level == "domain":
        return f"http://{domain_of(host)}/"
    bare = host.removeprefix("www.") if fold_www else host
    return f"http://{bare if '.' in bare else host}/"


def _first_pages(sites: NDArray[Any]) -> NDArray[Any]:
    """The first page of each site, by the site's number."""
    _, firsts = np.unique(sites, return_index=True)
    return firsts


def _read_sites(store: Store, sites: NDArray[Any], count: int) -> NDArray[Any]:
    """Whether any page of each site was read."""
    read = np.zeros(count, np.bool_)
    for low in range(0, store.n_pages, LINKS_PER_RANGE):
        pages = np.arange(low, min(low + LINKS_PER_RANGE, store.n_pages))
        read[sites[pages[store.is_read(pages)]]] = True
    return read


def _ranges(store: Store, sites: NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Ranges of pages that end with a site, each with about LINKS_PER_RANGE links."""
    low = 0
    while low < store.n_pages:
        bound = int(store.out_offsets[low]) + LINKS_PER_RANGE
        high = int(np.searchsorted(store.out_offsets, bound, side="left"))
        high = min(max(high, low + 1), store.n_pages)
        while high < store.n_pages and sites[high] == sites[high - 1]:
            high += 1
        yield low, high
        low = high
