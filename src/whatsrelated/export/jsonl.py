"""JSON Lines: a page on each line, with its title and its links in page order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from whatsrelated.export.writer import Writer, page_blocks, replace_file

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class JSONLinesWriter(Writer):
    """A page on each line, with its title and its links."""

    name: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        import msgspec

        encode = msgspec.json.Encoder().encode_lines
        with replace_file(path) as file:
            for block in page_blocks(store, progress):
                targets = iter(block.target_names(store))
                pages: list[dict[str, Any]] = []
                for name, title, count in zip(block.names, block.titles, block.counts, strict=True):
                    page = {"url": name, "title": title} if title else {"url": name}
                    pages.append({**page, "links": list(islice(targets, count))})
                file.write(encode(pages))
