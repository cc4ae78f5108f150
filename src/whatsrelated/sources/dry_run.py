"""How each source would be read: its reader, how it was recognised, and its first links.

Before long work, `recognised` reports the same in a line, with the size of the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from whatsrelated.options import declared_options
from whatsrelated.sources import Sources, open_sources
from whatsrelated.sources.files import File
from whatsrelated.sources.folder import files
from whatsrelated.sources.reader import Item, Reader, ReadOptions
from whatsrelated.sources.recognition import sureness
from whatsrelated.stream import NamedLinks, Page, Refused

SHOWN_LINKS = 10
"""Number of links that a dry run shows of each source."""

MANY_FILES, MANY_BYTES = 1000, 64 << 20
"""Sources with at least this many files or bytes take a long time to read."""


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


def recognised(source: Sources) -> Iterator[str]:
    """A line for each source that takes a long time to read."""
    groups: dict[tuple[str, str], list[tuple[File, Reader]]] = {}
    for file, reader in source.parts:
        groups.setdefault((file.origin, reader.name), []).append((file, reader))
    for (origin, name), parts in groups.items():
        sizes = [size for file, _ in parts for size in _sizes(file)]
        if len(sizes) >= MANY_FILES or sum(sizes) >= MANY_BYTES:
            file, reader = parts[0]
            size = f"{len(sizes):,} file{'s'[: len(sizes) != 1]}, {sum(sizes) / 1e6:,.0f} MB"
            sure = sureness(file, reader, None if source.guessed else name)
            yield f"{origin}: {name} ({reader.sentence}; {size}); {sure}"


def _sizes(file: File) -> Iterator[int]:
    """The sizes of a file, or of the files in a folder."""
    if file.is_stream:
        return
    inner = files(str(file.path), lambda path: True, Refused()) if file.path.is_dir() else [""]
    for path in inner:
        with suppress(OSError):
            yield Path(file.path, path).stat().st_size


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
