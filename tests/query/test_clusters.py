"""Clusters of an answer: against their definition, and where a page has several meanings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.clusters import clusters, silhouette
from whatsrelated import sample
from whatsrelated.api import Graph
from whatsrelated.query import clusters as product
from whatsrelated.query.rankings import Rankings

JAGUAR = "https://en.wikipedia.org/wiki/Jaguar"


@given(st.integers(3, 9), st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 6]))
def test_the_division_is_that_of_the_definition(n: int, seed: int, apart: int) -> None:
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(n, 2)) + apart * draw.integers(0, 3, size=(n, 1))
    alike = np.exp(-np.abs(points[:, None] - points[None]).sum(axis=2) / 4)
    assert sorted(product.divide(alike)) == clusters(alike.tolist())
    with pytest.MonkeyPatch.context() as patch:  # the best division, however bad
        patch.setattr(product, "MIN_SILHOUETTE", -1.0)
        groups = product.divide(alike)
    assert sorted(groups) == clusters(alike.tolist(), least=-1.0)
    if len(groups) > 1:
        assert product.silhouette(alike, groups) == pytest.approx(silhouette(alike, groups))


def test_pages_are_similar_by_the_sites_that_link_to_both() -> None:
    graph = graph_of(
        "https://p.org/1 -> https://a.org/ https://b.org/",
        "https://p.org/2 -> https://a.org/ https://b.org/",
        "https://q.org/ -> https://a.org/ https://c.org/",
        "https://r.org/ -> https://a.org/",
        "https://a.org/ -> https://z.org/",
        "https://c.org/ -> https://z.org/",
        "https://x.org/ -> https://d.org/",
    )
    pages = [graph.page(f"https://{name}.org/") for name in "abcd"]
    alike = product.latent_similarity(graph.store, pages, Rankings(graph.store))
    # By hand: a has the columns p, q and child z; b has p; c has q and z; d shares nothing.
    expected = np.eye(4)
    expected[0, 1] = expected[1, 0] = 1 / 3**0.5
    expected[0, 2] = expected[2, 0] = 2 / 6**0.5
    assert alike == pytest.approx(expected)


@pytest.fixture(scope="module")
def web() -> Graph:
    return Graph.from_pages(sample.pages())


@pytest.mark.parametrize("by", ["lli", "pagesim"])
def test_jaguar_is_a_car_an_animal_and_a_football_club(web: Graph, by: str) -> None:
    answer = web.related(JAGUAR, by="cocitation", limit=16, clusters=by)
    assert answer.clusters is not None
    clusters = [{answer[place - 1].url for place in one.places} for one in answer.clusters]
    apart = {"https://panthera.org/", "https://www.jaguar.com/", "https://www.jaguars.com/"}
    assert len(clusters) == 3
    assert all(len(cluster & apart) == 1 for cluster in clusters)
    assert {"https://www.bmw.com/", "https://www.jaguar.com/"} <= clusters[2]
    assert answer.as_dict()["clusters"][0]["positions"] == list(answer.clusters[0].places)
    plain = web.related(JAGUAR, by="cocitation", limit=16)
    assert [result.url for result in plain] == [result.url for result in answer]
    assert "clusters" not in plain.as_dict()


def test_an_answer_about_one_thing_is_one_cluster(web: Graph) -> None:
    answer = web.related("https://www.bmw.com/", by="companion", clusters="lli")
    assert answer.clusters is not None
    assert [one.places for one in answer.clusters] == [tuple(range(1, 11))]
    assert answer.cluster_numbers() == [1] * 10


def test_results_beyond_the_limit_are_not_clustered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(product, "MAX_RESULTS", 2)
    monkeypatch.setattr("whatsrelated.query.ask.MAX_RESULTS", 2)
    answer = graph_of("p -> u a b c").related("u", by="cocitation", clusters="lli")
    assert answer.cluster_numbers() == [1, 1, None]
    assert answer.notes[-1] == "Only the first 2 results are divided into clusters."
    empty = graph_of("p -> u").related("u", by="cocitation", clusters="lli")
    assert empty.clusters == []
