"""A folder of plain arrays and text, readable with NumPy alone.

- `offsets.npy` and `links.npy`: page p links to `links[offsets[p]:offsets[p+1]]`;
- `names.txt` and, if there are any, `titles.txt`: line p is for page p;
- `graph.json`: the numbers of pages and links, and whether link order is known.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.apps.export.writer import LINKS, Writer, page_blocks
from whatsrelated.errors import BuildError
from whatsrelated.machine.files import unfinished
from whatsrelated.machine.remote import output_url, send

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class ArraysWriter(Writer):
    """A folder of plain NumPy arrays and text."""

    name: ClassVar[str] = "npy"
    suffixes: ClassVar[tuple[str, ...]] = (".npy", ".arrays")

    def write(self, store: Store, path: Path, progress: Progress | None) -> None:
        if (url := output_url(path)) is not None:
            with tempfile.TemporaryDirectory(prefix="related-") as folder:
                local = Path(folder, "arrays")
                self.write(store, local, progress)
                send(local, url)
            return
        if path.exists():
            raise BuildError(f"{path} exists; remove it, or choose another name.")
        aside = unfinished(path)
        try:
            aside.mkdir(parents=True)
            self._fill(store, aside, progress)
            aside.rename(path)
        except OSError as error:
            raise BuildError(f"{path} cannot be written: {error.strerror or error}.") from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _fill(self, store: Store, folder: Path, progress: Progress | None) -> None:
        np.save(folder / "offsets.npy", store.out_offsets)
        with (folder / "links.npy").open("wb") as file:
            head = {"descr": "<u4", "fortran_order": False, "shape": (store.n_links,)}
            np.lib.format.write_array_header_1_0(file, head)
            for low in range(0, store.n_links, LINKS):
                file.write(store.out_links[low : low + LINKS].astype("<u4").tobytes())
        counts = {"pages": store.n_pages, "links": store.n_links, "ordered": store.ordered}
        (folder / "graph.json").write_text(json.dumps(counts) + "\n")
        with (folder / "names.txt").open("wb") as names:
            if store.column("titles") is None:
                self._write_names(store, names, None, progress)
                return
            with (folder / "titles.txt").open("wb") as titles:
                self._write_names(store, names, titles, progress)

    def _write_names(
        self, store: Store, names: IO[bytes], titles: IO[bytes] | None, progress: Progress | None
    ) -> None:
        for block in page_blocks(store, progress):
            names.write("".join(f"{name}\n" for name in block.names).encode())
            if titles is not None:
                titles.write("".join(f"{title}\n" for title in block.titles).encode())
