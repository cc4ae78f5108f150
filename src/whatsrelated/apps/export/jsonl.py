"""JSON Lines: one page per line, with its title and its links in page order.

Pages that were not read have `"read": false`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.apps.export.writer import Writer, export_file, page_blocks

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class JSONLinesWriter(Writer):
    """One page per line, with its title and links."""

    name: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        import msgspec

        encode = msgspec.json.Encoder().encode_lines
        with export_file(path) as file:
            for block in page_blocks(store, progress):
                targets = iter(block.target_names(store))
                pages: list[dict[str, Any]] = []
                read = store.is_read(np.arange(block.first, block.first + len(block.names)))
                for name, title, count, known in zip(
                    block.names, block.titles, block.counts, read.tolist(), strict=True
                ):
                    page = {"url": name, "title": title} if title else {"url": name}
                    unread = {} if known else {"read": False}
                    pages.append({**page, "links": list(islice(targets, count)), **unread})
                file.write(encode(pages))
