"""HITS around a page against its definition."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.methods.against import assert_same, graph_from
from tests.reference.graphs import LinkLists, questions
from tests.reference.hits import hits
from tests.reference.plain_graph import PlainGraph
from whatsrelated.contract.sampling import draw

Asked = tuple[LinkLists, str, frozenset[str]]


SITES = st.sampled_from(["auto", "host", "domain", "page"])


@given(questions(max_pages=26), st.integers(0, 5), st.integers(0, 4), SITES, st.integers(0, 3))
def test_hits_is_what_its_definition_says(
    asked: Asked, parents: int, inlinks: int, site: str, seed: int
) -> None:
    lists, query, stop = asked
    options: dict[str, Any] = {"parents": parents, "inlinks": inlinks, "site": site, "seed": seed}
    plain = PlainGraph(lists, draw=draw)
    scores = hits(plain, query, stop=stop, **options)
    answer = graph_from(lists).related(
        query, by="hits", chop=False, limit=1000, stop=stop, **options
    )
    assert_same(answer, plain, scores)
