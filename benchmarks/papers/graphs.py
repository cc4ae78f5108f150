"""What the parts of every paper share: graphs, random pages, and tables without data."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks.hubfinder import chosen
from tests.sources.test_shared import built
from whatsrelated import sample


@cache
def sample_web() -> wr.Graph:
    return wr.Graph.from_pages(sample.pages())


def graphs(data: Path, *names: str) -> Iterator[tuple[str, wr.Graph]]:
    """The graphs of these names, built for as long as they are used."""
    for name in names:
        with tempfile.TemporaryDirectory() as made:
            yield name, built(name, data, Path(made))


def random_urls(graph: wr.Graph, count: int) -> list[str]:
    """Random pages with links in and out, the same each time."""
    return [graph.url(page) for page in chosen(graph, count)]


def with_data(data: Path | None, *tables: Callable[[Path], None]) -> None:
    """Print the tables that need the data, or list on standard error those left out."""
    for print_table in tables:
        if data is None:
            what = (print_table.__doc__ or "").splitlines()[0]
            print(f"Skipped, there is no data: {what}", file=sys.stderr)
        else:
            print_table(data)


def middle(values: list[int]) -> str:
    """The median and the 90th percentile."""
    return "; ".join(f"{np.percentile(values, share):,.0f}" for share in (50, 90))
