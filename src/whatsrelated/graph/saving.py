"""Write an existing graph to a folder, packed or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whatsrelated.errors import GraphFormatError
from whatsrelated.graph import format as disk
from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.format import ArraysByName
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.packing import PackedArrays
from whatsrelated.graph.store import PACKED_NAMES, Store

PIECE = 1 << 22
"""Number of values written at a time."""


def save(store: Store, path: Path) -> Store:
    """Save a graph in a folder, replacing any graph there."""
    with Generation(path) as generation:
        _copy(store, generation.array, frozenset())
        generation.switch({**store.manifest, "files": generation.finish()})
    return Store.open(path)


def repack(path: Path, *, packed: bool) -> Store:
    """Pack or unpack the links of the graph in a folder, as a new generation."""
    with Generation(path) as generation:
        old = Store.open(path)
        if old.is_packed == packed:
            return old
        packer = PackedArrays(generation.array, old.n_pages) if packed else None
        array: ArraysByName = packer or generation.array
        with old.read_through():
            _copy(old, generation.array, set(old.link_arrays))
            for direction in ("out", "in"):
                _copy_links(old, direction, array)
        plain = packer.close() if packer else {}
        files = generation.finish()
        _require_same(old, plain or files)
        version = disk.PACKED if packed else disk.PLAIN
        generation.switch({**old.manifest, "format": version, "plain_links": plain, "files": files})
    return Store.open(path)


def unpack_aside(store: Store, spool: ArraySpool) -> Store:
    """The same graph with plain links, in temporary files."""
    writers = {name: spool.writer(disk.dtype_of(name)) for name in PACKED_NAMES}
    with store.read_through():
        for direction in ("out", "in"):
            _copy_links(store, direction, writers.__getitem__)
    plain = {name: writer.map() for name, writer in writers.items()}
    others = {name: array for name, array in store.arrays.items() if name not in store.link_arrays}
    return Store({**others, **plain}, store.manifest)


def _copy(store: Store, array: ArraysByName, but: frozenset[str] | set[str]) -> None:
    for name, values in store.arrays.items():
        if name in but:
            continue
        writer = array(name)
        for low in range(0, max(len(values), 1), PIECE):
            writer.append(values[low : low + PIECE])


def _copy_links(store: Store, direction: str, array: ArraysByName) -> None:
    offsets, links = (
        (store.out_offsets, store.out_links)
        if direction == "out"
        else (store.in_offsets, store.in_links)
    )
    for name, values in (("offsets", offsets), ("links", links)):
        writer = array(f"{direction}.{name}")
        for low in range(0, len(values), PIECE):
            writer.append(values[low : low + PIECE])


def _require_same(old: Store, new: dict[str, Any]) -> None:
    """Raise GraphFormatError if the links do not match the graph's checksums."""
    known = old.manifest.get("plain_links") or old.manifest["files"]
    for name in PACKED_NAMES:
        if "sha256" in known[name] and new[name]["sha256"] != known[name]["sha256"]:
            raise GraphFormatError(
                f"{old.path}: {name} does not match its checksum; build the graph again."
            )
