"""Write the seeds that are not text, and the graph; the others are written by hand.

python -m tests.fuzz.make_corpus
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.fuzz.run import CORPUS, STORE
from tests.hostile.graphs import build_small
from tests.sources.zim import Item, zim


def main(corpus: Path = CORPUS) -> None:
    """Write each, replacing the previous one; no other seed is touched."""
    readers = corpus / "readers"
    for name in ("columns", "bvgraph", "npy", "parquet", "zim"):
        (readers / name).mkdir(parents=True, exist_ok=True)
    (readers / "columns" / "packed.tsv.gz").write_bytes(gzip.compress(b"a\tb\n", mtime=0))
    (readers / "bvgraph" / "two.graph").write_bytes(b"\xc0")
    np.save(readers / "npy" / "offsets.npy", np.array([0, 1, 2], np.uint64))
    np.save(readers / "npy" / "links.npy", np.array([1, 0], np.uint32))
    links = pa.table({"src": ["a", "b"], "dst": ["b", "c"]})
    parquet.write_table(links, readers / "parquet" / "links.parquet", compression="none")
    pages = pa.table({"url": ["a", "b"], "links": [["b"], ["a"]], "title": ["A", None]})
    parquet.write_table(pages, readers / "parquet" / "pages.parquet", compression="none")
    items = Item("a", "<a href='b'>b</a>"), Item("b", "<a href='c'>c</a>"), Item("c", to="a")
    (readers / "zim" / "site.zim").write_bytes(zim(*items))
    store = corpus / STORE.relative_to(CORPUS)
    shutil.rmtree(store, ignore_errors=True)
    build_small(store, pages=60)


if __name__ == "__main__":
    main()
