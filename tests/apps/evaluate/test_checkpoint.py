"""An interrupted evaluation resumes where it stopped, and only with the same graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.apps.evaluate import experiment
from whatsrelated.apps.evaluate.checkpoint import Checkpoint
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.experiment import Experiment
from whatsrelated.apps.evaluate.gold import Judgments
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.errors import OptionError
from whatsrelated.methods.cpa import Cpa

GRAPH = graph_of("p -> u v w", "q -> u w x", "r -> v x")
JUDGMENTS = Judgments({"u": {"w": 1.0}, "v": {"x": 1.0}, "w": {"u": 1.0}, "x": {"v": 1.0}})


def outcome_of(
    by: str,
    file: Path | None = None,
    judgments: Judgments = JUDGMENTS,
    graph: Graph = GRAPH,
    **options: Any,
) -> Outcome:
    return Experiment(judgments, contenders(by), checkpoint=file, **options).run(graph).outcome


class Interrupting:
    """Counts queries, and interrupts after a given number."""

    def __init__(self, patched: pytest.MonkeyPatch, after: int) -> None:
        self.asked: list[str] = []
        self.after = after
        self.whole = experiment.ask_all
        patched.setattr(experiment, "ask_all", self)

    def __call__(self, *arguments: Any, **options: Any) -> Iterator[Any]:
        for number, answer in self.whole(*arguments, **options):
            if len(self.asked) == self.after:
                raise KeyboardInterrupt
            self.asked.append(answer.query)
            yield number, answer


def test_an_interrupted_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.jsonl"
    by = "cocitation,cpa"
    whole = outcome_of(by)
    Interrupting(monkeypatch, 5)
    with pytest.raises(KeyboardInterrupt):
        outcome_of(by, file)
    monkeypatch.undo()
    rest = Interrupting(monkeypatch, 99)
    outcome = outcome_of(by, file)
    assert rest.asked == ["v", "w", "x"]
    assert outcome.scores == whole.scores


def test_a_line_that_was_cut_short_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.jsonl"
    outcome_of("cpa", file)
    written = file.read_bytes()
    whole = outcome_of("cpa").scores
    last = written[:-1].rindex(b"\n") + 1
    for end in range(last, len(written)):
        file.write_bytes(written[:end])
        asked = Interrupting(monkeypatch, 99)
        assert outcome_of("cpa", file).scores == whole
        assert asked.asked == ["x"]
        monkeypatch.undo()


def test_other_queries_and_methods_reuse_stored_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.jsonl"
    outcome_of("cpa", file)
    fewer = Judgments({"u": {"v": 1.0}})
    asked = Interrupting(monkeypatch, 99)
    outcome = outcome_of("cpa,cpa(alpha=2)", file, fewer)
    assert asked.asked == ["u"]
    assert list(outcome.answers) == ["cpa", "cpa(alpha=2)"]


def test_a_checkpoint_of_another_graph_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    outcome_of("cpa", file)
    before = file.read_bytes()
    other = graph_of("p -> u v w", "q -> u w x", "r -> v w x")
    with pytest.raises(OptionError, match=r"kept\.jsonl is for another graph; delete it"):
        outcome_of("cpa", file, graph=other)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [({"limit": 5}, "for answers with --limit 10"), ({"unlinked": True}, "linked pages counted")],
)
def test_answers_to_another_question_are_refused(
    options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "kept.jsonl"
    outcome_of("cpa", file)
    with pytest.raises(OptionError, match=said):
        outcome_of("cpa", file, **options)


@pytest.mark.parametrize("text", ["hello\n", "{}\n", '["a"]\n'])
def test_a_foreign_file_is_not_overwritten(text: str, tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text(text)
    with pytest.raises(OptionError, match="is not a checkpoint of this program"):
        outcome_of("cpa", file)
    assert file.read_text() == text


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    outcome_of("cpa", file)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b"[1, 2]\n", *lines[2:]]))
    with pytest.raises(OptionError, match="line 3, is not a saved answer"):
        outcome_of("cpa", file)


def test_an_unwritable_place_is_reported(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot be used: No such file or directory"):
        outcome_of("cpa", tmp_path / "no" / "kept")


def test_failures_are_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.jsonl"
    odd = Judgments({"u": {"w": 1.0}, "p": {"u": 1.0}})
    monkeypatch.setattr(Cpa, "find", lambda self, question: 1 / 0)
    outcome = outcome_of("cpa", file, odd)
    errors = [one.error for one in outcome.answers["cpa"]]
    assert errors == ["ZeroDivisionError: division by zero"] * 2
    monkeypatch.undo()
    outcome = outcome_of("cpa", file, odd)
    assert [one.error for one in outcome.answers["cpa"]] == ["", ""]


def test_two_runs_do_not_share_a_file(tmp_path: Path) -> None:
    with (
        Checkpoint(tmp_path / "kept.jsonl", GRAPH, 10, False),
        pytest.raises(OptionError, match="another process is using the checkpoint"),
    ):
        outcome_of("cpa", tmp_path / "kept.jsonl")
