"""Chopping a URL until its answer is good enough (DH99, sec. 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from tests.reference.plain_graph import PlainGraph, Scores


def shorter(url: str) -> Iterator[str]:
    """The URL without its query, then without its last path element, up to the root."""
    if "://" not in url:
        return
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}"
    if parts.query:
        yield root + parts.path
    elements = [element for element in parts.path.split("/") if element]
    while elements:
        elements.pop()
        yield root + "/" + "".join(element + "/" for element in elements)


def page_at(graph: PlainGraph, url: str) -> str | None:
    """The page at a URL as it is, else with its trailing slash added or removed."""
    other = url[:-1] if url.endswith("/") else url + "/"
    return next((name for name in (url, other) if name in graph.number), None)


def chopped(
    graph: PlainGraph,
    url: str,
    ask: Callable[[str], Scores],
    enough: Callable[[Scores], bool] = bool,
) -> tuple[str | None, Scores]:
    """The page that answers for the URL, and its scores, without the page itself."""
    first: tuple[str | None, Scores] | None = None
    tried = []
    if url in graph.number:
        tried.append(url)
    for candidate in shorter(url):
        found = page_at(graph, candidate)
        if found is not None and found not in tried:
            tried.append(found)
    for name in tried:
        scores = {page: score for page, score in ask(name).items() if page not in (url, name)}
        if enough(scores):
            return name, scores
        if scores and first is None:
            first = name, scores
    return first or (None, {})
