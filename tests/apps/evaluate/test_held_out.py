"""Links are held out by a seed, and each can still be found."""

from __future__ import annotations

from pathlib import Path

import pytest

import whatsrelated as wr
from tests.graphs import graph_of
from whatsrelated.apps.evaluate.gold import Judgments
from whatsrelated.apps.evaluate.held_out import HeldOutLinks
from whatsrelated.errors import OptionError

NAMES = [f"p{number}" for number in range(40)]
LINKS = [(a, b) for i, a in enumerate(NAMES) for j, b in enumerate(NAMES) if i != j and i * j % 3]


def held_out(graph: wr.Graph, share: float, seed: int, folder: Path) -> tuple[wr.Graph, Judgments]:
    return HeldOutLinks(share).judge(graph, folder, seed)


def pairs(graph: wr.Graph) -> set[tuple[str, str]]:
    return {
        (graph.url(page), graph.url(int(child)))
        for page in range(len(graph))
        for child in graph.links_from(page)
    }


@pytest.fixture(scope="module")
def graph() -> wr.Graph:
    return wr.Graph.from_links(LINKS, titles={"p3": "The third"})


def test_held_out_and_remaining_links_are_all_links(graph: wr.Graph, tmp_path: Path) -> None:
    left, judgments = held_out(graph, 0.3, 0, tmp_path)
    away = {(query, page) for query, gold in judgments.queries.items() for page in gold}
    assert pairs(left) | away == pairs(graph)
    assert not pairs(left) & away
    assert 0.2 < len(away) / len(LINKS) < 0.4
    assert left.title(left.page("p3")) == "The third"
    assert len(left) == len(graph)


def test_both_directions_of_a_pair_go_together(graph: wr.Graph, tmp_path: Path) -> None:
    _, judgments = held_out(graph, 0.3, 0, tmp_path)
    whole = pairs(graph)
    for query, gold in judgments.queries.items():
        for page in gold:
            assert (page, query) not in whole or query in judgments.queries[page]


def test_the_same_seed_draws_the_same_links_and_another_others(
    graph: wr.Graph, tmp_path: Path
) -> None:
    drawn = [held_out(graph, 0.2, seed, tmp_path)[1].queries for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_last_link_of_a_page_and_to_a_page_stays(tmp_path: Path) -> None:
    graph = graph_of("a -> b c d e", "b -> c", "c -> d", "d -> e a", "f -> a b")
    left, _ = held_out(graph, 0.95, 1, tmp_path)
    for page in range(len(graph)):
        assert bool(len(left.links_from(page))) == bool(len(graph.links_from(page)))
        assert bool(len(left.links_to(page))) == bool(len(graph.links_to(page)))


def test_a_graph_with_no_link_to_spare_is_reported(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"a share of 0\.9 holds out none of 2 links"):
        held_out(graph_of("a -> b", "c -> d"), 0.9, 0, tmp_path)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, float("nan")])
def test_an_invalid_share_is_reported(share: float, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="must be above 0 and below 1"):
        held_out(graph_of("a -> b c"), share, 0, tmp_path)
