"""Check the arguments of public calls; a wrong one raises an OptionError."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from whatsrelated.errors import OptionError
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Refused, pages_of_links

StreamItem = Page | NamedLinks | NumberedLinks
REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def folder_named(path: Any, what: str = "A graph") -> Path:
    """The path of a graph's folder, or of another folder."""
    named = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(named, str) or "\0" in named:
        raise OptionError(f"{what} is a folder, given as a string or Path, got {path!r:.80}.")
    if REMOTE.match(named):
        raise OptionError(
            f"{what} must be a local folder, but {named!r:.200} is a remote address; "
            "use a local path and copy the folder afterwards."
        )
    return Path(named)


def listed(pages: Any) -> list[Any]:
    """One page or several, as a list."""
    return list(pages) if isinstance(pages, list | tuple) else [pages]


def require_iterable(call: str, name: str, value: Any) -> None:
    """Reject values that are not iterable, and single strings."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise OptionError(f"{call}: {name} must be a list or another iterable, got {value!r:.80}.")


def require_whole(call: str, name: str, value: Any, low: int) -> None:
    """Reject values that are not whole numbers or are too small."""
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise OptionError(
            f"{call}: {name} must be a whole number, at least {low}, got {value!r:.80}."
        )


def require_refused(call: str, value: Any) -> None:
    """Reject a `refused` that is not a counter."""
    if value is not None and not isinstance(value, Refused):
        raise OptionError(f"{call}: refused must be a whatsrelated.Refused, got {value!r:.80}.")


def require_limits(call: str, deadline: Any, memory: Any, progress: Any) -> None:
    """Reject a deadline or memory that is not a number, or a `progress` that cannot be called."""
    for name, value in (("deadline", deadline), ("memory", memory)):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if (not is_number or math.isnan(value)) and not (value is None and name == "deadline"):
            raise OptionError(f"{call}: {name} must be a number, got {value!r:.80}.")
    if progress is not None and not callable(progress):
        raise OptionError(f"{call}: progress must be a function, got {progress!r:.80}.")


def stream_of_links(links: Any, pages: Any, titles: Any) -> Iterator[Page]:
    """The pages of `Graph.from_links`."""
    require_iterable("from_links", "links", links)
    require_iterable("from_links", "pages", pages)
    if not isinstance(titles, Mapping):
        raise OptionError(f"from_links: titles must be a dictionary, got {titles!r:.80}.")
    return pages_of_links(_pairs(links), pages, titles)


def _pairs(links: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for link in links:
        if not isinstance(link, Collection) or isinstance(link, str | bytes) or len(link) != 2:
            raise OptionError(f"from_links: a link must be a pair of pages, got {link!r:.80}.")
        source, target = link
        yield source, target


def stream_of_pages(call: str, pages: Any) -> Iterator[StreamItem]:
    """The pages of a stream, checked as they arrive."""
    require_iterable(call, "pages", pages)
    return (_require_page(call, page) for page in pages)


def _require_page(call: str, page: Any) -> StreamItem:
    if isinstance(page, NamedLinks | NumberedLinks):
        return page
    if not isinstance(page, Page):
        raise OptionError(f"{call}: a stream holds whatsrelated.Page values, got {page!r:.80}.")
    if not isinstance(page.url, str):
        raise OptionError(f"{call}: the url of a page must be a string, got {page.url!r:.80}.")
    for name, texts in (("links", page.links), ("anchors", page.anchors)):
        is_list = isinstance(texts, Collection) and not isinstance(texts, str | bytes)
        if not is_list or not _are_texts(texts):
            raise OptionError(
                f"{call}: the {name} of {page.url:.80} must be strings, got {texts!r:.80}."
            )
    for name, text in (("title", page.title), ("text", page.text)):
        if not isinstance(text, str | None):
            raise OptionError(
                f"{call}: the {name} of {page.url:.80} must be a string, got {text!r:.80}."
            )
    return page


def _are_texts(values: Collection[Any]) -> bool:
    # Most values have exactly that type, and comparing types is faster than isinstance.
    return set(map(type, values)) <= {str} or all(isinstance(value, str) for value in values)
