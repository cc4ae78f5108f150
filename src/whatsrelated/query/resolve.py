"""Turn user input into pages: the page that the user means, and the pages above it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.contract.question import site_for
from whatsrelated.errors import PageNotFound
from whatsrelated.names.lookup import ancestors, likely_names, slash_twin
from whatsrelated.query.unread import host_was_read

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.methods import Method
    from whatsrelated.query.request import Request


@dataclass(frozen=True, slots=True)
class Attempts:
    """The pages to query, in order: the page itself, then the pages above it.

    `asked` is the page itself; None if it is not in the graph.
    """

    asked: int | None
    pages: list[int]
    notes: list[str]


def find_page(store: Store, text: str) -> tuple[int, list[str]]:
    """The page that the user means, and a note if its name differs."""
    page = store.page(text)
    name = store.url(page)
    return page, [] if name == text else [f"Using {name} for {text}."]


def list_attempts(store: Store, text: str, method: Method, request: Request) -> Attempts:
    """The pages to query.

    If a page is not in the graph, a page above it is queried, unless chopping is off. By default,
    this also requires that a page of its host was read; otherwise links to that host say nothing
    about it. Chopping goes up to the root of the host (DH99, sec. 2.2).
    """
    chop = request.chop
    try:
        page, notes = find_page(store, text)
    except PageNotFound as error:
        may_chop = chop is not False and not error.candidates
        above = pages_above(store, likely_names(text)) if may_chop else []
        if not above or (chop is None and not host_was_read(store, above[0])):
            raise
        note = f"{text} is not in the graph; using {store.url(above[0])}."
        return Attempts(None, above, [note])
    return Attempts(page, pages_to_ask(store, page, method, request), notes)


def pages_to_ask(store: Store, page: int, method: Method, request: Request) -> list[int]:
    """A page, and the pages above it to try in turn if it has too few results."""
    chop = request.chop
    if chop is None:
        chop = method.chops and site_for(store, request.site, (page,)) != "page"
    return [page, *pages_above(store, [store.url(page)])] if chop else [page]


def pages_above(store: Store, names: Iterable[str]) -> list[int]:
    """The pages above a URL, nearest first. If a name has several forms, the first form with any
    such pages is used.
    """
    for name in names:
        pages: list[int] = []
        for higher in ancestors(name):
            twin = slash_twin(higher)
            for spelt in (higher, twin) if twin else (higher,):
                page = store.names.page_of(spelt)
                if page is not None:
                    pages.append(page)
                    break
        if pages:
            return list(dict.fromkeys(pages))
    return []
