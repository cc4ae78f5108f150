"""The public functions; each takes a SparkSession and turns errors into one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated.api import Graph
from whatsrelated.api.arguments import folder_named, require_refused, require_whole
from whatsrelated.apps.spark.answers import answers
from whatsrelated.apps.spark.building import SparkBuildOptions, SparkPlan, build_on_disk
from whatsrelated.apps.spark.ranking import rank_on_spark
from whatsrelated.apps.spark.session import explained
from whatsrelated.apps.spark.shards import shard_answers
from whatsrelated.errors import OptionError
from whatsrelated.options import configure
from whatsrelated.query.request import split_options
from whatsrelated.ranks import RANKS
from whatsrelated.sources import open_sources
from whatsrelated.stream import Progress, Refused

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from whatsrelated.ranks.ranking import Ranking


def build(
    session: SparkSession,
    sources: str | Path | Iterable[str | Path],
    path: str | Path,
    *,
    scratch: str | Path | None = None,
    task_memory: int = 512 << 20,
    partitions: int | None = None,
    refused: Refused | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Graph:
    """Build a graph from files on Spark, byte for byte the same as `whatsrelated.build`.

    `task_memory` is a task's memory limit in bytes, and `partitions` the number of ranges into
    which the work is divided. `scratch` is the folder for intermediate files, by default inside the
    graph's folder. `options` takes the options of `whatsrelated.build` except `memory` and `temp`.
    """
    folder = folder_named(path)
    require_refused("spark build", refused)
    require_whole("spark build", "task_memory", task_memory, 1 << 16)
    if partitions is not None:
        require_whole("spark build", "partitions", partitions, 1)
    chosen, build_options = split_options(options, SparkBuildOptions)
    if chosen.names_file and chosen.least_parents:
        raise OptionError("spark build: use related build for least_parents with a names file.")
    counts = Refused() if refused is None else refused
    opened = open_sources(
        [sources] if isinstance(sources, str | Path) else sources,
        chosen,
        refused=counts,
        temporary=scratch,
        options=build_options,
    )
    settings = SparkPlan(
        chosen,
        opened.ordered,
        task_memory,
        partitions,
        folder_named(scratch, "scratch").absolute() if scratch else None,
    )
    provenance = {**chosen.recorded(), **opened.provenance, "options": build_options}
    with explained(f"{folder} cannot be built"):
        built = build_on_disk(
            session,
            opened,
            folder.absolute(),
            settings,
            provenance=provenance,
            refused=counts,
            progress=progress,
        )
    return Graph(built)


def rank(
    session: SparkSession,
    graph: Graph,
    by: str = "pagerank",
    *,
    scratch: str | Path | None = None,
    partitions: int | None = None,
    accept: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Ranking:
    """Rank all pages on Spark, to the tolerance of `Graph.rank`, and store the scores.

    `by` is pagerank, hubrank, mbcc or hits; `options` takes the options of the rank.
    """
    chosen = configure(RANKS[by], options)
    with explained(f"{by} cannot be computed"):
        return rank_on_spark(
            session,
            graph.store,
            chosen,
            scratch=folder_named(scratch, "scratch").absolute() if scratch else None,
            partitions=partitions,
            accept=accept,
            progress=progress,
        )


def related_all(
    session: SparkSession,
    graph: Graph,
    by: Any = None,
    *,
    ship: bool = False,
    shards: int | None = None,
    partitions: int | None = None,
    **options: Any,
) -> DataFrame:
    """The related pages of every page, as a DataFrame with one row per result.

    Its columns are url, position, related_url, score and answered_for, plus reason if `why` is set.
    The graph must be in a folder that all machines can access, unless `ship` sends its files to
    each machine. `shards` is for cocitation and cpa on graphs too large for random access: it
    divides the pages into that many ranges and moves the lists that each range needs. `by`,
    `options` and the answers are the same as for `Graph.related_all`.
    """
    batch = graph.batch(by, **options)
    if shards is not None:
        require_whole("spark all", "shards", shards, 1)
        return shard_answers(session, graph, batch, shards, ship=ship)
    return answers(session, graph, batch, ship=ship, partitions=partitions)
