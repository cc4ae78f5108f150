"""An experiment measures methods, and runs of other programs, against gold.

It holds the gold, the contenders and the settings. `run` runs every query with every contender on a
graph, reads the runs of other programs, and measures both.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whatsrelated import Lli
from whatsrelated.apps.evaluate import latent, tables
from whatsrelated.apps.evaluate.checkpoint import Checkpoint
from whatsrelated.apps.evaluate.list_members import pages_of
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.runs import RunFile, check_labels, read_run
from whatsrelated.apps.evaluate.trials import PATIENCE, ask_all, unlinked_gold
from whatsrelated.errors import OptionError, ReadError

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.contenders import Contender
    from whatsrelated.apps.evaluate.gold import Gold, Judgments
    from whatsrelated.apps.evaluate.latent import LatentSimilarities
    from whatsrelated.apps.evaluate.tables import PairTest
    from whatsrelated.apps.evaluate.trials import Trial
    from whatsrelated.stream import Progress

    OnGold = Callable[[Judgments, Judgments], None]


@dataclass(frozen=True)
class Findings:
    """The results of an experiment; `about` describes the graph, the gold and the settings."""

    outcome: Outcome
    about: dict[str, Any] = field(default_factory=dict)
    runs: tuple[RunFile, ...] = ()
    latent: tuple[LatentSimilarities, ...] = ()

    @cached_property
    def tests(self) -> list[PairTest]:
        """Tests of every ordered pair of methods (DH99's Table 6)."""
        return tables.pair_tests(self.outcome)


@dataclass(frozen=True)
class Experiment:
    """The methods to compare, the gold to use and the settings.

    `sample` queries are drawn with the seed `draw` from those with at least `least` related pages;
    if `least` is 0, queries without related pages count too. With `unlinked`, pages that a query
    links to are neither gold nor answers; None leaves the choice to the gold. Queries that
    `unanswered_by` did not answer form a separate group. The report shows how lli computes its
    similarities for the queries in `look_at` or, with `latent`, for a query that the methods
    answered well.
    """

    gold: Gold
    contenders: Sequence[Contender] = ()
    runs: Sequence[str] = ()
    sample: int | None = None
    least: int = 0
    draw: int = 0
    limit: int = 10
    unlinked: bool | None = None
    unanswered_by: str | None = None
    processes: int = 0
    patience: float = PATIENCE
    checkpoint: str | Path | None = None
    look_at: Sequence[str] = ()
    latent: bool = False

    @property
    def leaves_out_linked(self) -> bool:
        """Whether pages that a query links to are left out."""
        return self.gold.unlinked if self.unlinked is None else self.unlinked

    def run(
        self,
        graph: Graph,
        *,
        name: str = "",
        progress: Progress | None = None,
        on_gold: OnGold | None = None,
    ) -> Findings:
        """Run and measure all queries; `on_gold` is called with all judgments and with the
        sample.
        """
        for query in self.look_at:
            graph.page(query)
        with tempfile.TemporaryDirectory(prefix="related-") as scratch:
            queried, judgments = self.gold.judge(graph, Path(scratch), self.draw)
            drawn = judgments.sample(self.sample, self.least, self.draw)
            if on_gold is not None:
                on_gold(judgments, drawn)
            outcome, runs = self.measure(queried, drawn, progress)
            shown = self._latent(queried, outcome) if self.latent or self.look_at else ()
        graph_facts = {"name": name, "pages": len(queried), "links": queried.n_links}
        about = {
            "graph": graph_facts,
            "gold": str(self.gold),
            "unlinked": self.leaves_out_linked,
            "limit": self.limit,
            "refused": judgments.refused.counts,
        }
        return Findings(outcome, about, tuple(runs), tuple(shown))

    def measure(
        self, graph: Graph, judgments: Judgments, progress: Progress | None = None
    ) -> tuple[Outcome, list[RunFile]]:
        """The results for these judgments on this graph, and the runs that were read."""
        golds: Mapping[str, Mapping[str, float]] = judgments.queries
        if self.leaves_out_linked:
            golds = unlinked_gold(graph, golds)
        if not golds:
            raise ReadError("Every query links to all its related pages; leave out --unlinked.")
        queries = list(golds)
        runs = [
            read_run(path, graph, queries, self.limit, self.leaves_out_linked) for path in self.runs
        ]
        self._check([run.label for run in runs])
        unknown = frozenset[str]().union(*(run.unknown for run in runs))
        golds = {
            query: {**gold, **_answered(judgments.elsewhere.get(query, {}), unknown)}
            for query, gold in golds.items()
        }
        trials = self._ask(graph, queries, progress)
        answers = {
            one.label: [trials[number, query] for query in queries]
            for number, one in enumerate(self.contenders)
        }
        outcome = Outcome(
            golds,
            {**answers, **{run.label: run.answers for run in runs}},
            {query: _in_links(graph, query) for query in queries},
            unknown,
            tuple(run.label for run in runs),
            self.unanswered_by,
        )
        return outcome, runs

    def _latent(self, graph: Graph, outcome: Outcome) -> list[LatentSimilarities]:
        """How each lli contender computed its similarities."""
        ours = [one for one in self.contenders if isinstance(one.method, Lli)] or [latent.LLI]
        return [
            shown
            for contender in ours
            for shown in latent.of_queries(graph, outcome, self.look_at, contender)
        ]

    def _check(self, runs: Sequence[str]) -> None:
        labels = [*(one.label for one in self.contenders), *runs]
        check_labels(labels)
        if not labels:
            raise OptionError("evaluate: name at least one method, or add a run with --run.")
        if self.unanswered_by is not None and self.unanswered_by not in labels:
            raise OptionError(
                f"evaluate: {self.unanswered_by!r:.80} is not among the methods measured: "
                f"{', '.join(labels)}."
            )

    def _ask(
        self, graph: Graph, queries: Sequence[str], progress: Progress | None
    ) -> dict[tuple[int, str], Trial]:
        """Run every query that the checkpoint has no answer for, with every contender."""
        work = [(number, query) for number in range(len(self.contenders)) for query in queries]
        limit, unlinked = self.limit, self.leaves_out_linked
        with (
            nullcontext()
            if self.checkpoint is None
            else Checkpoint(self.checkpoint, graph, limit, unlinked)
        ) as checkpoint:
            trials: dict[tuple[int, str], Trial] = {}
            if checkpoint is not None:
                trials = checkpoint.trials(self.contenders, work)
            missing = [item for item in work if item not in trials]
            results = ask_all(
                graph,
                self.contenders,
                missing,
                limit=limit,
                unlinked=unlinked,
                processes=self.processes,
                patience=self.patience,
            )
            for number, trial in results:
                trials[number, trial.query] = trial
                if checkpoint is not None:
                    checkpoint.add(self.contenders[number], trial)
                if progress is not None:
                    progress("asking", len(trials), len(work))
        return trials


def _answered(ratings: Mapping[str, float], unknown: frozenset[str]) -> dict[str, float]:
    """The ratings of pages outside the graph that any run returned."""
    return {page: rating for page, rating in ratings.items() if page in unknown}


def _in_links(graph: Graph, query: str) -> int:
    return sum(len(graph.links_to(graph.page(page))) for page in pages_of(query))
