"""The tables of an experiment as data, the same for the terminal, JSON and the report.

Tables 3 to 7 are DH99's (sec. 4.2). Other common measures accompany Table 5, and Holm's correction
and effect sizes accompany Table 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import median
from typing import TYPE_CHECKING, Any

from whatsrelated.apps.evaluate import significance
from whatsrelated.apps.evaluate.outcome import MEASURES

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.outcome import Outcome, QueryGroup
    from whatsrelated.apps.evaluate.trials import Trial

TESTED = ("average_precision", "precision")
"""The measures that are tested, as in DH99."""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A table with its title and a sentence that explains it."""

    title: str
    sentence: str
    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class PairTest:
    """Tests of whether X is better than Y: one-sided p-values, raw and Holm-corrected, and effect
    sizes.

    `gain` is the difference of the means; `delta` is Cliff's delta, from -1 to 1.
    """

    group: str
    measure: str
    x: str
    y: str
    wins: int
    losses: int
    sign: float
    rank_sum: float
    sign_holm: float
    rank_sum_holm: float
    gain: float
    delta: float


PAIR_COLUMNS = {
    "wins": "wins",
    "losses": "losses",
    "sign": "sign",
    "sign_holm": "sign, Holm",
    "rank_sum": "rank-sum",
    "rank_sum_holm": "rank-sum, Holm",
    "gain": "difference",
    "delta": "Cliff's delta",
}
"""The columns of Table 6 and their names."""


def summary(outcome: Outcome, group: QueryGroup) -> ResultTable:
    """All measures over a group, with the methods in the given order."""
    rows = []
    for label in outcome.labels:
        trials = [outcome.by_query[label][query] for query in group.queries]
        means = [outcome.mean(label, measure, group) for measure in MEASURES]
        rows.append((label, sum(bool(one.urls) for one in trials), *means, median_ms(trials)))
    return ResultTable(
        f"{len(group.queries):,} queries: {group.name}",
        f"The mean of each measure over {group.sentence}; an unanswered query counts as 0.",
        ("method", "answered", *MEASURES.values(), "ms"),
        tuple(rows),
    )


def coverage(outcome: Outcome) -> ResultTable:
    """DH99's Table 3."""
    rows = []
    for label, answers in outcome.answers.items():
        rows.append(
            (
                label,
                sum(bool(one.urls) for one in answers),
                sum(len(one.urls) for one in answers),
                outcome.unopened(label),
                sum(bool(one.error) for one in answers),
            )
        )
    return ResultTable(
        "Table 3. Coverage",
        f"For each method: how many of the {len(outcome.golds):,} queries it answered, the number "
        "of answers, how many of those pages could not be opened, and how many queries failed.",
        ("method", "queries answered", "answers", "not opened", "failed"),
        tuple(rows),
    )


def per_query(outcome: Outcome) -> ResultTable:
    """DH99's Table 4 for every method: the pages and links read for each query, and the time."""
    columns = [(label, *_columns(outcome.answers[label])) for label in outcome.labels]
    head = ["query", "in-links", "related"]
    for label, *kinds in columns:
        head += [f"{label}: {kind}" for kind in ("answers", *kinds)]
    rows = []
    for query, gold in outcome.golds.items():
        related = sum(rating > 0 for rating in gold.values())
        row: list[Any] = [query, outcome.in_links.get(query), related]
        for label, *kinds in columns:
            one = outcome.by_query[label][query]
            row += [len(one.urls), *(_READ[kind](one) for kind in kinds)]
        rows.append(tuple(row))
    return ResultTable(
        "Table 4. Queries",
        "For each query: its in-links and related pages. For each method: the answers; the pages "
        "and links read (for cocitation, the siblings and those cocited at least twice); the "
        "iterations and last residual of iterative methods; and the CPU time in milliseconds.",
        tuple(head),
        tuple(rows),
    )


_READ = {
    "pages": lambda one: one.pages,
    "links": lambda one: one.links,
    "siblings": lambda one: one.siblings,
    "cocited twice": lambda one: one.cocited,
    "rounds": lambda one: one.rounds,
    "residual": lambda one: one.residual,
    "ms": lambda one: one.milliseconds,
}


def _columns(answers: Sequence[Trial]) -> list[str]:
    """The columns that a method has: none for a run, siblings for cocitation."""
    if not any(one.milliseconds for one in answers):
        return []
    siblings = any(one.siblings is not None for one in answers)
    read = ["siblings", "cocited twice"] if siblings else ["pages", "links"]
    iterates = any(one.rounds is not None for one in answers)
    return [*read, *(["rounds", "residual"] if iterates else []), "ms"]


def quality(outcome: Outcome) -> ResultTable:
    """DH99's Table 5."""
    head = ["method"]
    for measure in TESTED:
        head += [f"{MEASURES[measure]}, {group.name}" for group in outcome.groups]
    rows = [
        (label, *(outcome.mean(label, m, group) for m in TESTED for group in outcome.groups))
        for label in outcome.labels
    ]
    sizes = ", ".join(f"{len(group.queries):,} {group.name}" for group in outcome.groups)
    return ResultTable(
        "Table 5. Precision",
        f"Average precision and precision at 10 in three groups of queries: {sizes}.",
        tuple(head),
        tuple(rows),
    )


def pair_tests(outcome: Outcome) -> list[PairTest]:
    """DH99's Table 6: every ordered pair of methods, in every group, on both measures."""
    return [
        tested
        for group in outcome.groups
        if group.queries
        for measure in TESTED
        for tested in _pair_tests(outcome, group, measure)
    ]


def _pair_tests(outcome: Outcome, group: QueryGroup, measure: str) -> Iterator[PairTest]:
    values = {label: outcome.values(label, measure, group) for label in outcome.labels}
    pairs = list(permutations(outcome.labels, 2))
    signs = [significance.sign_test(values[x], values[y]) for x, y in pairs]
    sums = [significance.rank_sum_test(values[x], values[y]) for x, y in pairs]
    by_holm = zip(significance.holm(signs), significance.holm(sums), strict=True)
    for (x, y), sign, rank_sum, (sign_holm, sum_holm) in zip(
        pairs, signs, sums, by_holm, strict=True
    ):
        wins, losses = significance.wins_and_losses(values[x], values[y])
        yield PairTest(
            group.name,
            measure,
            x,
            y,
            wins,
            losses,
            sign,
            rank_sum,
            sign_holm,
            sum_holm,
            (sum(values[x]) - sum(values[y])) / len(group.queries),
            significance.cliffs_delta(values[x], values[y]),
        )


def p_values(
    outcome: Outcome, tests: Sequence[PairTest], group: QueryGroup, measure: str
) -> ResultTable:
    """Table 6 for one group and measure: sign tests of rows beating columns, Holm-corrected."""
    by_pair = {(t.x, t.y): t for t in tests if t.group == group.name and t.measure == measure}
    rows = [
        (x, *(None if x == y else by_pair[x, y].sign_holm for y in outcome.labels))
        for x in outcome.labels
    ]
    return ResultTable(
        f"Table 6. Is the row's method better than the column's? ({MEASURES[measure]}, "
        f"{group.name})",
        "One-sided sign test: the p-values after Holm's correction. A value below 0.05 is "
        "significant.",
        ("better than", *outcome.labels),
        tuple(rows),
    )


def all_p_values(tests: Sequence[PairTest], group: QueryGroup, measure: str) -> ResultTable:
    """Table 6 for one group and measure, one row per ordered pair, with both tests."""
    return ResultTable(
        f"Table 6. Both tests ({MEASURES[measure]}, {group.name})",
        "Is X better than Y? One-sided p-values of the sign test and the rank-sum test, raw "
        "and after Holm's correction; the difference of the means, and Cliff's delta.",
        ("X", "Y", *PAIR_COLUMNS.values()),
        tuple(
            (one.x, one.y, *(getattr(one, name) for name in PAIR_COLUMNS))
            for one in tests
            if (one.group, one.measure) == (group.name, measure)
        ),
    )


def all_tables(outcome: Outcome, tests: Sequence[PairTest]) -> list[ResultTable]:
    """Every table: the measures by group, DH99's Tables 3 to 7, and the cost."""
    groups = [group for group in outcome.groups if group.queries]
    tested = [
        table
        for group in groups
        for measure in TESTED
        if tests
        for table in (
            p_values(outcome, tests, group, measure),
            all_p_values(tests, group, measure),
        )
    ]
    return [
        *(summary(outcome, group) for group in groups),
        coverage(outcome),
        per_query(outcome),
        quality(outcome),
        *tested,
        overlap(outcome),
        costs(outcome),
    ]


def overlap(outcome: Outcome) -> ResultTable:
    """DH99's Table 7: the number of answers that two methods share, and as a fraction of the row's
    answers.
    """
    answers = {
        label: {(one.query, url) for one in trials for url in one.urls}
        for label, trials in outcome.answers.items()
    }

    def common(x: str, y: str) -> tuple[int, float | None]:
        both = len(answers[x] & answers[y])
        return both, both / len(answers[x]) if answers[x] else None

    rows = [(x, *(common(x, y) for y in outcome.labels)) for x in outcome.labels]
    return ResultTable(
        "Table 7. Overlap",
        "How many answers the row's and the column's methods share, and what fraction of the "
        "row's answers that is.",
        ("method", *outcome.labels),
        tuple(rows),
    )


def costs(outcome: Outcome) -> ResultTable:
    """The cost of a query: the vicinity it reads and its CPU time."""
    rows = []
    for label, answers in outcome.answers.items():
        if label in outcome.runs:
            continue
        times = sorted(one.milliseconds for one in answers if not one.error)
        if times:
            read = [one for one in answers if not one.error]
            rows.append(
                (
                    label,
                    median(one.pages for one in read),
                    median(one.links for one in read),
                    median(times),
                    times[min(len(times) - 1, int(0.95 * len(times)))],
                    times[-1],
                    sum(times) / 1000,
                )
            )
    return ResultTable(
        "Cost",
        "The pages and links that a query reads, and its CPU time: median, 95th percentile and "
        "maximum in milliseconds, and the total for all queries in seconds.",
        ("method", "pages", "links", "ms, median", "ms, 95 %", "ms, most", "s, all"),
        tuple(rows),
    )


def median_ms(answers: Sequence[Trial]) -> float | None:
    """The median time of the queries that did not fail; None for a run."""
    times = [one.milliseconds for one in answers if not one.error]
    return median(times) if any(times) else None
