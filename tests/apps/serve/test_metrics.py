"""Counts for Prometheus."""

from __future__ import annotations

from tests.apps.serve import PAPER, serving
from tests.waiting import eventually
from whatsrelated.api import Graph


def test_the_metrics_count_what_was_served(graph: Graph) -> None:
    with serving(graph) as client:
        for _ in range(3):
            client.related(PAPER)
        client.get("/nowhere")
        # A request is counted when it has been answered, maybe after the next has begun.
        other = 'related_requests_total{route="other",status="404"} 1'
        eventually(lambda: other in client.get("/metrics").text.splitlines())
        lines = client.get("/metrics").text.splitlines()
    assert 'related_requests_total{route="/api/related",status="200"} 3' in lines
    assert "related_cache_hits_total 2" in lines
    assert f"related_graph_pages {len(graph)}" in lines
    counts = [line for line in lines if line.startswith("related_request_seconds_count")]
    assert 'related_request_seconds_count{route="/api/related"} 3' in counts
