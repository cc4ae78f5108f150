"""Answer from vicinity shards, for graphs too large for random access on any machine.

Cocitation and cpa read only the links of a page's parents, so a small graph gives the same answers
for a range of pages:

1. one task per range of pages reads their parents sequentially, draws the sample of parents
   of each, and requests the lists of those parents from their ranges (`Requesting`);
2. one task per range of parents reads its lists sequentially, and sends each list once to
   every range that requested it (`Shipping`);
3. one task per range of pages builds a graph from the received lists (`shard`), with the
   page order and the in-degrees of the whole graph, and queries it (`Answering`).

The answers are exact: samples depend on the seed, the URL and the order of the parents, and ties
are broken by in-degree and page number. A shard preserves all of these. A hub costs no more than
the sample of its parents. Names, hosts and in-degrees are looked up in the whole graph.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.api import Graph
from whatsrelated.apps.spark.answers import SCHEMA, GraphFiles, answer_rows, decoded, graph_files
from whatsrelated.apps.spark.exchange import (
    Blob,
    Received,
    Row,
    by_sender,
    cut,
    first_stage,
    next_stage,
)
from whatsrelated.apps.spark.vectors import even_bounds, rows_of
from whatsrelated.contract.sampling import draw, sample
from whatsrelated.errors import OptionError
from whatsrelated.graph.store import Store
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.methods.cpa import Cpa
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

    from whatsrelated.api.batches import Batch

    Lists = tuple[NDArray[uint32], NDArray[uint32], NDArray[uint32]]
    """Pages, the number of links of each, and the links."""


ROWS = 500
"""Number of results per Spark row; Spark passes 10,000 rows to a task at a time."""


def require_shardable(graph: Graph, batch: Batch) -> None:
    """Raise OptionError if a query reads more than its parents' links."""
    options = dict(batch.options)
    if not isinstance(batch.method, Cocitation | Cpa):
        raise OptionError(
            f"spark all: {batch.method.name} needs more than the parents' links; shards support "
            "only cocitation and cpa."
        )
    if batch.why or options.get("stop"):
        raise OptionError("spark all: shards support neither --why nor a stop list.")
    if isinstance(batch.method, Cocitation) and options.get("chop") is not False:
        raise OptionError("spark all: shards cannot fall back to the parent folder; add --no-chop.")


def shard_answers(
    session: SparkSession, graph: Graph, batch: Batch, shards: int, *, ship: bool = False
) -> DataFrame:
    """One row per result of each page, from `ranges` ranges of pages."""
    require_shardable(graph, batch)
    files = graph_files(session, graph, ship)
    bounds = even_bounds(graph.store.in_offsets, shards)
    ranges = len(bounds) - 1
    seed = int(dict(batch.options).get("seed", Request.seed))
    requesting = Requesting(files, bounds, vars(batch.method)["parents"], seed)
    sent = first_stage(session, ranges, requesting)
    sent = next_stage(sent, ranges, Shipping(files, bounds))
    packed_rows = next_stage(sent, ranges, Answering(files, bounds, batch)).map(_row)
    return session.createDataFrame(packed_rows, "data binary", verifySchema=False).mapInArrow(
        decoded, SCHEMA
    )


def _row(sent: Row) -> tuple[bytes]:
    """Wrap a blob's bytes in a table row."""
    return (sent[1][2],)


@dataclass(frozen=True)
class Requesting:
    """The task for one range of pages: request the lists of its sampled parents."""

    files: GraphFiles
    bounds: tuple[int, ...]
    max_parents: int
    seed: int

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        store = self.files.open().store
        low, high = self.bounds[number], self.bounds[number + 1]
        parents = np.unique(sampled_parents(store, low, high, self.max_parents, self.seed))
        cuts = np.searchsorted(parents, self.bounds)
        for owner, (first, last) in enumerate(pairwise(cuts.tolist())):
            yield from cut(owner, parents[first:last])


def sampled_parents(
    store: Store, low: int, high: int, max_parents: int, seed: int
) -> NDArray[uint32]:
    """The parents that queries for a range of pages will read."""
    offsets, parents = rows_of(store, "in", low, high)
    degrees: NDArray[int64] = np.diff(offsets).astype(np.int64)
    small = np.repeat(degrees <= max_parents, degrees)
    samples = [
        sample(
            parents[int(offsets[place]) : int(offsets[place + 1])],
            max_parents,
            draw(store.url(low + place), seed),
        )
        for place in np.flatnonzero(degrees > max_parents).tolist()
    ]
    return np.concatenate([parents[small], *samples])


@dataclass(frozen=True)
class Shipping:
    """The task for one range of parents: send their lists to the ranges that requested them."""

    files: GraphFiles
    bounds: tuple[int, ...]

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        store = self.files.open().store
        low, high = self.bounds[number], self.bounds[number + 1]
        offsets, lists = rows_of(store, "out", low, high)
        for asking, data in by_sender(received):
            parents = np.frombuffer(data, "<u4")
            starts = offsets[parents - np.uint32(low)].astype(np.int64)
            degrees = offsets[parents - np.uint32(low) + 1].astype(np.int64) - starts
            links = lists[spread(starts, degrees)]
            head = np.array([len(parents)], np.uint32)
            yield from cut(
                asking, np.concatenate([head, parents, degrees.astype(np.uint32), links])
            )


def spread(starts: NDArray[int64], lengths: NDArray[int64]) -> NDArray[int64]:
    """All positions in stretches that begin at `starts`, concatenated."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))


@dataclass(frozen=True)
class Answering:
    """The task for one range of pages: answer from the received lists, as Arrow batches."""

    files: GraphFiles
    bounds: tuple[int, ...]
    batch: Batch

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        import pyarrow as pa  # type: ignore[import-untyped]

        low, high = self.bounds[number], self.bounds[number + 1]
        lists = [_unpack(data) for _, data in by_sender(received)]
        store, first = shard(self.files.open().store, low, high, lists)
        for rows in answer_rows(Graph(store), self.batch, range(first, first + high - low)):
            for place in range(0, len(rows), ROWS):
                sink = pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, rows.schema) as writer:
                    writer.write_batch(rows.slice(place, ROWS))
                yield Blob(0, sink.getvalue().to_pybytes())


def _unpack(data: bytearray) -> Lists:
    values = np.frombuffer(data, "<u4")
    count = int(values[0])
    return values[1 : 1 + count], values[1 + count : 1 + 2 * count], values[1 + 2 * count :]


def shard(store: Store, low: int, high: int, lists: list[Lists]) -> tuple[Store, int]:
    """A graph that answers for a range of pages, and the first page's number in it."""
    starts, own_links = rows_of(store, "out", low, high)
    range_pages = np.arange(low, high, dtype=np.uint32)
    listed = np.concatenate([range_pages, *(pages for pages, _, _ in lists)])
    lengths = np.concatenate(
        [np.diff(starts).astype(np.int64), *(degrees for _, degrees, _ in lists)]
    )
    links = np.concatenate([own_links, *(list_links for _, _, list_links in lists)])
    listed, chosen = np.unique(listed, return_index=True)
    places = spread((np.cumsum(lengths) - lengths)[chosen], lengths[chosen])
    links, lengths = links[places], lengths[chosen]
    pages = np.unique(np.concatenate([listed, links]))
    degrees = np.zeros(len(pages), np.int64)
    degrees[np.searchsorted(pages, listed)] = lengths
    text, ends = store.names.table.get_many(pages)
    coded, blocks = kernels.name_table.encode(text, ends)
    in_offsets, in_links = _parents(store, low, high, pages)
    arrays: dict[str, NDArray[Any]] = {
        "out.offsets": np.concatenate([[0], np.cumsum(degrees)]).astype(np.uint64),
        "out.links": np.searchsorted(pages, links).astype(np.uint32),
        "in.offsets": in_offsets,
        "in.links": in_links,
        "hosts": store.hosts[pages],
        "domains": store.domains[pages],
        "names.text": coded,
        "names.blocks": blocks,
    }
    files: dict[str, Any] = {name: {} for name in arrays}
    manifest = {**store.manifest, "pages": len(pages), "links": len(links), "files": files}
    return Store(arrays, manifest), int(np.searchsorted(pages, low))


def _parents(
    store: Store, low: int, high: int, pages: NDArray[uint32]
) -> tuple[NDArray[uint64], NDArray[uint32]]:
    """The parents of a range's pages, by position in `pages`, and the in-degrees of all pages.

    Other pages' lists have the right length, but consist of zeros that take no disk space.
    """
    wide = pages.astype(np.int64)
    degrees = store.in_offsets[wide + 1].astype(np.int64) - store.in_offsets[wide].astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(degrees)])
    with tempfile.TemporaryFile() as file:
        links = np.memmap(file, "<u4", "w+", shape=(max(int(offsets[-1]), 1),))
    first = int(offsets[int(np.searchsorted(pages, low))])
    _, parents = rows_of(store, "in", low, high)
    positions = np.minimum(np.searchsorted(pages, parents), len(pages) - 1)
    links[first : first + len(parents)] = np.where(pages[positions] == parents, positions, 0)
    return offsets.astype(np.uint64), np.asarray(links)[: int(offsets[-1])]
