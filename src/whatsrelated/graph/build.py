"""Build a graph from a stream of pages, in memory or on disk, within a memory limit.

1. Read: names become sorted runs of keys, and links become pairs of positions in a run. Data that
   does not fit in memory goes to disk.
2. Number the pages by merging the runs (`numbering`).
3. Group the links in both directions (`linking`).
4. Record which pages were read, and write their columns (titles, terms).
5. Switch to the new generation (`generations`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import BuildError
from whatsrelated.graph import format as disk
from whatsrelated.graph import terms
from whatsrelated.graph.array_spool import ArraySpool, SpoolWriter
from whatsrelated.graph.build_input import BuildInput
from whatsrelated.graph.columns import write_column
from whatsrelated.graph.format import ArraysByName
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.least_parents import described_left_out, leave_out
from whatsrelated.graph.linking import BYTES_PER_LINK, link_in_memory, link_on_disk
from whatsrelated.graph.numbering import NamesWriter
from whatsrelated.graph.packing import PackedArrays, described, is_to_be_packed
from whatsrelated.graph.plan import Plan
from whatsrelated.graph.rows import is_packed, offsets_of
from whatsrelated.graph.store import Store
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Refused

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

StreamItem = Page | NamedLinks | NumberedLinks
ONE_SITE = 0.95
"""A graph counts as one site if this share of its linking pages is on one domain or has plain
names."""


class MemoryArray:
    """An array of a graph in memory, with the same interface as one on disk."""

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)
        self._pieces: list[NDArray[Any]] = []

    def append(self, values: NDArray[Any]) -> None:
        """Add the next values."""
        self._pieces.append(np.asarray(values, self.dtype))

    def whole(self) -> NDArray[Any]:
        """All values as one array."""
        if len(self._pieces) != 1:
            self._pieces = [np.concatenate(self._pieces or [np.empty(0, self.dtype)])]
        return self._pieces[0]


def build_in_memory(source: Iterable[StreamItem], plan: Plan) -> Store:
    """Build the graph of a stream in memory."""
    arrays: dict[str, MemoryArray] = {}

    def array(name: str) -> MemoryArray:
        return arrays.setdefault(name, MemoryArray(disk.dtype_of(name)))

    manifest, plain = _write_arrays(source, _with_plain_links(plan), array, ArraySpool(None, 0))
    whole = {name: values.whole() for name, values in arrays.items()}
    for values in whole.values():
        values.flags.writeable = False
    files = {name: disk.describe_data(values) for name, values in whole.items()}
    return Store(whole, complete_manifest(manifest, files, whole, plain))


def build_aside(source: Iterable[StreamItem], plan: Plan, spool: ArraySpool) -> Store:
    """Build the graph of a stream in temporary files, to be merged into another graph."""
    writers: dict[str, SpoolWriter] = {}

    def array(name: str) -> SpoolWriter:
        if name not in writers:
            writers[name] = spool.writer(disk.dtype_of(name))
        return writers[name]

    manifest, _ = _write_arrays(source, _with_plain_links(plan), array, spool)
    arrays = {name: writer.map() for name, writer in writers.items()}
    return Store(arrays, {**manifest, "auto_site": "page", "fingerprint": ""})


def _with_plain_links(plan: Plan) -> Plan:
    return replace(plan, options=replace(plan.options, store="plain"))


def build_on_disk(source: Iterable[StreamItem], path: Path, plan: Plan) -> Store:
    """Build the graph of a stream in a folder, replacing any graph there."""
    options = plan.options
    with Generation(path, options.temp, keep=options.keep, wait=plan.wait) as generation:
        spool = ArraySpool(generation.temporary, plan.memory // 4)
        manifest, plain = _write_arrays(source, plan, generation.array, spool)
        require_links(manifest["links"], path, options.allow_empty, plan.refused)
        plan.report("syncing files", 0)
        files = generation.finish()
        complete = complete_manifest(manifest, files, generation.map_arrays(files), plain)
        generation.switch(complete)
        return Store.open_written(path)


def require_links(links: int, path: Path, allow_empty: bool, refused: Refused) -> None:
    """Raise BuildError for a graph without links, unless that is allowed."""
    if not links and not allow_empty:
        raise BuildError(
            f"{path} would have no links ({refused}), and is not built; check the "
            "sources and their format, or allow it (--allow-empty)."
        )


def complete_manifest(
    manifest: dict[str, Any],
    files: dict[str, Any],
    arrays: dict[str, NDArray[Any]],
    plain: NDArray[bool_],
) -> dict[str, Any]:
    """Add manifest entries that are known only after the arrays are written."""
    offsets = offsets_of(arrays, "out", manifest["pages"])
    site = auto_site(offsets, arrays["domains"], plain, manifest["domains"])
    entries = described(files, manifest.get("plain_links", {}))
    parts = [manifest["ordered"], *((name, entries[name]["sha256"]) for name in sorted(entries))]
    return {
        **manifest,
        "format": disk.PACKED if is_packed(files) else disk.PLAIN,
        "auto_site": site,
        "files": files,
        "fingerprint": disk.digest(json.dumps(parts).encode()),
    }


def _write_arrays(
    source: Iterable[StreamItem], plan: Plan, array: ArraysByName, spool: ArraySpool
) -> tuple[dict[str, Any], NDArray[bool_]]:
    """Write all arrays; return the manifest so far, and which pages have plain names."""
    begun = time.time()
    build_input = BuildInput(plan, spool)
    for item in source:
        build_input.add(item)
    build_input.finish()
    left_out = leave_out(build_input, plan.options.least_parents, _write_links)
    names = NamesWriter(array)
    pages = build_input.number_pages(names)
    names.close()
    read = np.zeros(pages, np.bool_)
    packed = None
    if is_to_be_packed(plan.options.store, build_input.valid_links, pages):
        packed = PackedArrays(array, pages)
    n_links = _write_links(build_input, packed or array, read)
    build_input.mark_read(read)
    array("read").append(np.packbits(read, bitorder="little"))
    _write_columns(build_input, pages, array)
    plain = names.is_plain()
    manifest = {
        "pages": pages,
        "links": n_links,
        "hosts": names.hosts,
        "domains": names.domains,
        "ordered": plan.ordered,
        "read_links": build_input.read_links,
        "refused": dict(plan.refused.counts),
        "plain_pages": int(plain.sum()),
        "read_pages": int(read.sum()),
        "built": {
            "at": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
            "seconds": round(time.time() - begun, 3),
            **plan.provenance,
            **described_left_out(plan.options.least_parents, left_out),
        },
    }
    if packed:
        manifest["plain_links"] = packed.close()
    return manifest, plain


def _write_links(build_input: BuildInput, array: ArraysByName, has_links: NDArray[bool_]) -> int:
    """Write both directions of the links and mark linking pages.

    Return the number of distinct links.
    """
    plan, spool = build_input.plan, build_input.spool
    need = BYTES_PER_LINK * build_input.valid_links + 16 * len(has_links)
    if spool.folder is None or spool.in_memory + need <= plan.memory:
        plan.report("grouping links", 0)
        return link_in_memory(build_input.pairs(drop=True), array, has_links)
    return link_on_disk(
        build_input.pairs,
        array,
        has_links,
        spool,
        plan.memory // 4,
        lambda count: plan.report("grouping links", count, 2 * build_input.valid_links),
    )


def _write_columns(build_input: BuildInput, pages: int, array: ArraysByName) -> None:
    for column, parts in sorted(build_input.columns.items()):
        counts = terms.PageCounts() if column == terms.COLUMN else None
        write_column(column, parts, pages, array, counts.add if counts else None)
        if counts:
            array(f"{column}.counts").append(counts.as_array())


def auto_site(
    out_offsets: NDArray[Any], domains: NDArray[Any], plain: NDArray[bool_], n_domains: int
) -> str:
    """`page` if the pages with links are on one domain or have plain names, otherwise `host`."""
    counts = np.zeros(n_domains, np.int64)
    linking = plain_linking = 0
    step = 1 << 22
    for low in range(0, len(domains), step):
        offsets = out_offsets[low : low + step + 1]
        has_links = offsets[1:] > offsets[:-1]
        is_plain = plain[low : low + step]
        linking += int(np.count_nonzero(has_links))
        plain_linking += int(np.count_nonzero(has_links & is_plain))
        tally = np.bincount(domains[low : low + step][has_links & ~is_plain])
        counts[: len(tally)] += tally
    if not linking:
        return "host"
    largest = int(counts.max()) if n_domains else 0
    return "page" if largest + plain_linking >= ONE_SITE * linking else "host"
