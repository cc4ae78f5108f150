"""The advice for a graph larger than memory: random reads, or sequential for full passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.apps.export import export
from whatsrelated.graph import advice


class Mapping:
    """Notes the advice that it is given."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def madvise(self, how: int) -> None:
        self.told.append(how)


def test_links_are_far_if_they_take_more_than_60_percent_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advice, "available_memory", lambda: 1000)
    assert advice.is_far(601)
    assert not advice.is_far(600)


def test_access_to_all_links_is_sequential_while_it_lasts() -> None:
    mapping: Any = Mapping()
    with advice.sequential([mapping]):
        assert mapping.told == [2]
    assert mapping.told == [2, 1]  # MADV_SEQUENTIAL, then MADV_RANDOM


@pytest.mark.parametrize("store", ["plain", "packed"])
def test_a_far_graph_gives_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    near = wr.build(sample.pages(), tmp_path / "web.graph", store=store)
    assert not near.store.is_far
    monkeypatch.setattr(advice, "available_memory", lambda: 1000)
    far = wr.open(tmp_path / "web.graph")
    assert far.store.is_far
    assert len(far.store.link_mappings) == 4
    for method in ("companion", "cocitation", "blend", "coupling"):
        answers = [graph.related("www.nytimes.com", by=method) for graph in (near, far)]
        assert len(answers[0])
        assert [(r.url, r.score) for r in answers[0]] == [(r.url, r.score) for r in answers[1]]
    assert far.store.check() is None


def test_an_export_of_a_far_graph_reads_its_links_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wr.build(sample.pages(), tmp_path / "web.graph", store="packed")
    monkeypatch.setattr(advice, "available_memory", lambda: 1000)
    far = wr.open(tmp_path / "web.graph")
    told: list[str] = []
    monkeypatch.setattr(advice, "advise", lambda mappings, how: told.append(how))
    export(far.store, tmp_path / "web.npy")
    assert told == ["SEQUENTIAL", "RANDOM"]
    assert np.load(tmp_path / "web.npy" / "links.npy").tolist() == (
        np.asarray(far.store.out_links).tolist()
    )
    again = wr.build(tmp_path / "web.npy", tmp_path / "again.graph")
    assert again.store.n_links == far.n_links
