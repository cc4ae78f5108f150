"""coupling against its definition, and what it leaves out."""

from __future__ import annotations

from hypothesis import given

from tests.graphs import graph_of
from tests.methods.twins import Asked, graph_and_twin, same
from tests.reference.coupling import coupling
from tests.reference.graphs import questions


@given(questions())
def test_coupling_is_what_its_definition_says(asked: Asked) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists)
    same(graph, twin, query, coupling(twin, query, stop=stop), by="coupling", stop=stop)


def test_coupling_gives_up_the_most_common_children_first() -> None:
    crowd = [f"page{i} -> portal" for i in range(20)]
    graph = graph_of("u -> portal rare", "v -> rare", *crowd)
    assert len(graph.related("u", by="coupling", limit=100)) == 21
    few = graph.related("u", by="coupling", reads=10)
    assert [result.url for result in few] == ["v"]
    assert few[0].evidence["sentence"] == "“u” and “v” both link to “rare”."
    none = graph.related("page3", by="coupling", reads=10)
    assert none.notes[-1].endswith("raise reads")
