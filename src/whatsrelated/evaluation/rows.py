"""An evaluation as JSON and as rows: every number that the report shows, and its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from whatsrelated.evaluation import tables
from whatsrelated.evaluation.outcome import MEASURES

if TYPE_CHECKING:
    from whatsrelated.evaluation.latent import Half
    from whatsrelated.evaluation.outcome import Group, Outcome
    from whatsrelated.evaluation.tables import Tested

VERSION = 1


def as_dict(
    outcome: Outcome, about: dict[str, Any], tested: Sequence[Tested], halves: Sequence[Half] = ()
) -> dict[str, Any]:
    """The whole evaluation; `about` says of what."""
    return {
        "version": VERSION,
        **about,
        "methods": outcome.labels,
        "runs": list(outcome.runs),
        "groups": [_group(outcome, group) for group in outcome.groups],
        "tests": [asdict(one) for one in tested],
        "coverage": _records(tables.coverage(outcome)),
        "overlap": [
            {"method": row[0], "with": y, "answers": both, "share": share}
            for row in tables.shared(outcome).rows
            for y, (both, share) in zip(outcome.labels, row[1:], strict=True)
        ],
        "cost": _records(tables.costs(outcome)),
        "latent": [asdict(half) for half in halves],
        "queries": list(_queries(outcome)),
    }


def mean_rows(outcome: Outcome) -> Iterator[list[Any]]:
    """The means as rows: group, queries, method, answered, the measures, ms; names first."""
    yield ["group", "queries", "method", "answered", *MEASURES, "ms"]
    for group in outcome.groups:
        for row in tables.summary(outcome, group).rows:
            yield [group.name, len(group.queries), *row]


def query_rows(outcome: Outcome) -> Iterator[list[Any]]:
    """Every query and method as a row, for whoever computes on; names first."""
    told = ("pages", "links", "siblings", "cocited", "milliseconds", "error")
    yield ["query", "in_links", "related", "method", "answers", *MEASURES, *told]
    for query, gold in outcome.golds.items():
        related = sum(rating > 0 for rating in gold.values())
        for label in outcome.labels:
            one, scores = outcome.by_query[label][query], outcome.scores[label][query]
            row = [query, outcome.in_links.get(query), related, label, len(one.urls)]
            yield row + [getattr(scores, m) for m in MEASURES] + [getattr(one, t) for t in told]


def _group(outcome: Outcome, group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "sentence": group.sentence,
        "queries": len(group.queries),
        "methods": {
            label: {
                **{measure: outcome.mean(label, measure, group) for measure in MEASURES},
                "precision_at": outcome.precision_at(label, group) if group.queries else [],
            }
            for label in outcome.labels
        },
    }


def _queries(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for query, gold in outcome.golds.items():
        yield {
            "query": query,
            "in_links": outcome.in_links.get(query),
            "gold": dict(gold),
            "methods": {
                label: {
                    **asdict(outcome.scores[label][query]),
                    **{k: v for k, v in asdict(answers[query]).items() if k != "query"},
                }
                for label, answers in outcome.by_query.items()
            },
        }


def _records(table: tables.Table) -> list[dict[str, Any]]:
    names = [name.replace(" ", "_").replace(",", "").replace("%", "percent") for name in table.head]
    return [dict(zip(names, row, strict=True)) for row in table.rows]
