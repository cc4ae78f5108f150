"""`related spark`: the same graphs, ranks and answers as on one machine, computed on a cluster."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from whatsrelated.apps.spark.building import SparkBuildOptions
from whatsrelated.cli.build import all_paths, memory_bound, say_read
from whatsrelated.cli.build_options import build_options
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import Configured, configure, divide, option
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.ranks import RANKS
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DISTRIBUTED_RANKS = ("pagerank", "hubrank", "mbcc", "hits")


@click.group(name="spark")
def command() -> None:
    """Build graphs, rank pages and find related pages on a Spark cluster."""


@dataclass(frozen=True)
class ClusterOptions(Configured):
    """Where a job runs, and how to divide its work."""

    name: ClassVar[str] = "spark"

    master: str | None = option(
        None,
        "the cluster: local[*], spark://host:port, yarn or k8s://address; by default, the master "
        "of spark-submit or local[*]",
    )
    conf: str | None = option(
        None, "a Spark setting, such as spark.executor.memory=4g; may be repeated", lines=True
    )
    scratch: str | None = option(
        None,
        "folder for intermediate files, which all machines can access; next to the graph by "
        "default",
    )
    partitions: int | None = option(
        None,
        "number of ranges to divide the work into; the default depends on size and processors",
        low=1,
        kind=int,
    )

    @contextmanager
    def session(self) -> Iterator[SparkSession]:
        """A session for one command; logs only errors."""
        from whatsrelated.apps.spark import session

        confs = (self.conf or "").splitlines()
        for conf in confs:
            if "=" not in conf:
                raise OptionError(f"spark: --conf must be NAME=VALUE, got {conf!r:.80}.")
        with session(self.master, dict(conf.split("=", 1) for conf in confs)) as started:
            started.sparkContext.setLogLevel("OFF")
            logging.getLogger().addFilter(_is_ours)
            yield started


def _is_ours(record: logging.LogRecord) -> bool:
    """False for the traceback that py4j logs for a call that Ctrl-C interrupted."""
    return "while sending command" not in record.getMessage()


def _cluster(options: dict[str, Any]) -> tuple[ClusterOptions, dict[str, Any]]:
    """The cluster that the options name, and the other options that were set."""
    cluster_options, rest = divide(drop_unset(options), ClusterOptions)
    return configure(ClusterOptions, cluster_options), rest


@command.command(name="build")
@build_options(SparkBuildOptions)
@click.option(
    "--task-memory",
    default="512M",
    show_default=True,
    help="Memory limit per task outside Java, such as 2G.",
)
@options_of([ClusterOptions])
def build_command(
    paths: tuple[str, ...],
    output: str,
    files_from: tuple[str, ...],
    task_memory: str,
    **options: Any,
) -> None:
    """Build the same graph as related build, from SOURCEs that all machines can access."""
    begun = time.monotonic()
    refused = Refused()
    paths = all_paths(paths, files_from, refused)
    memory = memory_bound(task_memory)
    cluster, rest = _cluster(options)
    with cluster.session() as session, ProgressLine() as progress:
        from whatsrelated.apps import spark

        graph = spark.build(
            session,
            paths,
            output,
            scratch=cluster.scratch,
            task_memory=memory,
            partitions=cluster.partitions,
            refused=refused,
            progress=progress,
            **rest,
        )
    say_read(graph, time.monotonic() - begun, refused)
    click.echo(f"{Path(output)}: {len(graph):,} pages, {graph.n_links:,} links")


@command.command(name="rank")
@graph_option
@click.option(
    "--by",
    type=click.Choice(DISTRIBUTED_RANKS),
    default="pagerank",
    show_default=True,
    help="The rank.",
)
@click.option("--accept", is_flag=True, help="Return the scores even if they did not converge.")
@options_of([ClusterOptions])
@options_of([RANKS[name] for name in DISTRIBUTED_RANKS])
def rank_command(graph: GraphChoice, by: str, **options: Any) -> None:
    """Rank all pages of a graph that all machines can access, and store the scores with it."""
    opened = graph.open()
    cluster, rest = _cluster(options)
    with cluster.session() as session, ProgressLine() as progress:
        from whatsrelated.apps import spark

        ranking = spark.rank(
            session,
            opened,
            by,
            scratch=cluster.scratch,
            partitions=cluster.partitions,
            progress=progress,
            **rest,
        )
    for note in ranking.notes:
        say(note)
    click.echo(f"{ranking.summary} Show the best pages with: related rank --by {by}")


@command.command(name="all")
@graph_option
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="Output folder, which all machines can access: *.parquet, *.csv or *.jsonl.",
)
@click.option("--by", default=DEFAULT_METHOD, show_default=True, help="The method.")
@click.option("--why", is_flag=True, help="Also write the reason for every result.")
@click.option("--ship", is_flag=True, help="Send the graph's files to every machine, once.")
@click.option(
    "--shards",
    type=click.IntRange(1),
    help="For cocitation and cpa: divide the pages into N ranges and move the links they need, to "
    "avoid random reads.",
)
@options_of([ClusterOptions])
@options_of([Request, *METHODS.values()], without=["clusters", "hints"])
def all_command(graph: GraphChoice, output: Path, by: str, **options: Any) -> None:
    """Write the related pages of every page of a graph, as `related to` would list them."""
    from whatsrelated.apps.spark.answers import require_new, write_answers
    from whatsrelated.apps.spark.session import stop_java

    require_new(output)
    opened = graph.open()
    cluster, rest = _cluster(options)
    with cluster.session() as session:
        from whatsrelated.apps import spark

        results = spark.related_all(session, opened, by, partitions=cluster.partitions, **rest)
        rows = write_answers(results, output, partial(stop_java, session))
    click.echo(f"{output}: {len(opened):,} pages, {rows:,} results")
