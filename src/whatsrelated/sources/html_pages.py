"""HTML pages from any source: a folder, a web archive, a ZIM file, a crawl.

A source of pages provides three things; the rest is shared:

1. **bytes and an address**: a worker (machine/workers) calls `read_page` with the bytes of a page,
   the URL for resolving its relative links, the charset from its HTTP header, if any, and the
   page's name in the graph;
2. **the targets of links**: a `Resolver` turns an `href` into the name of a page.
   `WebResolver` is for pages named by their URLs.  A container with other names (a folder, a ZIM
   file) gives its pages addresses on a host that does not exist, such as
   `https://zim.invalid/A/Tea`. It resolves links against those (`UrlBase`) and treats addresses on
   that host as its own pages;
3. **the set**: records are in a `PageSpool`; a `PageSet` (sources/page_set) finds
   template links and copies of pages, and yields the pages.

For example, a reader of ZIM files is an `HtmlReader` (its options) whose `read` does:

    spool, pages = PageSpool(context.temporary), PageSet()
    for _, answer in workers.results(work, items, workers=self.workers, seconds=…):
        pages.add(add_record(answer, spool, found, context))
    for name, target in redirects: pages.add_redirect(name, target)
    if self.links == "content": pages.find_templates(spool)
    pages.find_copies(spool)
    yield from pages.pages(spool, found)

where `work(item)` is `encode_record(read_page(…))` (sources/page_records).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from whatsrelated.names.canonical import BadName
from whatsrelated.names.hosts import host_of
from whatsrelated.sources import html
from whatsrelated.sources.page_reader import NAVIGATION
from whatsrelated.sources.url_joins import UrlBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from whatsrelated.sources.page_reader import HtmlReader
    from whatsrelated.sources.page_records import PageRecord

SOON = 5.0
"""A page that redirects within this many seconds is a copy of its target."""


class Resolver(Protocol):
    """Finds the targets of links."""

    def targets(self, base: UrlBase) -> Mapping[str, str]:
        """The names of the pages that links (without fragments) on the page at `base` lead to.

        A link to the page itself gives an empty name; one that is not an address raises BadName.
        """


class WebTargets(dict[str, str]):
    """The targets of the links of one page, each resolved once."""

    def __init__(self, base: UrlBase) -> None:
        super().__init__()
        self._base = base
        self._join_plain = base.join_plain

    def __missing__(self, href: str) -> str:
        target = self._join_plain(href)
        if target is None:
            bare = href.strip()
            target = self._base.join(bare) if bare else ""
        self[href] = target
        return target


class WebResolver:
    """Pages of the Web: a link leads to its URL."""

    def targets(self, base: UrlBase) -> WebTargets:
        return WebTargets(base)


def read_page(
    markup: bytes,
    url: str,
    reader: HtmlReader,
    resolver: Resolver,
    *,
    name: str = "",
    path: str = "",
    charset: str = "",
    text: bool = False,
) -> PageRecord:
    """Read a page; its links are the distinct names of those that count.

    `url` is its URL in WHATWG form, and also its name unless `name` is given. `path` is its name in
    messages. `charset` comes from its HTTP header.
    """
    data = html.as_utf8(markup)
    page = html.read_html(
        data,
        charset=charset if data is markup else "",
        anchors=reader.anchors,
        sections=reader.section != "all",
        text=text,
        places=reader.links == "content",
    )
    return page_record(page, url, reader, resolver, name=name, path=path)


def page_record(
    page: html.HtmlPage,
    url: str,
    reader: HtmlReader,
    resolver: Resolver,
    *,
    name: str = "",
    path: str = "",
) -> PageRecord:
    """Like `read_page`, but for HTML that has already been parsed."""
    from whatsrelated.sources.page_records import PageRecord

    name = name or url
    base = _base_of(page, url)
    targets = resolver.targets(base)
    reasons = [reader.reason_to_leave_out(marks) for marks in range(html.ALL_MARKS + 1)]
    refused: Counter[str] = Counter()
    content: dict[str, int] = {}
    places: dict[str, set[tuple[int, int]]] = {}
    left_out: dict[str, str] = {}
    first: dict[str, int] = {}
    for number, (href, marks) in enumerate(page.links):
        try:
            target = targets[href.partition("#")[0] if "#" in href else href]
        except BadName as error:
            refused[error.reason] += 1
            continue
        if not target or target == name:
            continue
        if page.places and not reasons[marks]:
            places.setdefault(target, set()).add(page.places[number])
        if target in content:
            continue
        first.setdefault(target, number)
        if reasons[marks]:
            left_out.setdefault(target, reasons[marks])
        else:
            content[target] = number
    left_out = {target: kind for target, kind in left_out.items() if target not in content}
    host = host_of(name)
    navigation = [
        target
        for target, kind in left_out.items()
        if kind == NAVIGATION and host_of(target) == host
    ]
    listed = (*content, *navigation)
    return PageRecord(
        path=path or url,
        name=name,
        links=list(content),
        title=page.title,
        same_as=_same_as(page, targets, name),
        anchors=[page.anchors[n] for n in content.values()] if page.anchors else [],
        text=page.text,
        left_out=dict(Counter(left_out.values())),
        refused=dict(refused),
        navigation=navigation,
        places=[sorted(pairs) for pairs in places.values()],
        lines=[page.lines[first[target]] for target in listed] if page.lines else [],
    )


def _base_of(page: html.HtmlPage, url: str) -> UrlBase:
    base = UrlBase(url)
    if not page.base:
        return base
    try:
        return UrlBase(base.join(page.base.strip()))
    except BadName:
        return base


def _same_as(page: html.HtmlPage, targets: Mapping[str, str], name: str) -> str:
    soon = page.refresh if page.refresh_after <= SOON else ""
    for href in filter(None, (page.canonical, soon)):
        try:
            target = targets[href.partition("#")[0]]
        except BadName:
            continue
        if target and target != name:
            return target
    return ""
