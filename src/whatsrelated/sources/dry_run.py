"""How each source would be read: its reader, how it was recognised, and its first links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from whatsrelated.options import declared_options
from whatsrelated.sources import open_sources
from whatsrelated.sources.reader import Item, ReadOptions
from whatsrelated.sources.recognition import sureness
from whatsrelated.stream import NamedLinks, Page

SHOWN_LINKS = 10
"""Number of links that a dry run shows of each source."""


def describe(
    paths: Iterable[str | Path],
    reading: ReadOptions | None = None,
    options: Mapping[str, Any] | None = None,
) -> Iterator[str]:
    """Each file's reader, how it was recognised, and its first links; nothing is stored."""
    format = reading.format if reading is not None else None
    source = open_sources(paths, reading, memory=1 << 20, options=options)
    same = Counter((file.origin, reader.name) for file, reader in source.parts)
    for file, reader in source.parts:
        others = same.pop((file.origin, reader.name), 0) - 1
        if others < 0:
            continue
        parts = [part for part in (reader.sentence, file.packing, reader.about(file)) if part]
        yield f"{file.label}: {reader.name} ({'; '.join(parts)})"
        names = ["format", *(name for name in declared_options(type(reader)) if name != "workers")]
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        yield f"  {sureness(file, reader, format)}; to change how it is read: {listed}"
        shown = islice(_links_of(source.read_one(file, reader)), SHOWN_LINKS)
        yield from (f"  {first} -> {second}" for first, second in shown)
        if others:
            yield f"  and {others:,} more files of this format in {file.origin}"


def _links_of(items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    for item in items:
        if isinstance(item, Page):
            yield from ((item.url, link) for link in item.links)
            continue
        names = item.names if isinstance(item, NamedLinks) else None
        for ends in zip(item.sources[:SHOWN_LINKS], item.targets[:SHOWN_LINKS], strict=True):
            first, second = (
                str(end) if names is None else names[int(end)].decode(errors="replace")
                for end in ends
            )
            yield first, second
