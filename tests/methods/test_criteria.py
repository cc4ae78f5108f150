"""hubfinder's criteria: ranks, HITS among the pages found, functions, installed ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.graph.store import Store
from whatsrelated.methods.criteria import CRITERIA
from whatsrelated.methods.hubfinder import HubFinder
from whatsrelated.ranks.hubrank import HubRank


def urls(answer: Any) -> list[str]:
    return [result.url for result in answer]


def out_degrees(pages: Any, graph: Graph) -> Any:
    return graph.store.out_degree(pages).astype(float)


def test_a_criterion_can_be_a_function_a_rank_or_its_name() -> None:
    graph = graph_of("u -> a b c", "a -> 1 2 3", "b -> 1 2 3 4", "c -> 1 2 3")
    by_number = graph.related("u", by="hubfinder", criterion=lambda pages: -pages.astype(float))
    assert urls(by_number) == ["a", "b", "c"]
    backwards = graph.related("u", by="hubfinder", criterion=lambda pages: pages)
    assert urls(backwards) == ["c", "b", "a"]
    places = {page: place for place, page in enumerate(map(graph.page, ["b", "c", "a", "u"]))}
    one_by_one = graph.related("u", by="hubfinder", criterion=lambda page: -places[page], steps=0)
    assert urls(one_by_one) == ["b", "c", "a"]
    choosy = graph.related("u", by="hubfinder", criterion=lambda page: 1 if page else 2, steps=0)
    assert [result.score for result in choosy] == [2 if r.page == 0 else 1 for r in choosy]
    by_value = graph.related("u", by=HubFinder(criterion=HubRank(bias="in")))
    by_rank = graph.rank("hubrank", bias="in")
    assert [result.score for result in by_value] == [by_rank[page] for page in urls(by_value)]
    assert by_value.options["criterion"].startswith("HubRank(damping=0.85, bias='in'")


@pytest.mark.parametrize(
    ("criterion", "error"),
    [
        (
            lambda pages: np.full(len(pages), np.nan),
            r"must return numbers, got nan for 1\.",
        ),
        (lambda pages: np.ones(len(pages) + 1), r"must return one score per page, got 4 for 3 "),
        (lambda pages: np.ones((len(pages), 2)), "must return one score per page"),
        (lambda pages: ["good"] * len(pages), r"must return numbers, got <U4\."),
        (lambda pages: pages * 1j, r"must return numbers, got complex128\."),
        ("magic", "no criterion 'magic'; choose local, .* No rank 'magic'"),
        ("hits:top", "no criterion 'hits:top'"),
        ("pagerank:hubs", "no criterion 'pagerank:hubs'; pagerank has no hubs"),
    ],
)
def test_an_unknown_criterion_is_an_error(criterion: Any, error: str) -> None:
    graph = graph_of("u -> a b c", "a -> 1 2 3", "b -> 1 2 3", "c -> 1 2 3")
    with pytest.raises(OptionError, match=rf"^hubfinder: .*{error}"):
        graph.related("u", by="hubfinder", criterion=criterion)


def fame(store: Store) -> Any:
    """A criterion as another package would install it."""
    return store.in_degree


def test_an_installed_package_can_add_a_criterion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CRITERIA.installed, "fame", f"{__name__}:fame")
    graph = graph_of("u -> a b", "a -> 1 2 b", "b -> 1 2 3")
    assert urls(graph.related("u", by="hubfinder", criterion="fame", steps=0)) == ["b", "a"]


def test_the_last_digits_of_a_score_do_not_decide_the_order() -> None:
    graph = graph_of("u -> x", "a -> u", "b -> u", "x -> c d")

    def nearly_alike(pages: Any) -> Any:
        return 1 - 1e-13 * (9 - pages.astype(float))

    options: dict[str, Any] = {"criterion": nearly_alike, "min_out": False}
    found = urls(graph.related("u", by="hubfinder", steps=0, inlinks=1, **options))
    assert found == ["a", "x"]
    found = urls(graph.related("x", by="hubfinder", steps=1, inlinks=9, **options))
    assert found == ["a", "c", "d", "u"]
