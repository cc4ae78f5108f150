"""Random small graphs, odd enough that wrong formulae disagree.

Several hosts and domains, a port, an address, deep paths and queries; links
repeated on a page and to the page itself; mirrors with more than ten links,
some of them a link short; and now and then one site only, or plain names.
"""

from __future__ import annotations

from hypothesis import strategies as st

LinkLists = dict[str, list[str]]

HOSTS = (
    "http://news.example.org",
    "http://www.example.org",
    "https://www.example.org",
    "http://a.shop.co.uk",
    "http://b.shop.co.uk",
    "http://b.shop.co.uk:8080",
    "https://tea.example",
    "http://192.0.2.7",
    "http://localhost",
)
PATHS = ("/", "/a", "/a/", "/a/b/", "/a/b/c", "/a/b/c?q=1", "/a/b/c?q=2", "/z/y/x/w.html", "/~d/e")
NAMES = ("Tea", "Coffee", "Milk", "2", "10", "007", "Green tea", "a/b", "Äpfel", "茶", "x:y", "tea")


def names(kind: str) -> list[str]:
    """Every name that a graph of this kind may hold, canonical."""
    if kind == "names":
        return [*NAMES, *(f"{name} {i}" for name in NAMES[:4] for i in range(5))]
    hosts = HOSTS[:1] if kind == "site" else HOSTS
    deep = [f"/a/b/d{i}" for i in range(20)] if kind == "site" else []
    return [host + path for host in hosts for path in (*PATHS, *deep)]


@st.composite
def link_lists(
    draw: st.DrawFn, kinds: tuple[str, ...] = ("web", "web", "site", "names"), max_pages: int = 20
) -> LinkLists:
    """Pages and their links as a source would give them, repeats and self links included."""
    kind = draw(st.sampled_from(kinds))
    pages = draw(
        st.lists(st.sampled_from(names(kind)), min_size=4, max_size=max_pages, unique=True)
    )
    numbers = st.integers(0, len(pages) - 1)
    graph: LinkLists = {}
    for page in pages:
        links = draw(st.lists(numbers, max_size=7))
        if links or draw(st.booleans()):
            graph[page] = [pages[i] for i in links]
    if len(pages) >= 14:
        for _ in range(draw(st.integers(0, 2))):
            add_mirrors(draw, graph, pages)
    return graph


def add_mirrors(draw: st.DrawFn, graph: LinkLists, pages: list[str]) -> None:
    """Give a few pages nearly the same links, more than ten of them."""
    order = draw(st.permutations(pages))
    length = draw(st.integers(10, len(pages) - 2))
    listed = list(order[:length])
    for page in draw(st.lists(st.sampled_from(pages), min_size=2, max_size=3, unique=True)):
        short = draw(st.integers(0, 2)) == 0
        graph[page] = listed[1:] if short else list(listed)


@st.composite
def questions(
    draw: st.DrawFn, kinds: tuple[str, ...] = ("web", "web", "site", "names"), max_pages: int = 20
) -> tuple[LinkLists, str, frozenset[str]]:
    """A graph, a page of it to ask for, and a stop list, mostly empty."""
    graph = draw(link_lists(kinds, max_pages).filter(bool))
    linked = sorted({page for links in graph.values() for page in links} | set(graph))
    query = draw(st.sampled_from(linked))
    stop = draw(st.just([]) | st.lists(st.sampled_from(linked), max_size=3))
    return graph, query, frozenset(stop)
