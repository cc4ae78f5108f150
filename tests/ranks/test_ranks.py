"""Common to all ranks: options, values, errors, and nearly empty graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.ranks.definitions import assert_scores, built, in_both_precisions
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists
from tests.test_contract import out_of_bounds
from whatsrelated.api import Graph
from whatsrelated.errors import NotConverged, OptionError, PageNotFound
from whatsrelated.options import declared_options
from whatsrelated.ranks import RANKS
from whatsrelated.ranks.pagerank import PageRank

every_rank = pytest.mark.parametrize("name", list(RANKS))


SURFERS: dict[str, tuple[str, list[float], Any, Callable[[float], float]]] = {
    "pagerank": ("damping", [0.0, 0.5, 0.85, 0.99], reference.pagerank, lambda d: 1 - d),
    "randomized-hits": ("epsilon", [0.05, 0.15, 0.8, 1.0], reference.randomized_hits, lambda e: e),
    "mbcc": ("beta", [0.0, 0.5, 0.9], reference.mbcc, lambda b: 1 - b),
}
"""For each random-surfer rank: an option, values of it, the definition, and its convergence."""


@in_both_precisions
@pytest.mark.parametrize("name", SURFERS)
@given(lists=link_lists(), data=st.data())
def test_a_surfers_rank_is_its_definition(
    name: str, lists: LinkLists, tolerance: float, within: float, data: st.DataObject
) -> None:
    option, values, definition, converges = SURFERS[name]
    value = data.draw(st.sampled_from(values))
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank(name, **{option: value}, tolerance=tolerance, max_rounds=5000)
    assert_scores(graph, ranking, definition(plain, value), within / converges(value))


@every_rank
def test_every_bound_of_every_option_is_enforced(name: str) -> None:
    rank = RANKS[name]
    for field, declared in declared_options(rank).items():
        for wrong in out_of_bounds(declared):
            with pytest.raises(OptionError, match=f"^{name}: {field} must be "):
                rank(**{field: wrong})


@every_rank
def test_a_rank_is_a_value(name: str) -> None:
    rank = RANKS[name]
    assert rank() == rank()
    assert hash(rank()) == hash(rank())
    assert rank().name == name
    assert eval(repr(rank()), {rank.__name__: rank}) == rank()


def test_the_errors_list_what_exists() -> None:
    graph = graph_of("a -> b")
    with pytest.raises(OptionError, match=r"No rank 'magic'; choose from pagerank, hubrank, "):
        graph.rank("magic")
    with pytest.raises(OptionError, match=r"pagerank has no option 'bias'; it has: damping, "):
        graph.rank("pagerank", bias="in")
    with pytest.raises(OptionError, match=r"pagerank already has its options"):
        graph.rank(PageRank(), damping=0.5)
    with pytest.raises(OptionError, match="threads must be a whole number, at least 1, got 0"):
        graph.rank("pagerank", threads=0)
    with pytest.raises(PageNotFound, match=r"No page nowhere in the graph"):
        graph.rank("pagerank", teleport="nowhere")


GRAPHS = {
    "no page": Graph.from_links([]),
    "one page": graph_of("alone"),
    "no links": graph_of("a", "b", "c"),
    "one link": graph_of("a -> b"),
    "a pair": graph_of("a -> b", "b -> a"),
    "all but one without links": graph_of("a -> b c d e"),
}


@every_rank
@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-10])
def test_a_tiny_graph_has_trivial_scores(name: str, kind: str, tolerance: float) -> None:
    graph = GRAPHS[kind]
    options: dict[str, Any] = {"tolerance": tolerance} if "degree" not in name else {}
    ranking = graph.rank(name, **options)
    assert len(ranking) == len(graph)
    for scores in (ranking.scores, ranking.hubs):
        if scores is None:
            continue
        assert np.isfinite(scores).all()
        assert (scores >= 0).all()
        size = np.linalg.norm(scores) if name == "hits" else scores.sum()
        none = not len(graph) or (name == "hits" and not graph.n_links)
        assert size == pytest.approx(0 if none else 1, abs=1e-6)
    assert len(ranking.top(3)) == min(3, len(graph))


def test_scores_without_links_are_all_the_same() -> None:
    graph = GRAPHS["no links"]
    for name in ("pagerank", "hubrank", "randomized-hits", "mbcc", "in-degree", "out-degree"):
        assert graph.rank(name).scores.tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("name", ["hubrank", "hits", "randomized-hits", "mbcc"])
def test_every_rank_that_iterates_can_fail_to_converge(name: str) -> None:
    graph = graph_of("a -> b c d", "b -> c a", "c -> a", "d -> c", "e -> d")
    with pytest.raises(NotConverged, match=f"^{name}: round 1 still"):
        graph.rank(name, max_rounds=1)
    assert graph.rank(name, max_rounds=1, accept=True).rounds == 1


def test_a_question_that_needs_a_rank_reports_its_progress() -> None:
    lines = ("u -> a b c", "a -> 1 2 3", "b -> 1 2 3 4")
    for ask in (Graph.related, Graph.compare):
        lines_seen: list[str] = []
        by: Any = "hubfinder" if ask is Graph.related else ["hubfinder", "cocitation"]
        ask(
            graph_of(*lines),
            "u",
            by=by,
            progress=lambda *line, seen=lines_seen: seen.append(line[0]),
        )
        assert lines_seen
        assert all(line.startswith("hubrank, change ") for line in lines_seen)
