"""An evaluation from beginning to end: ask, keep what was answered, add the runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.evaluation.checkpoint import Checkpoint
from whatsrelated.evaluation.crew import PATIENCE, ask_all
from whatsrelated.evaluation.experiment import without_linked
from whatsrelated.evaluation.outcome import Outcome
from whatsrelated.evaluation.runs import Run, check_labels, read_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from whatsrelated.api import Graph
    from whatsrelated.evaluation.contenders import Contender
    from whatsrelated.evaluation.experiment import Asked
    from whatsrelated.evaluation.gold import Judged
    from whatsrelated.stream import Progress

FLUSH = 1.0
"""Seconds after which the answers so far are safe in the checkpoint."""


def evaluate(
    graph: Graph,
    judged: Judged,
    contenders: Sequence[Contender],
    runs: Sequence[str] = (),
    *,
    limit: int = 10,
    unlinked: bool = False,
    named: str | None = None,
    processes: int = 0,
    patience: float = PATIENCE,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> tuple[Outcome, list[Run]]:
    """Every contender asked for every query, and the answers of run files beside them.

    With `unlinked`, pages that a query links to are neither gold nor answers.
    `named` is the contender whose unanswered queries are a group of their own.
    """
    golds = without_linked(graph, judged) if unlinked else judged.queries
    if not golds:
        raise ReadError("Every related page is linked from its query; measure without --unlinked.")
    queries = list(golds)
    read = [read_run(path, graph, queries, limit, unlinked) for path in runs]
    labels = [*(one.label for one in contenders), *(run.label for run in read)]
    check_labels(labels)
    if not labels:
        raise OptionError("evaluate: no method was named; give at least one, or a run.")
    if named is not None and named not in labels:
        raise OptionError(f"evaluate: {named!r:.80} is not measured; {', '.join(labels)} are.")
    work = [(number, query) for number in range(len(contenders)) for query in queries]

    def ask(missing: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Asked]]:
        return ask_all(
            graph,
            contenders,
            missing,
            limit=limit,
            unlinked=unlinked,
            processes=processes,
            patience=patience,
        )

    if checkpoint is None:
        answered = _told(ask(work), progress, 0, len(work))
        found = {(number, answer.query): answer for number, answer in answered}
    else:
        with Checkpoint(checkpoint, graph, limit, unlinked) as kept:
            found = {
                (number, query): answer
                for number, query in work
                if (answer := kept.get(contenders[number], query)) is not None
            }
            missing = [item for item in work if item not in found]
            flushed = time.monotonic()
            for number, answer in _told(ask(missing), progress, len(found), len(work)):
                found[number, answer.query] = answer
                kept.add(contenders[number], answer)
                if time.monotonic() - flushed > FLUSH:
                    kept.flush()
                    flushed = time.monotonic()
    answers = {
        one.label: [found[number, query] for query in queries]
        for number, one in enumerate(contenders)
    }
    outcome = Outcome(
        golds,
        {**answers, **{run.label: run.answers for run in read}},
        {query: len(graph.links_to(graph.page(query))) for query in queries},
        frozenset().union(*(run.unknown for run in read)),
        tuple(run.label for run in read),
        named,
    )
    return outcome, read


def _told(
    answers: Iterator[tuple[int, Asked]], progress: Progress | None, done: int, of: int
) -> Iterator[tuple[int, Asked]]:
    for at, answer in enumerate(answers, done + 1):
        if progress is not None:
            progress("asking", at, of)
        yield answer
