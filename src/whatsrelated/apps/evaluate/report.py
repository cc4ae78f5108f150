"""The report of an experiment: one self-contained HTML page.

It loads no script, font or image, and follows the reader's light or dark theme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from whatsrelated.apps.evaluate import latent, plots, tables
from whatsrelated.apps.evaluate.conclusions import conclusions
from whatsrelated.apps.evaluate.outcome import AT, MEASURES
from whatsrelated.contract.markup import render_report

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.experiment import Findings
    from whatsrelated.apps.evaluate.latent import LatentSimilarities
    from whatsrelated.apps.evaluate.outcome import Outcome, QueryGroup
    from whatsrelated.apps.evaluate.tables import PairTest, ResultTable

MAX_FAILURES = 30
"""Maximum number of errors listed."""
MAX_QUERIES = 200
"""Maximum number of queries in Table 4."""


def report(findings: Findings) -> str:
    """The whole page."""
    outcome = findings.outcome
    first = outcome.groups[0]
    recalls = {
        label: outcome.mean(label, "capped_recall", first) or 0.0 for label in outcome.labels
    }
    best_first = sorted(recalls, key=lambda label: -recalls[label])
    groups = [group for group in outcome.groups if group.queries]
    similarities = groupby(findings.latent, key=lambda one: (one.query, one.method))
    return render_report(
        plots.PACKAGE,
        "evaluation.html",
        title=f"Evaluation: {findings.about['gold']}",
        verb="evaluate",
        at=AT,
        outcome=outcome,
        conclusions=conclusions(findings),
        facts=_facts(findings),
        best_first=best_first,
        colours={label: plots.colour(i) for i, label in enumerate(outcome.labels)},
        summaries=[_summary(outcome, group) for group in groups],
        curves=[_curves(outcome, group, best_first) for group in groups],
        tests=list(_tests(outcome, findings.tests)),
        tables=tables,
        cost_plots=list(cost_plots(outcome)),
        latent=[list(map(_latent, shown)) for _, shown in similarities],
        latent_parts=LATENT_PARTS,
        colour=plots.colour,
        failures=list(_failures(outcome).items())[:MAX_FAILURES],
        max_queries=MAX_QUERIES,
        p_value=p_value,
    )


def _facts(findings: Findings) -> dict[str, Any]:
    outcome, about = findings.outcome, findings.about
    refused = about.get("refused") or {}
    facts = {
        "graph": about["graph"]["name"],
        "pages": about["graph"]["pages"],
        "links": about["graph"]["links"],
        "gold": about["gold"],
        "queries": len(outcome.golds),
        "related pages": sum(r > 0 for gold in outcome.golds.values() for r in gold.values()),
        "pages linked from the query": "left out" if about["unlinked"] else "included",
        "answers per query": f"at most {about['limit']:,}",
        "judgments not used": ", ".join(f"{n:,} {reason}" for reason, n in refused.items()),
    }
    return {name: value for name, value in facts.items() if value != ""}


def _summary(outcome: Outcome, group: QueryGroup) -> tuple[QueryGroup, ResultTable, list[Any]]:
    """The measures over a group, best method first, and the highest value of each measure."""
    table = tables.summary(outcome, group)
    recall = 2 + list(MEASURES).index("capped_recall")
    rows = tuple(sorted(table.rows, key=lambda row: -row[recall]))
    measured = range(2, 2 + len(MEASURES))
    highest = {column: max(row[column] for row in rows) for column in measured}
    return (
        group,
        tables.ResultTable(table.title, table.sentence, table.head, rows),
        [highest.get(column) for column in range(len(table.head))],
    )


def _curves(
    outcome: Outcome, group: QueryGroup, best_first: Sequence[str]
) -> tuple[QueryGroup, plots.Plot]:
    series = []
    for label in reversed(best_first):
        points = list(enumerate(outcome.precision_at(label, group), 1))
        titles = [f"{label}: precision at {r} is {value:.3f}" for r, value in points]
        series.append(plots.Series(outcome.labels.index(label), points, titles))
    highest = max(y for one in series for _, y in one.points)
    across = plots.Axis("r", 1, AT, tuple(range(1, AT + 1)))
    up = plots.linear("precision", max(highest, 0.01))
    return group, plots.Plot(series, across, up, group.sentence, height=300)


def _tests(
    outcome: Outcome, tests: Sequence[PairTest]
) -> Iterator[tuple[QueryGroup, str, dict[tuple[str, str], PairTest], ResultTable]]:
    """For each group and measure: the test of each pair of methods, and a table of all tests."""
    for group in outcome.groups:
        for measure in tables.TESTED:
            by_pair = {
                (one.x, one.y): one
                for one in tests
                if (one.group, one.measure) == (group.name, measure)
            }
            if by_pair:
                table = tables.all_p_values(tests, group, measure)
                yield group, MEASURES[measure], by_pair, table


def p_value(value: float) -> tuple[str, str]:
    """A p-value, and the class of its shade."""
    shade = "p3" if value < 0.001 else "p2" if value < 0.01 else "p1" if value < 0.05 else ""
    return "< 0.001" if value < 0.001 else "1" if value > 0.9995 else f"{value:.3f}", shade


def cost_plots(outcome: Outcome) -> Iterator[tuple[str, plots.Plot]]:
    """For each method, CPU time against the links or siblings it reads (DH99, Fig. 2)."""
    timed = {
        label: [one for one in answers if not one.error and one.milliseconds]
        for label, answers in outcome.answers.items()
        if label not in outcome.runs
    }
    up = plots.logarithmic("ms", (one.milliseconds for each in timed.values() for one in each))
    for label, answers in timed.items():
        siblings = any(one.siblings is not None for one in answers)
        size = "siblings" if siblings else "links read"
        points = [
            (float(read), one.milliseconds)
            for one in answers
            if (read := one.siblings if siblings else one.links)
        ]
        if points:
            across = plots.logarithmic(size, (read for read, _ in points))
            series = plots.Series(outcome.labels.index(label), points)
            about = f"{label}: milliseconds against {size}"
            yield label, plots.Plot([series], across, up, about, 250, 210)


LATENT_PARTS = ("similarity", "bcp", "dd")


def _latent(shown: LatentSimilarities) -> tuple[LatentSimilarities, plots.Plot, ResultTable]:
    series = []
    for number, name in enumerate(LATENT_PARTS):
        values = [float(getattr(point, name)) for point in shown.points]
        titles = [f"{p.url}: {name} {v:.3f}" for p, v in zip(shown.points, values, strict=True)]
        series.append(plots.Series(number, list(enumerate(values, 1)), titles))
    across = plots.linear("position by similarity", max(len(shown.points), 2), 0)
    about = f"{shown.query} by {shown.by}"
    plot = plots.Plot(series, across, plots.linear("", 1.0), about, 460, 260)
    return shown, plot, latent.table(shown)


def _failures(outcome: Outcome) -> dict[tuple[str, str], list[str]]:
    """The queries that failed, by method and reason."""
    failed: dict[tuple[str, str], list[str]] = {}
    for label, answers in outcome.answers.items():
        for one in answers:
            if one.error:
                failed.setdefault((label, one.error), []).append(one.query)
    return failed
