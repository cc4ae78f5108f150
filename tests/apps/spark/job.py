"""A job that tests/apps/spark/test_cluster.py submits: build, rank and answer in one application.

It runs under spark-submit and uses both the functions of the package, as a user's job does,
and its commands.  It writes a file after the build, for the waiting test.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whatsrelated.apps import spark
from whatsrelated.cli import related

ANSWERS = {
    "shipped.parquet": ("--ship",),
    "shards.parquet": ("--shards", "3", "--no-chop"),
    "why.jsonl": ("--why", "--by", "companion"),
}
"""What is written by `related spark all`, and the options of each."""


def main(folder: Path, sources: list[str]) -> None:
    with spark.session() as session:
        session.sparkContext.setLogLevel("ERROR")
        graph = spark.build(session, sources, folder / "many.graph", partitions=2)
        (folder / "built").touch()
        spark.rank(session, graph, "pagerank", tolerance=1e-3, partitions=2)
        for name, options in ANSWERS.items():
            words = ["spark", "all", "-g", str(folder / "many.graph"), "-o", str(folder / name)]
            words += ["--by", "cocitation", "--limit", "5", "--partitions", "2", *options]
            related.main(words, standalone_mode=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
