"""Evidence on the web page: sentences with links, small pictures, lists with titles.

No code here is specific to a method. Pages that link to both are shown as strips, other listed
pages by title, and everything else as data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.api.asking import quote

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store

MAX_STRIPS = 5
MAX_LISTED = 6
CELLS = 60
"""Maximum number of a page's links to draw individually."""
HEADINGS = {
    "hubs": "Supporting pages",
    "children": "Both link to",
    "between": "Pages between the two",
    "nearest": "Pages with similar links",
    "path": "Path",
    "sources": "Pages that lead to both",
    "near_duplicates": "Near-duplicates merged into it",
}
"""Headings for the lists of pages in evidence."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A page by name, with a remark."""

    url: str
    title: str | None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """A page that links to both: the positions of the two links, as percentages."""

    url: str
    title: str | None
    links: int
    query_at: float
    result_at: float
    remark: str

    @property
    def cell(self) -> float:
        """The width of a link, as a percentage; wide enough to be visible."""
        return max(1.6, 100 / self.links)

    @property
    def divided(self) -> bool:
        return self.links <= CELLS


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its sentence in pieces, strips, lists, heading and share."""

    pieces: list[tuple[str, str | None]]
    strips: list[Strip] = field(default_factory=list)
    shared: int = 0
    lists: list[tuple[str, list[Linked]]] = field(default_factory=list)
    share: float | None = None
    of: Linked | None = None


def pieces(evidence: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """The sentence in pieces, with the URL of each page that it names."""
    rest, texts = str(evidence.get("sentence", "")), []
    for page in evidence.get("named", ()):
        name = page.get("name") or quote(page["url"], page["title"])[1:-1]
        before, quoted, after = rest.partition(f"“{name}”")
        if quoted:
            texts += [(before, None), (name, page["url"])]
            rest = after
    return [(text, url) for text, url in [*texts, (rest, None)] if text]


def reasons(store: Store, query_urls: Sequence[str], other: str, evidence: Any) -> list[Reason]:
    """The reasons for a result: one, or one for each part of the score or each query page."""
    shown_reasons = []
    for of in evidence.get("lists", ()):
        inner = reasons(store, [of["of"]], other, of)
        shown_reasons.append(_reason(store, query_urls, other, {**of, "parents": ()}, of=of["of"]))
        shown_reasons += [each for each in inner if each.strips or each.lists]
    for part in evidence.get("parts", ()):
        is_repeated = part["sentence"] in evidence["sentence"]
        shown_reasons.append(
            _reason(store, query_urls, other, {**part, "sentence": ""} if is_repeated else part)
        )
    return shown_reasons or [_reason(store, query_urls, other, {**evidence, "sentence": ""})]


def _reason(
    store: Store, query_urls: Sequence[str], other: str, evidence: Mapping[str, Any], of: str = ""
) -> Reason:
    parents = [parent["url"] for parent in evidence.get("parents", ())]
    strips = [_strip(store, parent, query_urls, other) for parent in parents[:MAX_STRIPS]]
    return Reason(
        pieces=pieces(evidence),
        strips=[strip for strip in strips if strip is not None],
        shared=evidence.get("shared_parents", len(parents)) if parents else 0,
        lists=[
            (heading, _linked(store, evidence[key]))
            for key, heading in HEADINGS.items()
            if len(evidence.get(key) or ()) > (1 if evidence.get("named") else 0)
        ],
        share=evidence.get("share") if "by" in evidence else None,
        of=_named(store, of) if of else None,
    )


def _strip(store: Store, parent: str, query_urls: Sequence[str], other: str) -> Strip | None:
    """The links of a page as a strip, with marks at those to a query page and to the result."""
    page, result = store.names.page_of(parent), store.names.page_of(other)
    if page is None or result is None:
        return None
    links = store.links_from(page)
    queries = [query for query in map(store.names.page_of, query_urls) if query is not None]
    query_places, its = np.flatnonzero(np.isin(links, queries)), np.flatnonzero(links == result)
    if not len(query_places) or not len(its):
        return None
    first, second = int(query_places[np.abs(query_places - its[0]).argmin()]), int(its[0])
    apart = abs(first - second)
    remark = "side by side" if apart == 1 else f"{apart:,} links apart"
    if not store.ordered:
        remark = "links to both"
    count = len(links)
    return Strip(
        parent,
        store.title(page),
        count,
        round(100 * first / count, 2),
        round(100 * second / count, 2),
        f"{remark}, of {count:,} links",
    )


def _linked(store: Store, listed: Sequence[Any]) -> list[Linked]:
    return [
        _named(store, item["url"], _remark(item))
        if isinstance(item, Mapping)
        else _named(store, item)
        for item in listed[:MAX_LISTED]
        if isinstance(item, str) or (isinstance(item, Mapping) and "url" in item)
    ]


def _remark(item: Mapping[str, Any]) -> str:
    if "share" in item:
        return f"{item['share']:.0%}"
    return f"{item['parents']:,} pages link there" if "parents" in item else ""


def _named(store: Store, url: str, remark: str = "") -> Linked:
    page = store.names.page_of(url)
    return Linked(url, None if page is None else store.title(page), remark)
