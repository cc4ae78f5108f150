"""Update a graph: merge its changes into a new generation.

The result is byte for byte the graph that a build would make from the same final pages. Pages
without links stay; only deleted pages are removed. As with a build, readers see either the old
generation or the new one. If nothing has changed, no generation is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import OptionError
from whatsrelated.graph import terms
from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.buckets import LinkCounts
from whatsrelated.graph.build import StreamItem, build_aside, complete_manifest
from whatsrelated.graph.format import ArraysByName
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.linking import BYTES_PER_LINK, write_rows_on_disk
from whatsrelated.graph.merging import Merge
from whatsrelated.graph.names import StringWriter
from whatsrelated.graph.numbering import NamesWriter
from whatsrelated.graph.packing import PackedArrays, is_to_be_packed
from whatsrelated.graph.plan import MIN_MEMORY, Plan
from whatsrelated.graph.saving import unpack_aside
from whatsrelated.graph.store import Store
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

BYTES_PER_PAGE = 64
"""Peak memory per page of a merge."""
PIECE = 1 << 18
"""Number of links merged and written at a time, few enough for the processor's cache."""

Deleted = Callable[[Store, Store], "NDArray[bool_]"]
"""Chooses the pages to delete, given the graph and its changes."""


def update_on_disk(source: Iterable[StreamItem], path: Path, plan: Plan, deleted: Deleted) -> Store:
    """Merge a stream of changed pages into the graph in a folder."""
    begun = time.time()
    options = plan.options
    with Generation(path, options.temp, keep=options.keep, wait=plan.wait) as generation:
        old = Store.open(path)
        _require_memory(old, plan.memory)
        spool = ArraySpool(generation.temporary, plan.memory // 4)
        changes = build_aside(source, plan, spool)
        plain_old = unpack_aside(old, spool) if old.is_packed else old
        merge = Merge(plain_old, changes, deleted(old, changes))
        names = NamesWriter(generation.array)
        for piece in merge.names().pieces(hosts=True):
            names.append_coded(piece)
            plan.report("numbering pages", names.count, merge.pages)
        names.close()
        packed = None
        if old.is_packed or is_to_be_packed(options.store, merge.n_links, merge.pages):
            packed = PackedArrays(generation.array, merge.pages)
        _write_links(merge, plan, packed or generation.array, spool)
        read = merge.is_read
        generation.array("read").append(np.packbits(read, bitorder="little"))
        _write_columns(merge, generation.array)
        plain = names.is_plain()
        manifest: dict[str, Any] = {
            **old.manifest,
            "pages": merge.pages,
            "links": merge.n_links,
            "hosts": names.hosts,
            "domains": names.domains,
            "ordered": old.ordered and plan.ordered,
            "read_links": changes.manifest["read_links"],
            "refused": dict(plan.refused.counts),
            "plain_pages": int(plain.sum()),
            "read_pages": int(read.sum()),
            "plain_links": packed.close() if packed else {},
            "updated": {
                "seconds": round(time.time() - begun, 3),
                **merge.counts(),
                **plan.provenance,
            },
        }
        plan.report("syncing files", 0)
        files = generation.finish()
        complete = complete_manifest(manifest, files, generation.map_arrays(files), plain)
        if complete["fingerprint"] == old.fingerprint:
            return old
        generation.switch(complete)
        return Store.open_written(path)


def _require_memory(old: Store, memory: int) -> None:
    """Reject a limit that numbering the pages alone would exceed, before anything is read."""
    need = BYTES_PER_PAGE * old.n_pages
    if need > max(memory, MIN_MEMORY):
        raise OptionError(
            f"update: memory must be at least {-(-need >> 20)}M for {old.n_pages:,} pages, "
            f"got {memory >> 20}M."
        )


def _write_links(merge: Merge, plan: Plan, array: ArraysByName, spool: ArraySpool) -> None:
    if BYTES_PER_LINK * merge.n_moved_links + BYTES_PER_PAGE * merge.pages <= plan.memory:
        for direction, rows in ("out", merge.links), ("in", merge.parents):
            plan.report("grouping links", 0)
            written = rows()
            array(f"{direction}.offsets").append(written.ends)
            links = array(f"{direction}.links")
            for *_, piece in written.pieces(PIECE):
                links.append(piece)
        return
    memory = plan.memory // 4
    max_links = max(1, memory // BYTES_PER_LINK)
    to_pages = LinkCounts(merge.pages)
    for *_, piece in merge.links().pieces(max_links):
        to_pages.add(piece)
    write_rows_on_disk(
        merge.links().pieces(max_links),
        to_pages,
        array,
        spool,
        memory,
        lambda count: plan.report("grouping links", count, 2 * merge.n_links),
    )


def _write_columns(merge: Merge, array: ArraysByName) -> None:
    """Write the columns; a column that has become empty is left out, as in a build."""
    for column in merge.columns:
        strings = merge.column(column)
        if not strings:
            continue
        writer = StringWriter(array, column)
        for coded, blocks, *_ in strings.pieces():
            writer.append_coded(coded, blocks)
        writer.close()
        if column == terms.COLUMN:
            counts = terms.PageCounts(merge.old.arrays.get(f"{column}.counts"))
            counts.remove(list(strings.dropped()))
            counts.add(list(Names(*strings.added)))
            array(f"{column}.counts").append(counts.as_array())
