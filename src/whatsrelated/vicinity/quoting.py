"""The names of pages in sentences: their titles in quotation marks, or their addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from whatsrelated.names.display import shorten_address

if TYPE_CHECKING:
    from whatsrelated.graph import Store

MAX_QUOTED = 60
"""Maximum number of characters of a name in a sentence; a host is never cut."""
PLAINER = str.maketrans("“”", "‘’", "`")
_WORD = re.compile(r"[^\W\d_]{3,}")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def quote(url: str, title: str | None) -> str:
    """A page in a sentence: its title or, without one, its address; cut if it is long."""
    name = " ".join(title.split()).translate(PLAINER) if title else ""
    if not name:
        return quote_address(url)
    if len(name) > MAX_QUOTED:
        beginning = name[: MAX_QUOTED - 1]
        name = (beginning.rpartition(" ")[0] or beginning).rstrip(" ,;:–—-") + "…"
    return f"“{name}”"


def quote_address(url: str) -> str:
    """A page in a sentence by its address, without the scheme."""
    address = url.partition("://")[2].removesuffix("/") or url
    return f"“{shorten_address(address.translate(PLAINER), MAX_QUOTED, host='://' in url)}”"


def quote_page(store: Store, page: int) -> str:
    """A page of the graph in a sentence."""
    return quote(store.url(page), store.title(page))


class _Addresses(dict[int, str]):
    """The addresses of pages; each is read from the graph once."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __missing__(self, page: int) -> str:
        self[page] = self._store.url(page)
        return self[page]


class _Words(dict[int, list[str]]):
    """The words in the names of pages; of an address, those in the last part of its path."""

    def __init__(self, urls: Mapping[int, str]) -> None:
        self._urls = urls

    def __missing__(self, page: int) -> list[str]:
        part = self._urls[page].rstrip("/").rpartition("/")[2]
        self[page] = _WORD.findall(_CAPITAL.sub(" ", _without_ending(part)))
        return self[page]


class Quotes(dict[int, tuple[str, str | None]]):
    """Pages in sentences, with their titles; each is read from the graph once.

    The reasons of an answer name the same pages again and again.
    """

    def __init__(self, store: Store) -> None:
        self._store, self.urls = store, _Addresses(store)
        self.words = _Words(self.urls)

    def __missing__(self, page: int) -> tuple[str, str | None]:
        title = self._store.title(page)
        self[page] = quote(self.urls[page], title), title
        return self[page]


def _without_ending(name: str) -> str:
    """A name without a file ending, such as .html."""
    return re.sub(r"\.[A-Za-z]{1,5}$", "", name)
