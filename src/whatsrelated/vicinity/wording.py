"""How sentences of evidence name pages: by title, in quotation marks.

Programs find the pages under `named`, in the order the sentence names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whatsrelated.graph import Store

MOST_QUOTED = 60
"""Maximum number of characters of a title in a sentence."""
MOST_LISTED = 10
"""Maximum number of pages listed in the evidence; its counts cover all of them."""


def quote(url: str, title: str | None) -> str:
    """A page in a sentence: its title, else its URL without the scheme."""
    name = title or url.partition("://")[2].removesuffix("/") or url
    return f"“{name if len(name) <= MOST_QUOTED else name[: MOST_QUOTED - 1] + '…'}”"


def quote_page(store: Store, page: int) -> str:
    """The same for a page of the graph."""
    return quote(store.url(page), store.title(page))


def named(store: Store, *pages: int) -> dict[str, Any]:
    """The evidence field that lists the pages its sentence names."""
    return {"named": [{"url": store.url(page), "title": store.title(page)} for page in pages]}


def sentence(text: str) -> str:
    """The text with an initial capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
