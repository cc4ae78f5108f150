"""Small jobs, and the contents of their outputs."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from whatsrelated.api import Graph
from whatsrelated.apps.batch.job import Job
from whatsrelated.apps.batch.run import RunReport, answer_all

Rows = list[tuple[str, int, str, float]]


def job_for(graph: Graph, output: Path, by: str = "cocitation", **options: Any) -> Job:
    ending = output.name.removesuffix(".gz").rpartition(".")[2]
    batch = graph.batch(by, **options)
    return Job(batch, output, ending, len(graph), part_pages=150)


def answer(graph: Graph, output: Path, by: str = "cocitation", **options: Any) -> RunReport:
    return answer_all(graph, job_for(graph, output, by, **options), processes=1)


def rows_of(output: Path) -> Rows:
    """The results in an output, in its order."""
    name = output.name.removesuffix(".gz")
    data = gzip.decompress if output.name.endswith(".gz") else bytes
    if name.endswith(".parquet"):
        import pyarrow.parquet as pq

        listed = [
            row for part in sorted(output.glob("part-*")) for row in pq.read_table(part).to_pylist()
        ]
    elif name.endswith(".csv"):
        lines = data(output.read_bytes()).decode().splitlines()
        listed = list(csv.DictReader(lines))
    elif name.endswith(".sqlite"):
        with sqlite3.connect(output) as database:
            query = "SELECT url, position, related_url, score FROM answers"
            return database.execute(query).fetchall()
    else:
        pages = [json.loads(line) for line in data(output.read_bytes()).splitlines()]
        return [
            (page["url"], rank, result["url"], result["score"])
            for page in pages
            for rank, result in enumerate(page["results"], 1)
        ]
    return [
        (row["url"], int(row["position"]), row["related_url"], float(row["score"]))
        for row in listed
    ]


def expected_rows(graph: Graph, by: str = "cocitation", **options: Any) -> Rows:
    """What `related` answers for every page."""
    return [
        (url, rank, result.url, result.score)
        for url in graph
        for rank, result in enumerate(graph.related(url, by=by, **options), 1)
    ]


def digests(folder: Path) -> dict[str, str]:
    """The files of a folder and what is in them."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".")
    }
