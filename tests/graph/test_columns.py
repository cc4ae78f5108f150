"""Page data besides links: a string for each page, the first one read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from whatsrelated.graph import columns
from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.build import MemoryArray
from whatsrelated.graph.columns import ColumnPart, write_column
from whatsrelated.graph.format import dtype_of
from whatsrelated.graph.names import StringTable
from whatsrelated.graph.numbering import NONE, KeyRun, NamesWriter, number_pages
from whatsrelated.names.naming import Naming
from whatsrelated.stream import Names


@pytest.mark.parametrize("piece", [1, 10, 1 << 26])
def test_a_page_has_the_first_string_that_was_read(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "PIECE", piece)
    spool = ArraySpool(tmp_path, 0)
    arrays: dict[str, MemoryArray] = {}

    def array(name: str) -> MemoryArray:
        return arrays.setdefault(name, MemoryArray(dtype_of(name)))

    listed = [f"page{number:05}".encode() for number in range(9000)]
    run = KeyRun(Names.of(listed), Naming(), spool)
    pages = number_pages([run], NamesWriter(array), 1 << 20, lambda done: None)
    parts = [
        ColumnPart(run, np.array([8000, NONE, 1], np.uint32), [b"late", b"lost", b"one"], spool),
        ColumnPart(run, np.array([8000, 5], np.uint32), [b"later", b"five"], spool),
    ]
    watched: list[bytes] = []
    write_column("titles", parts, pages, array, watched.extend)
    table = StringTable(arrays["titles.text"].whole(), arrays["titles.blocks"].whole(), pages)
    expected = {1: b"one", 5: b"five", 8000: b"late"}
    assert {page: table.get(page) for page in range(pages) if table.get(page)} == expected
    assert watched == [expected.get(page, b"") for page in range(pages)]
