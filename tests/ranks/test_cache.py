"""Ranks cached beside the graph: reused, never confused, and repaired if damaged."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from whatsrelated import api
from whatsrelated.api import Graph
from whatsrelated.query import rankings
from whatsrelated.ranks import cache
from whatsrelated.ranks.hits import HitsRank
from whatsrelated.ranks.hubrank import HubRank
from whatsrelated.stream import Page

LINKS = [Page("a", ["b", "c", "d"]), Page("b", ["c"]), Page("d", ["a", "c"])]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    api.build(LINKS, tmp_path / "web.graph")
    return tmp_path / "web.graph"


def only_file(folder: Path, pattern: str) -> Path:
    (path,) = (folder / "ranks").glob(pattern)
    return path


def test_a_rank_is_computed_once_and_then_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = api.open(folder).rank("hits", tolerance=1e-8)

    def refuse(*arguments: Any, **more: Any) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(HitsRank, "compute", refuse)
    second = api.open(folder).rank("hits", tolerance=1e-8)
    assert second.by == HitsRank(tolerance=1e-8)
    assert (second.rounds, second.residual) == (first.rounds, first.residual)
    assert second.rounds > 3
    assert np.array_equal(second.scores, first.scores)
    assert np.array_equal(second.hubs, first.hubs)
    assert second["c"] == first["c"] > 0
    with pytest.raises(AssertionError, match="computed again"):
        api.open(folder).rank("hits", tolerance=1e-9)


def test_the_notes_of_a_rank_are_kept_with_it(tmp_path: Path) -> None:
    pages = [Page("a", ["x", "y"]), Page("b", ["p", "q"]), Page("c", ["z"])]
    api.build(pages, tmp_path / "web.graph")
    first, second = (api.open(tmp_path / "web.graph").rank("hits") for _ in range(2))
    assert "not unique" in first.notes[0]
    assert second.notes == first.notes
    assert not second.residuals


def test_every_set_of_options_is_kept_for_itself(folder: Path) -> None:
    out = api.open(folder).rank("hubrank")
    into = api.open(folder).rank("hubrank", bias="in")
    assert not np.allclose(out.scores, into.scores)
    assert np.array_equal(api.open(folder).rank("hubrank").scores, out.scores)
    assert len(list((folder / "ranks").glob("hubrank-*.json"))) == 2


def test_the_second_query_of_a_graph_reads_nothing(folder: Path) -> None:
    graph = api.open(folder)
    assert graph.rank("mbcc") is graph.rank("mbcc")


def damaged(folder: Path, expected: Any, change: Any) -> None:
    """Damage the cache; the rank must come out right, say so, and be cached again."""
    change()
    ranking = api.open(folder).rank("hubrank")
    assert ranking.notes
    assert ranking.notes[0].endswith("hubrank was computed again.")
    assert np.array_equal(ranking.scores, expected)
    again = api.open(folder).rank("hubrank")
    assert again.notes == ()
    assert np.array_equal(again.scores, expected)


def test_a_description_cut_at_any_byte_is_detected_and_repaired(folder: Path) -> None:
    expected = api.open(folder).rank("hubrank").scores
    path = only_file(folder, "hubrank-*.json")
    whole = path.read_bytes()
    for length in range(len(whole)):
        damaged(folder, expected, lambda length=length: path.write_bytes(whole[:length]))
    damaged(folder, expected, lambda: path.write_bytes(b"[1, 2]"))
    damaged(folder, expected, lambda: path.write_bytes(b"\xff\xfe"))


def test_scores_cut_or_changed_at_any_byte_are_noticed_and_made_good(folder: Path) -> None:
    expected = api.open(folder).rank("hubrank").scores
    path = only_file(folder, "hubrank-*.scores.npy")
    whole = path.read_bytes()
    for place in range(len(whole)):
        flipped = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        damaged(folder, expected, lambda flipped=flipped: path.write_bytes(flipped))
        damaged(folder, expected, lambda place=place: path.write_bytes(whole[:place]))
    damaged(folder, expected, path.unlink)


@pytest.mark.parametrize(
    ("field", "value"),
    [("version", 2), ("rank", "pagerank"), ("graph", "0" * 32), ("pages", 7), ("arrays", {})],
)
def test_a_rank_that_is_not_of_this_graph_is_not_used(
    folder: Path, field: str, value: object
) -> None:
    expected = api.open(folder).rank("hubrank").scores
    path = only_file(folder, "hubrank-*.json")
    description = json.loads(path.read_text())
    description[field] = value
    damaged(folder, expected, lambda: path.write_text(json.dumps(description)))


@pytest.mark.parametrize("scores", [[0.5] * 3, [0.25] * 5, [0.1, 0.2, np.nan, 0.1], [np.inf] * 4])
def test_signed_scores_of_other_pages_or_without_a_number_are_not_used(
    folder: Path, scores: list[float]
) -> None:
    expected = api.open(folder).rank("hubrank").scores
    path = only_file(folder, "hubrank-*.json")
    description = json.loads(path.read_text())

    def craft() -> None:
        described = cache._write_array(path, "scores", np.array(scores))
        path.write_text(json.dumps({**description, "arrays": {"scores": described}}))

    damaged(folder, expected, craft)
    damaged(folder, expected, lambda: path.write_text("[" * 100_000))


def test_a_rebuilt_graph_gets_a_new_rank_and_reports_it(folder: Path) -> None:
    old = api.open(folder).rank("hubrank")
    api.build([*LINKS, Page("c", ["e"])], folder)
    graph = api.open(folder)
    ranking = graph.rank("hubrank")
    assert "is for another graph" in ranking.notes[0]
    assert len(ranking) == len(graph) == len(old) + 1
    assert ranking.scores.sum() == pytest.approx(1)


def test_a_rank_is_returned_even_if_it_cannot_be_stored(folder: Path) -> None:
    (folder / "ranks").write_text("in the way")
    ranking = api.open(folder).rank("hubrank")
    assert ranking.scores.sum() == pytest.approx(1)
    assert any("could not be stored" in note for note in ranking.notes)


def test_scores_that_have_not_converged_are_not_cached(folder: Path) -> None:
    ranking = api.open(folder).rank("hubrank", max_rounds=2, accept=True)
    assert not ranking.converged
    assert not (folder / "ranks").exists()


def test_several_writers_at_once_leave_a_whole_rank(folder: Path) -> None:
    store = api.open(folder).store
    expected = HubRank().compute(store).scores
    writers = [
        threading.Thread(target=lambda: [Graph(store).rank("hubrank") for _ in range(5)])
        for _ in range(4)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = api.open(folder).rank("hubrank")
    assert found.notes == ()
    assert np.array_equal(found.scores, expected)


def test_shared_scores_cannot_be_changed(folder: Path) -> None:
    for graph in (api.open(folder), api.open(folder), Graph.from_links([("a", "b")])):
        with pytest.raises(ValueError, match="read-only"):
            graph.rank("hits").scores[0] = 1


def test_the_oldest_of_too_many_ranks_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_STORED", 3)
    for number in range(5):
        api.open(folder).rank("hits", tolerance=10.0 ** -(number + 3))
    described = [json.loads(path.read_bytes()) for path in (folder / "ranks").glob("*.json")]
    assert sorted(each["options"]["tolerance"] for each in described) == [1e-7, 1e-6, 1e-5]
    assert len(list((folder / "ranks").glob("*.npy"))) == 6


def test_a_graph_that_stores_only_usual_ranks_still_computes_others(folder: Path) -> None:
    graph = api.open(folder)
    graph.rankings.stores = False
    assert graph.rank("pagerank", damping=0.5)["c"] > 0
    assert not (folder / "ranks").exists()
    graph.rank("pagerank")
    assert len(list((folder / "ranks").glob("*.json"))) == 1


def test_few_ranks_are_held_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = api.open(folder)
    first = graph.rank("in-degree")
    for number in range(rankings.MAX_RANKS - 1):
        graph.rank("pagerank", damping=number / 10)
    assert graph.rank("in-degree") is first
    graph.rank("out-degree")
    assert len(graph.rankings._held) == rankings.MAX_RANKS
    assert graph.rank("in-degree") is first
