"""`related site`: read a folder of HTML, query every page, and write its lists into it.

1. Build a temporary graph of the pages, unless a graph is given.
2. Query the graph for each page of the folder (`lists`).
3. Write the lists into each page (`markup`), replacing earlier ones. Lists are removed from pages
  that are skipped or have no results. Unchanged files are not written.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated import api
from whatsrelated.api.asking import DEFAULT_METHOD, Request, split_options
from whatsrelated.api.reading import MAX_FILE, HtmlFolder, checked_base
from whatsrelated.apps.site.block import Item, render
from whatsrelated.apps.site.curation import Curation
from whatsrelated.apps.site.data import data_bytes, require_data_file, write_if_changed
from whatsrelated.apps.site.lists import ListPages, all_lists
from whatsrelated.apps.site.markup import BadMarkers, MarkedPage, require_selector
from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.apps.site.pages import (
    LinkStyle,
    SitePages,
    html_files,
    html_pages,
    path_url,
    read_pages,
)
from whatsrelated.apps.site.writing import writing
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.machine.files import write_file
from whatsrelated.machine.places import similar_path
from whatsrelated.methods import METHODS
from whatsrelated.options import choose, configure, declared_options
from whatsrelated.sources import open_sources
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.site.lists import PageList
    from whatsrelated.stream import Progress


@dataclass
class SiteChanges:
    """The outcome for each page of a site, by path."""

    pages: int = 0
    with_list: int = 0
    skipped: int = 0
    changed: list[str] = field(default_factory=list)
    without_place: list[str] = field(default_factory=list)
    bad_markers: list[str] = field(default_factory=list)
    refused: Refused = field(default_factory=Refused)


@dataclass(frozen=True)
class Asking:
    """Settings for reading and querying a site."""

    options: SiteOptions = field(default_factory=SiteOptions)
    by: str | None = None
    method: Mapping[str, Any] = field(default_factory=dict)
    """Options of the method, and of every request."""
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Options of the reader."""
    base_url: str | None = None
    progress: Progress | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any], progress: Progress | None = None) -> Asking:
        """Split options into those of the site, the method and the reader."""
        ours, reader = declared_options(SiteOptions), declared_options(HtmlFolder)
        parts: dict[str, dict[str, Any]] = {"ours": {}, "reader": {}, "method": {}}
        for name, value in options.items():
            whose = "ours" if name in ours else "reader" if name in reader else "method"
            parts[whose][name] = value
        base_url = parts["reader"].pop("base_url", None)
        by = parts["method"].pop("by", None)
        site = configure(SiteOptions, parts["ours"])
        return cls(site, by, parts["method"], parts["reader"], base_url, progress)

    def require_valid(self) -> None:
        """Raise OptionError if an option is invalid, before reading anything."""
        require_selector(self.options.at)
        _, method_options = split_options(dict(self.method), Request)
        choose(self.by or DEFAULT_METHOD, METHODS.__getitem__, method_options, Request)


def write_lists(
    folder: str | Path, asking: Asking, graph: Graph | None = None, *, dry: bool = False
) -> SiteChanges:
    """Write each page's lists into it; `dry` only reports which pages would change."""
    asking.require_valid()
    root = _root(folder)
    outcome = SiteChanges()
    with contextlib.ExitStack() as stack:
        _require_html(root, folder)
        if not dry:
            stack.enter_context(writing(root))
        graph = graph or stack.enter_context(_built(root, asking, outcome.refused, "html"))
        base = _base(graph, asking)
        pages = html_pages(root, graph.store, base, _skip(asking), outcome.refused)
        if not pages.addresses and not pages.skipped and graph.store.n_pages:
            raise OptionError(
                f"site: no page of {folder} is in the graph; set base_url to the site's URL."
            )
        outcome.skipped = pages.skipped
        blocks = dict(_blocks(root, graph, pages, asking))
        for path in html_files(root, Refused()):
            _renew(root, path, blocks.get(path), asking.options.at, outcome, dry)
    return outcome


def remove_lists(folder: str | Path, *, dry: bool = False) -> SiteChanges:
    """Remove the lists from all pages, which restores their original bytes."""
    root = _root(folder)
    outcome = SiteChanges()
    with contextlib.ExitStack() as stack:
        if not dry:
            stack.enter_context(writing(root))
        for path in html_files(root, outcome.refused):
            _renew(root, path, None, None, outcome, dry)
    return outcome


def write_data(
    folder: str | Path,
    output: Path,
    asking: Asking,
    graph: Graph | None = None,
    *,
    format: str | None = None,
    dry: bool = False,
) -> SiteChanges:
    """Write the lists of all pages to one file for programs; `format` is the folder's format."""
    require_data_file(output)
    asking.require_valid()
    root = _root(folder)
    outcome = SiteChanges()
    with contextlib.ExitStack() as stack:
        graph = graph or stack.enter_context(_built(root, asking, outcome.refused, format))
        base = _base(graph, asking)
        pages = html_pages(root, graph.store, base, _skip(asking), outcome.refused)
        if not pages.addresses and not pages.skipped:
            pages = read_pages(graph.store, base, _skip(asking))
        outcome.skipped, outcome.pages = pages.skipped, len(pages.addresses)
        lists = dict(_data(graph, pages, asking, base))
    outcome.with_list = sum(map(bool, lists.values()))
    data = data_bytes(lists, output.suffix)
    if dry:
        changed = not output.is_file() or output.read_bytes() != data
    else:
        changed = write_if_changed(output, data)
    outcome.changed = [str(output)] if changed else []
    return outcome


def _root(folder: str | Path) -> str:
    if not Path(folder).is_dir():
        meant = "" if Path(folder).exists() else similar_path(folder)
        way = meant or "give the folder of a built site."
        raise OptionError(f"site: {folder} is not a folder; {way}")
    return os.path.realpath(folder)


def _require_html(root: str, folder: str | Path) -> None:
    """Raise OptionError if a folder has no HTML; the message says what to do instead."""
    if any(html_files(root, Refused())):
        return
    try:
        ((_, reader),) = open_sources([root]).parts
    except ReadError:
        raise OptionError(
            f"site: {folder} has no HTML pages; give the folder that your site generator writes, "
            "such as site, public or _build/html."
        ) from None
    raise OptionError(
        f"site: {folder} is {reader.sentence}, without HTML pages. Give the folder of the built "
        f"site, or write the lists as data: related site {folder} --data related.json"
    )


@contextlib.contextmanager
def _built(root: str, asking: Asking, refused: Refused, format: str | None) -> Iterator[Graph]:
    """A temporary graph of the folder."""
    reading = dict(asking.reading) | ({"base_url": asking.base_url} if asking.base_url else {})
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(tempfile.TemporaryDirectory(prefix="related-site-"))
        built = api.build(
            [root],
            Path(place, "site.graph"),
            format=format,
            allow_empty=True,
            refused=refused,
            progress=asking.progress,
            **reading,
        )
        yield stack.enter_context(built)


def _base(graph: Graph, asking: Asking) -> str:
    """The base URL of the graph's pages; empty if they are named by path."""
    built = graph.store.manifest["built"].get("options", {})
    return checked_base("site", asking.base_url or built.get("base_url"))


def _skip(asking: Asking) -> list[str]:
    return (asking.options.skip or "").splitlines()


def _answers(
    graph: Graph, pages: SitePages, asking: Asking, why: bool
) -> Iterator[tuple[int, tuple[PageList, ...]]]:
    options, kinds = asking.options, asking.options.kinds()
    curation = Curation(pages, options.pairs)
    limit = options.limit + curation.most_removed
    batch = graph.batch(asking.by, why=why, limit=limit, **asking.method)
    task = ListPages(batch, pages.listable(options.internal) & ~curation.barred, kinds)
    for page, lists in all_lists(graph, pages, task, asking.progress):
        decided = (
            curation.apply(page, listed) if kind == "related" else listed
            for kind, listed in zip(kinds, lists, strict=True)
        )
        yield page, tuple(listed[: options.limit] for listed in decided)


def _blocks(
    root: str, graph: Graph, pages: SitePages, asking: Asking
) -> Iterator[tuple[str, _Block]]:
    """The lists of each page, with its path."""
    links = LinkStyle(root, pages.addresses.values())
    headings = list(asking.options.headings().values())
    for page, lists in _answers(graph, pages, asking, why=False):
        path, linked = pages.addresses[page], set(graph.links_from(page).tolist())
        yield path, _Block(pages, links, path, headings, lists, linked)


@dataclass(frozen=True)
class _Block:
    """The lists of a page, before the base of its relative links is known."""

    pages: SitePages
    links: LinkStyle
    path: str
    headings: list[str]
    lists: tuple[PageList, ...]
    linked: set[int]
    """The pages that the page links to."""

    def html(self, base: str | None) -> str:
        items = [[self._item(page, base) for page, _, _ in listed] for listed in self.lists]
        return render(zip(self.headings, items, strict=True))

    def _item(self, page: int, base: str | None) -> Item:
        target = self.pages.addresses.get(page)
        if target is None:
            href = self.pages.store.url(page)
        else:
            href = self.links.link(self.path, target, base)
        return Item(href, self.pages.title(page), page in self.linked)


def _data(graph: Graph, pages: SitePages, asking: Asking, base: str) -> Iterator[tuple[str, Any]]:
    kinds = asking.options.kinds()

    def entry(page: int, score: float, why: str, linked: set[int]) -> dict[str, Any]:
        target = pages.addresses.get(page)
        url = graph.url(page) if target is None else base + path_url(target)
        return {
            "url": url,
            "title": pages.title(page),
            "score": score,
            "why": why,
            "linked": page in linked,
        }

    for page, lists in _answers(graph, pages, asking, why=True):
        linked = set(graph.links_from(page).tolist())
        entries = {
            kind: [entry(*one, linked) for one in listed]
            for kind, listed in zip(kinds, lists, strict=True)
            if listed
        }
        yield pages.addresses[page], entries if len(kinds) > 1 else entries.get(kinds[0], [])


def _renew(
    root: str, path: str, block: _Block | None, at: str | None, outcome: SiteChanges, dry: bool
) -> None:
    """Write the lists of a page, or remove them, and record the outcome."""
    outcome.pages += 1
    try:
        data = Path(root, path).read_bytes()
    except OSError as error:
        outcome.refused.add(f"files not read ({os.strerror(error.errno or 0)})", path)
        return
    if len(data) > MAX_FILE or (block is None and not _may_have_list(data)):
        return
    try:
        page = MarkedPage(data)
    except BadMarkers:
        outcome.bad_markers.append(path)
        return
    text = block.html(page.base) if block else ""
    inserted = page.insert(text, at) if text else None
    outcome.with_list += inserted is not None
    if text and inserted is None:
        outcome.without_place.append(path)
    new = page.data if inserted is None else inserted
    if new != data:
        outcome.changed.append(path)
        if not dry:
            write_file(f"{root}/{path}", new, sync=False)


def _may_have_list(data: bytes) -> bool:
    return b"related-pages:" in data.replace(b"\0", b"")
