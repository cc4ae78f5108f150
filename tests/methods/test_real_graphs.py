"""The methods match their definitions on real Webs, from memory and from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.methods.against import assert_same
from tests.reference.companion import companion
from tests.reference.extended_cocitation import extended_cocitation
from tests.reference.hits import hits
from tests.reference.lli import lli
from tests.reference.plain_graph import PlainGraph
from whatsrelated import api
from whatsrelated.contract.sampling import draw
from whatsrelated.names.keys import sort_key

WEBS = {
    "randomized_algorithms": ("toronto/randomized_algorithms/adj_list", "nodes"),
    "computational_complexity": ("toronto/computational_complexity/adj_list", "nodes"),
    "california": ("california/gr0.California", None),
}


@pytest.fixture(scope="module", params=WEBS)
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tests.conftest import SHARED

    links, names = WEBS[request.param]
    source = SHARED / "data" / links
    settings = {"names_file": str(source.parent / names)} if names else {}
    path = tmp_path_factory.mktemp("web") / "web.graph"
    graph = api.build([source], path, urls="keep", **settings)
    url = graph.store.url
    lists = {
        url(page): [url(link) for link in graph.links_from(page).tolist()]
        for page in range(len(graph))
    }
    return graph, PlainGraph(lists, key=sort_key, draw=draw)


def asked(graph: api.Graph) -> list[str]:
    """Some pages: those with the most parents, the most links, and a few at random."""
    into = graph.store.in_degree(np.arange(len(graph)))
    out = graph.store.out_degree(np.arange(len(graph)))
    chance = np.random.default_rng(4).choice(np.flatnonzero(into > 2), 4, replace=False)
    pages = [np.argmax(into), np.argmax(out), *chance]
    return [graph.url(int(page)) for page in dict.fromkeys(pages)]


def test_every_page_has_its_place_in_both_graphs(shared: Path, web: Any) -> None:
    graph, plain = web
    assert graph.store.auto_site == plain.auto_site() == "host"
    assert [graph.url(page) for page in range(len(graph))] == plain.pages
    for page in range(0, len(graph), 97):
        parents = [graph.url(parent) for parent in graph.links_to(page).tolist()]
        assert parents == plain.parents[graph.url(page)]


def test_companion_and_hits_are_as_defined_on_a_real_web(shared: Path, web: Any) -> None:
    graph, plain = web
    for query in asked(graph):
        options: dict[str, Any] = {"parents": 20, "site": "host"}
        wanted = companion(plain, query, **options)
        answer = graph.related(query, by="companion", limit=10_000, chop=False, **options)
        assert_same(answer, plain, wanted.scores)
        assert answer.vicinity["pages"] == len(wanted.nodes)
        mirrors = sum(page != name for page, name in wanted.merged.items())
        assert answer.details["merged"] == mirrors
        options = {"parents": 10, "inlinks": 5, "site": "host"}
        answer = graph.related(query, by="hits", limit=10_000, chop=False, **options)
        assert_same(answer, plain, hits(plain, query, **options))


def test_hz03s_methods_are_as_defined_on_a_real_web(shared: Path, web: Any) -> None:
    graph, plain = web
    for query in asked(graph):
        options: dict[str, Any] = {"parents": 40, "site": "host"}
        degrees = extended_cocitation(plain, query, **options)
        told = {"limit": 10_000, "chop": False, **options}
        answer = graph.related(query, by="extended-cocitation", **told)
        assert_same(answer, plain, degrees.scores, degrees.ties)
        latent = lli(plain, query, **options)
        answer = graph.related(query, by="lli", **told)
        assert {result.url for result in answer} == set(latent.scores)
        for result in answer.results[:20]:
            for name, half in (("back", latent.back), ("forward", latent.forward)):
                seen = result.evidence[name]
                if seen is not None:
                    assert (seen["k"], seen["r"]) == (half.k, half.r)
                    similarity = half.similarity[result.url]
                    assert seen["similarity"] == pytest.approx(similarity, abs=1e-7)
