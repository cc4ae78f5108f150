"""From user input to pages: the page that is meant, and the pages above it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from whatsrelated.contract.question import site_for
from whatsrelated.errors import PageNotFound
from whatsrelated.names.lookup import ancestors, likely_names, slash_twin
from whatsrelated.query.unread import host_was_read

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.methods import Method
    from whatsrelated.query.request import Request


FOLDERS_UP = 2
"""How many folders up chopping goes by default: higher up, pages are less similar."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """The pages to ask for, in order: the page itself, then the pages above it.

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
    """The pages to ask for.

    For a page that is not in the graph, a page above it is asked, unless chopping is off or, by
    default, no page of its host was read: then links to that host say nothing about it.
    By default chopping ends `FOLDERS_UP` folders up.
    """
    chop = request.chop
    try:
        page, notes = find_page(store, text)
    except PageNotFound as error:
        wanted = chop is not False and not error.candidates
        above = pages_above(store, likely_names(text), _folders_up(request)) if wanted else []
        if not above or (chop is None and not host_was_read(store, above[0])):
            raise
        note = f"{text} is not in the graph; asked for {store.url(above[0])}."
        return Attempts(None, above, [note])
    return Attempts(page, pages_to_ask(store, page, method, request), notes)


def pages_to_ask(store: Store, page: int, method: Method, request: Request) -> list[int]:
    """A page, and the pages above it to ask in turn if it has too few results."""
    chop = request.chop
    if chop is None:
        chop = method.chops and site_for(store, request.site, (page,)) != "page"
    return [page, *pages_above(store, [store.url(page)], _folders_up(request))] if chop else [page]


def _folders_up(request: Request) -> int | None:
    """Maximum number of folders to go up when chopping; None for no limit."""
    return None if request.chop else FOLDERS_UP


def pages_above(store: Store, names: Iterable[str], most: int | None = None) -> list[int]:
    """The pages above a URL, nearest first; of several forms of a name, the first that has any.

    `most` is the number of folders to go up, starting with the page's own folder.
    """
    for name in names:
        found: list[int] = []
        folders = (higher for higher in ancestors(name) if higher.endswith("/"))
        allowed = None if most is None else set(islice(folders, most))
        for higher in ancestors(name):
            if allowed is not None and higher.endswith("/") and higher not in allowed:
                break
            twin = slash_twin(higher)
            for spelt in (higher, twin) if twin else (higher,):
                page = store.names.page_of(spelt)
                if page is not None:
                    found.append(page)
                    break
        if found:
            return list(dict.fromkeys(found))
    return []
