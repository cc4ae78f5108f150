"""A folder of plain arrays, as `related export` writes it (`apps/export/arrays.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import NamedLinks, Names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File

LINKS_PER_BATCH = 1 << 20


class ArraysReader(Reader):
    """A folder of plain NumPy arrays and text."""

    name = "npy"
    sentence = "a folder of NumPy arrays: offsets, links, and names in text"
    guide = "how-to/export.md"
    folders = True

    @classmethod
    def recognises(cls, file: File) -> bool:
        return all((file.path / name).is_file() for name in ("offsets.npy", "links.npy"))

    def is_ordered(self, file: File) -> bool:
        try:
            facts = json.loads((file.path / "graph.json").read_text())
        except (OSError, ValueError):
            return True
        return not isinstance(facts, dict) or facts.get("ordered") is not False

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        offsets, links = _map_array(file.path, "offsets.npy"), _map_array(file.path, "links.npy")
        names = _read_names(file.path / "names.txt")
        pages = len(names)
        if len(offsets) != pages + 1 or int(offsets[0]) != 0 or int(offsets[-1]) != len(links):
            raise ReadError(
                f"{file.label} is inconsistent: it has {pages:,} names, {len(offsets):,} offsets "
                f"and {len(links):,} links."
            )
        counts = np.diff(offsets.astype(np.int64))
        inside = not len(links) or (int(links.min()) >= 0 and int(links.max()) < pages)
        if (counts < 0).any() or not inside:
            raise ReadError(f"{file.label} is damaged: a link or an offset is out of range.")
        path = file.path / "titles.txt"
        listed = list(_read_names(path)) if path.is_file() else []
        if len(listed) > pages:
            raise ReadError(f"{path} has {len(listed):,} titles for {pages:,} pages.")
        titles = {
            page: title.decode(errors="replace") for page, title in enumerate(listed) if title
        }
        step = max(1, min(LINKS_PER_BATCH, context.memory // 16))
        for first in range(0, max(len(links), 1), step):
            places = np.arange(first, min(first + step, len(links)))
            sources = np.searchsorted(offsets, places.astype(np.uint64), "right") - 1
            targets = np.asarray(links[first : first + step])
            yield NamedLinks(names, sources.astype(np.uint32), targets.astype(np.uint32), titles)
            titles = {}


def _map_array(folder: Path, name: str) -> NDArray[Any]:
    try:
        with np.errstate(over="raise"):  # a crafted shape overflows when its size is computed
            array: NDArray[Any] = np.load(folder / name, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise ReadError(f"{folder / name} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # NumPy's header parser can raise any error of Python's parser
        raise ReadError(f"{folder / name} is not a complete NumPy array: {error!s:.80}.") from error
    if array.ndim != 1 or array.dtype.kind not in "ui":
        raise ReadError(
            f"{folder / name} must be a one-dimensional array of integers, got {array.dtype}."
        )
    return array


def _read_names(path: Path) -> Names:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReadError(
            f"{path}, which must accompany the arrays, cannot be read: {error.strerror}."
        ) from error
    return Names.of(data.split(b"\n")[:-1])
