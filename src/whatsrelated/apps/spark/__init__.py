"""Compute the same graphs, ranks and answers on Spark, for data too large for one machine.

    from whatsrelated.apps import spark

    with spark.session("spark://master:7077") as session:
        graph = spark.build(session, ["links.tsv"], "web.graph")
        spark.rank(session, graph, "pagerank")
        rows = spark.related_all(session, graph, "cocitation", limit=10)

All functions take a SparkSession, ours or your own. The sources, the scratch folder and the graph
must be in folders that all machines can access at the same path.
"""

from __future__ import annotations

from whatsrelated.apps.spark.functions import build, rank, related_all
from whatsrelated.apps.spark.session import spark_session as session

__all__ = ["build", "rank", "related_all", "session"]
