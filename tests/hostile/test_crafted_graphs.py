"""A crafted graph with correct checksums is rejected, or answers without harm.

`RELATED_CRAFTED` sets the number of graphs of each kind; each takes about two seconds.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.hostile.crafting import answers, faults
from tests.hostile.processes import Forks
from whatsrelated.graph.saving import repack

CRAFTED = int(os.environ.get("RELATED_CRAFTED", "4"))


@pytest.fixture(scope="module")
def packed_graph(small_graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small graph with packed links."""
    graph = tmp_path_factory.mktemp("packed") / "web.graph"
    shutil.copytree(small_graph, graph)
    assert repack(graph, packed=True).is_packed
    return graph


@pytest.mark.parametrize("kind", ["small_graph", "packed_graph"])
def test_the_graph_as_it_was_answers_every_question(
    kind: str, forks: Forks, request: pytest.FixtureRequest
) -> None:
    for question, run in answers(forks, request.getfixturevalue(kind)):
        assert run.is_tidy, f"{question}: {run}"
        assert run.status == 0 or question.startswith(("common", "pages te")), f"{question}: {run}"


@pytest.mark.parametrize(
    ("kind", "only"),
    [
        ("small_graph", ""),
        ("packed_graph", ""),
        ("packed_graph", ".packed"),
        ("small_graph", ".scores"),
        ("small_graph", ".text"),
    ],
)
def test_no_crafted_graph_does_harm(
    kind: str, only: str, tmp_path: Path, forks: Forks, request: pytest.FixtureRequest
) -> None:
    graph = request.getfixturevalue(kind)
    found = list(faults(forks, graph, tmp_path / "web.graph", range(CRAFTED), only))
    assert not found, "\n".join(f"{what}: {run}" for what, run in found[:5])
