"""A job that tests/spark/test_cluster.py submits: build, rank and answer in one application.

It is submitted by spark-submit, and uses the functions of the package as people's own jobs
do.  After each step it writes a file, so that whoever waits knows how far it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whatsrelated import spark


def main(folder: Path, sources: list[str]) -> None:
    with spark.session() as session:
        session.sparkContext.setLogLevel("ERROR")
        graph = spark.build(session, sources, folder / "many.graph", partitions=2)
        (folder / "built").touch()
        spark.rank(session, graph, "pagerank", tolerance=1e-3, partitions=2)
        rows = spark.related_all(session, graph, "cocitation", limit=5, partitions=2, ship=True)
        found = sorted(tuple(row) for row in rows.collect())
        hashes = session.range(0, 100_000, 997).selectExpr("hash(cast(id as int)) as hash")
        (folder / "hashes.txt").write_text(" ".join(str(row["hash"]) for row in hashes.collect()))
        (folder / "answers.txt").write_text("\n".join(map(repr, found)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
