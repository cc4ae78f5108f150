"""What a source gives, as names, for tests to compare."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from whatsrelated.query.request import split_options
from whatsrelated.sources import ReadOptions, open_sources
from whatsrelated.stream import NamedLinks, Page, Refused


def read(*paths: Path | str, **settings: Any) -> Any:
    """The source over some files, and what it refused, as `.refused`."""
    refused = settings.pop("refused", Refused())
    reading, others = split_options(settings, ReadOptions)
    source = open_sources(list(paths), reading, refused=refused, **others)
    source.refused = refused
    return source


def links_of(items: Iterable[Any]) -> list[tuple[str, str]]:
    """Every link, in the order in which the source gives it."""
    links: list[tuple[str, str]] = []
    for item in items:
        if isinstance(item, Page):
            links += [(item.url, link) for link in item.links]
        elif isinstance(item, NamedLinks):
            names = [name.decode() for name in item.names]
            links += [(names[a], names[b]) for a, b in zip(item.sources, item.targets, strict=True)]
        else:
            links += [
                (str(a), str(b)) for a, b in zip(item.sources, item.targets, strict=True) if a != b
            ]
    return links


def pages_of(items: Iterable[Any]) -> set[str]:
    """Every page, with links or without."""
    pages: set[str] = set()
    for item in items:
        if isinstance(item, Page):
            pages |= {item.url, *item.links}
        elif isinstance(item, NamedLinks):
            pages |= {name.decode() for name in item.names}
        else:
            pages |= {str(page) for page in item.sources} | {str(page) for page in item.targets}
            pages |= {str(page) for page in range(item.pages)}
    return pages


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
