"""Findings as JSON and as rows: every number in the report, and the underlying data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from whatsrelated.apps.evaluate import tables
from whatsrelated.apps.evaluate.measures import related_count
from whatsrelated.apps.evaluate.outcome import MEASURES

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.experiment import Findings
    from whatsrelated.apps.evaluate.outcome import Outcome, QueryGroup

VERSION = 1


def as_dict(findings: Findings) -> dict[str, Any]:
    """All findings."""
    outcome = findings.outcome
    return {
        "version": VERSION,
        **findings.about,
        "methods": outcome.labels,
        "runs": list(outcome.runs),
        "groups": [_group(outcome, group) for group in outcome.groups],
        "tests": [asdict(one) for one in findings.tests],
        "coverage": _records(tables.coverage(outcome)),
        "overlap": [
            {"method": row[0], "with": y, "answers": both, "share": share}
            for row in tables.overlap(outcome).rows
            for y, (both, share) in zip(outcome.labels, row[1:], strict=True)
        ],
        "cost": _records(tables.costs(outcome)),
        "latent": [asdict(one) for one in findings.latent],
        "queries": list(_queries(outcome)),
    }


def mean_rows(outcome: Outcome) -> Iterator[list[Any]]:
    """One row per group and method: names, number of queries and of answered queries, means,
    milliseconds.
    """
    yield ["group", "queries", "method", "answered", *MEASURES, "ms"]
    for group in outcome.groups:
        for row in tables.summary(outcome, group).rows:
            yield [group.name, len(group.queries), *row]


def query_rows(outcome: Outcome) -> Iterator[list[Any]]:
    """One row per query and method, for further analysis; names first."""
    costs = ("pages", "links", "siblings", "cocited", "rounds", "residual", "milliseconds", "error")
    yield ["query", "in_links", "related", "method", "answers", *MEASURES, *costs]
    for query, gold in outcome.golds.items():
        related = related_count(gold)
        for label in outcome.labels:
            one, scores = outcome.by_query[label][query], outcome.scores[label][query]
            row = [query, outcome.in_links.get(query), related, label, len(one.urls)]
            yield row + [getattr(scores, m) for m in MEASURES] + [getattr(one, c) for c in costs]


def _group(outcome: Outcome, group: QueryGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "sentence": group.sentence,
        "queries": len(group.queries),
        "methods": {
            label: {
                "answered": answered,
                **{measure: outcome.mean(label, measure, group) for measure in MEASURES},
                "precision_at": outcome.precision_at(label, group) if group.queries else [],
                "ms": ms,
            }
            for label, answered, *_, ms in tables.summary(outcome, group).rows
        },
    }


def _queries(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for query, gold in outcome.golds.items():
        yield {
            "query": query,
            "in_links": outcome.in_links.get(query),
            "related": related_count(gold),
            "gold": dict(gold),
            "methods": {
                label: {
                    **asdict(outcome.scores[label][query]),
                    **{k: v for k, v in asdict(answers[query]).items() if k != "query"},
                }
                for label, answers in outcome.by_query.items()
            },
        }


def _records(table: tables.ResultTable) -> list[dict[str, Any]]:
    names = [name.replace(" ", "_").replace(",", "").replace("%", "percent") for name in table.head]
    return [dict(zip(names, row, strict=True)) for row in table.rows]
