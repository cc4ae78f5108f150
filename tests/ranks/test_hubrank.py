"""HubRank against its definition, and what sets it apart from PageRank."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.ranks.definitions import assert_scores, built, in_both_precisions
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists


@in_both_precisions
@given(
    lists=link_lists(),
    bias=st.sampled_from(["out", "in"]),
    matrix=st.sampled_from(["plain", "transposed"]),
)
def test_hubrank_is_its_definition(
    lists: LinkLists, bias: str, matrix: str, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("hubrank", bias=bias, matrix=matrix, tolerance=tolerance)
    assert_scores(graph, ranking, reference.hubrank(plain, bias=bias, matrix=matrix), within)


def test_a_good_hub_rises_and_an_authority_without_links_falls_from_pagerank_to_hubrank() -> None:
    graph = graph_of(
        "hub -> b1 b2 b3 b4 b5 b6 b7 b8",
        "fan1 -> hub end",
        "fan2 -> end b1",
        "fan3 -> end b2",
        "b1 -> end b5",
        "b2 -> end b6",
        "b3 -> b4",
    )
    before = [result.url for result in graph.rank("pagerank").top(100)]
    after = [result.url for result in graph.rank("hubrank").top(100)]
    assert before[0] == "end"
    assert before.index("hub") > 3
    assert after[0] == "hub"
    assert after.index("end") > before.index("end")
