"""The reasons of the default: shares that add up, and pages that hardly any part found."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of


def test_the_shares_of_all_parts_add_up_to_one() -> None:
    graph = graph_of("tea -> cup", "list -> tea cup cake", "shelf -> cake tea", "cup -> cake")
    for result in graph.related("tea"):
        parts = result.evidence["parts"]
        assert sum(part["share"] for part in parts) == pytest.approx(1)
        assert [part["share"] for part in parts] == sorted(
            (part["share"] for part in parts), reverse=True
        )


def test_a_page_that_only_one_site_lists_has_its_shared_parent_as_a_reason() -> None:
    u, v, common = "https://u.org/", "https://v.org/", "https://c.org/ https://d.org/"
    parents = [f"https://p{number}.org/" for number in range(150)]
    lists = [
        f"{parent} -> {u} " + " ".join(f"{parent}{number}" for number in range(300))
        for parent in parents
    ]
    agreed = [f"{parent} -> {common}" for parent in parents[1:3]]
    graph = graph_of(*lists, *agreed, f"{parents[0]} -> {v}")
    result = next(one for one in graph.related(u, limit=10**6) if one.url == v)
    (part,) = result.evidence["parts"]
    assert (part["by"], part["score"], part["shared_parents"]) == ("cpa", 0.0, 1)
    assert result.evidence["sentence"] == part["sentence"]
