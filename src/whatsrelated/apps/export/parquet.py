"""Parquet: one row per page, with its `url`, `title` and list of `links`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.apps.export.writer import Writer, export_file, page_blocks
from whatsrelated.machine.packages import load

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class ParquetPages(Writer):
    """One row per page, with its title and list of links."""

    name: ClassVar[str] = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        arrow = load("pyarrow", "Parquet", "parquet")
        parquet = load("pyarrow.parquet", "Parquet", "parquet")
        text = arrow.string()
        schema = arrow.schema([("url", text), ("title", text), ("links", arrow.list_(text))])
        with export_file(path) as file, parquet.ParquetWriter(file, schema) as table:
            for block in page_blocks(store, progress):
                ends = np.concatenate([[0], np.cumsum(block.counts)]).astype(np.int32)
                links = arrow.ListArray.from_arrays(
                    arrow.array(ends), arrow.array(block.target_names(store), text)
                )
                titles = [title or None for title in block.titles]
                columns = [arrow.array(block.names, text), arrow.array(titles, text), links]
                table.write_batch(arrow.record_batch(columns, schema))
