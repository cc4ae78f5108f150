"""The report of an evaluation: one page of HTML that needs nothing but itself.

No script, no font, no picture from elsewhere; light or dark as its reader has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from html import escape
from importlib import metadata, resources
from typing import TYPE_CHECKING, Any

from whatsrelated.evaluation import latent, plots, tables
from whatsrelated.evaluation.markup import anchor, cell, folded, grid, p_value, signed
from whatsrelated.evaluation.outcome import AT, MEASURES
from whatsrelated.evaluation.verdict import verdict

if TYPE_CHECKING:
    from whatsrelated.evaluation.latent import Half
    from whatsrelated.evaluation.outcome import Group, Outcome
    from whatsrelated.evaluation.tables import Table, Tested

FAILURES = 30
"""How many reasons of failure are told."""
LONGEST = 200
"""How many queries Table 4 shows."""

WORDS = {
    "query, related page": "A page that the methods were asked for, and a page that somebody has "
    "said belongs with it. What nobody said counts as unrelated, though it may well be related: "
    "the numbers compare methods, they are no school marks.",
    f"precision@{AT}": f"The related pages among the first {AT} answers, over {AT}.",
    "avg. precision": "The mean of the precision at the place of each related page that was "
    "found: 1 when they all stand at the top, 0 when none is found (DH99).",
    f"recall@{AT}": f"The related pages among the first {AT} answers, over as many as could be "
    "there.",
    "MAP": "As average precision, but related pages that were not found count as 0.",
    f"nDCG@{AT}": "The ratings found, those further down counting less, over those of the best "
    "possible order.",
    "MRR": "One over the place of the first related page.",
    "p-value": "How likely a difference like this is when the methods are in truth alike. Holm's "
    "correction makes up for asking about many pairs at once.",
    "Cliff's δ": "How much more often the one method's number beats the other's than the other "
    "way round, over all pairs of queries: from −1 to 1, 0 for no difference.",
}


def report(
    outcome: Outcome, about: dict[str, Any], tested: Sequence[Tested], halves: Sequence[Half] = ()
) -> str:
    """The whole page; `about` says what was measured."""
    parts = [
        ("", _head(outcome, about, tested)),
        ("Measures", _measures(outcome)),
        ("Precision at r", _precision_at(outcome)),
        ("More than luck?", _tests(outcome, tested)),
        ("Coverage", _table(tables.coverage(outcome), outcome)),
        ("Overlap", _table(tables.shared(outcome), outcome)),
        ("Cost", _costs(outcome)),
        ("Latent linkage", "".join(map(_half, _pairs(halves)))),
        ("Queries", _queries(outcome)),
        ("Words", _words()),
    ]
    shown = [(name, body) for name, body in parts if body]
    links = "".join(f'<a href="#{anchor(name)}">{escape(name)}</a>' for name, _ in shown if name)
    sections = "".join(
        f'<section id="{anchor(name)}"><h2>{escape(name)}</h2>{body}</section>'
        if name
        else f"<header>{body}<nav>{links}</nav></header>"
        for name, body in shown
    )
    css = resources.files("whatsrelated.evaluation").joinpath("report.css").read_text("utf-8")
    title = escape(f"Evaluation: {about['gold']}")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{css}</style>\n</head>\n<body>\n{sections}\n"
        f'<p class="quiet"><small>Made by whatsrelated {metadata.version("whatsrelated")} on '
        f"{date.today().isoformat()}; related evaluate --json has every number.</small></p>\n"
        "</body>\n</html>\n"
    )


def _head(outcome: Outcome, about: dict[str, Any], tested: Sequence[Tested]) -> str:
    sentences = " ".join(escape(sentence) for sentence in verdict(outcome, tested))
    related = sum(rating > 0 for gold in outcome.golds.values() for rating in gold.values())
    counted = "left out" if about["unlinked"] else "counted like others"
    facts = {
        "graph": about["graph"]["name"],
        "its pages": f"{about['graph']['pages']:,}",
        "its links": f"{about['graph']['links']:,}",
        "what is related": about["gold"],
        "queries": f"{len(outcome.golds):,}",
        "related pages": f"{related:,}",
        "linked pages": counted,
        "answers asked for": f"{about['limit']:,}",
    }
    refused = about.get("refused") or {}
    if refused:
        facts["not used"] = ", ".join(f"{count:,} {reason}" for reason, count in refused.items())
    listed = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value in facts.items()
    )
    return (
        f"<h1>How well {len(outcome.labels)} methods find related pages</h1>"
        f'<p class="lead">{sentences}</p><dl class="facts">{listed}</dl>'
    )


def _measures(outcome: Outcome) -> str:
    first, *others = outcome.groups
    body = _summary(outcome, first)
    for group in others:
        if not group.queries:
            body += f"<p>There are no queries in the group {escape(group.name)}.</p>"
        else:
            body += folded(f"The same for {_many(group)} {group.name}", _summary(outcome, group))
    return body + folded("DH99's Table 5", _table(tables.quality(outcome), outcome))


def _summary(outcome: Outcome, group: Group) -> str:
    """All measures of a group, the best of each marked, the best method first."""
    table = tables.summary(outcome, group)
    rows = sorted(table.rows, key=lambda row: -row[2 + list(MEASURES).index("recall")])
    best = {column: max(row[column] for row in rows) for column in range(2, len(table.head) - 1)}

    def measure(column: int, value: Any) -> str:
        marked = "best" if value and best.get(column) == value else ""
        return cell(value, marked)

    lines = (
        _row(outcome, row[0], (measure(at, value) for at, value in enumerate(row[1:], 1)))
        for row in rows
    )
    return f"<p>{escape(table.sentence)}</p>{grid(table.head, lines)}"


def _precision_at(outcome: Outcome) -> str:
    groups = [group for group in outcome.groups if group.queries]
    curves = {group.name: _curves(outcome, group) for group in groups}
    across = plots.Axis("r", 1, AT, tuple(range(1, AT + 1)))
    figures = ""
    for group in groups:
        highest = max(y for one in curves[group.name] for _, y in one.points)
        up = plots.linear("precision", max(highest, 0.01))
        drawn = plots.lines(curves[group.name], across, up, group.sentence, height=300)
        figures += (
            f'<figure class="card"><h3>{_many(group)} {escape(group.name)}</h3>{drawn}</figure>'
        )
    return (
        "<p>Of the first r answers, which part is related? (DH99, Fig. 1.) The higher a line, the "
        "better; one that falls has its related pages at the top. Each plot has its own scale.</p>"
        f'{_legend(outcome)}<div class="plots">{figures}</div>'
    )


def _curves(outcome: Outcome, group: Group) -> list[plots.Series]:
    found = []
    for label in reversed(_best_first(outcome)):
        values = outcome.precision_at(label, group)
        points = list(enumerate(values, 1))
        titles = [f"{label}: precision at {r} is {value:.3f}" for r, value in points]
        found.append(plots.Series(label, _number(outcome, label), points, titles))
    return found


def _tests(outcome: Outcome, tested: Sequence[Tested]) -> str:
    if not tested:
        return ""
    body = (
        "<p>Is the method of the row better than that of the column? (DH99, Table 6.) Each cell "
        "has the p-value of the sign test after Holm's correction, shaded where it is below 0.05, "
        "0.01 and 0.001, and under it how large the difference is: Cliff's δ.</p>"
    )
    for group in outcome.groups:
        for measure, name in ((m, MEASURES[m]) for m in tables.TESTED):
            found = {(t.x, t.y): t for t in tested if (t.group, t.measure) == (group.name, measure)}
            if not found:
                continue
            matrix = _p_values(outcome, found)
            if group is outcome.groups[0] and measure == tables.TESTED[0]:
                body += f"<h3>{escape(name)}, all queries</h3>{matrix}"
            else:
                body += folded(f"{name}, {_many(group)} {group.name}", matrix)
    return body


def _p_values(outcome: Outcome, found: dict[tuple[str, str], Tested]) -> str:
    rows = []
    for x in outcome.labels:
        cells = []
        for y in outcome.labels:
            if x == y:
                cells.append(cell(None))
                continue
            one = found[x, y]
            p = one.sign_holm
            sure = "p3" if p < 0.001 else "p2" if p < 0.01 else "p1" if p < 0.05 else ""
            said = (
                f"{x} better than {y}: {one.wins} wins, {one.losses} losses; sign test "
                f"p = {one.sign:.3g} ({one.sign_holm:.3g} by Holm), rank-sum test "
                f"p = {one.rank_sum:.3g} ({one.rank_sum_holm:.3g}); mean difference {one.gain:+.3f}"
            )
            cells.append(
                f'<td class="{sure}" title="{escape(said)}">{p_value(p)}'
                f"<small>δ {signed(one.delta)}</small></td>"
            )
        rows.append(_row(outcome, x, cells))
    return grid(("better than", *outcome.labels), rows)


def _costs(outcome: Outcome) -> str:
    table = tables.costs(outcome)
    if not table.rows:
        return ""
    figures = []
    asked = [row[0] for row in table.rows]
    times = [a.milliseconds for label in asked for a in outcome.answers[label] if a.milliseconds]
    up = plots.logarithmic("ms", times)
    for label in asked:
        answers = [one for one in outcome.answers[label] if not one.error and one.milliseconds]
        siblings = any(one.siblings is not None for one in answers)
        what = "siblings" if siblings else "links read"
        points = [
            (float((one.siblings if siblings else one.links) or 0), one.milliseconds)
            for one in answers
        ]
        points = [(a, b) for a, b in points if a > 0]
        if points:
            across = plots.logarithmic(what, (a for a, _ in points))
            series = plots.Series(label, _number(outcome, label), points)
            drawn = plots.points(series, across, up, f"{label}: milliseconds against {what}")
            figures.append(
                f'<figure class="card"><h3>{_key(outcome, label)}{escape(label)}</h3>{drawn}'
                "</figure>"
            )
    return (
        f"{_table(table, outcome)}<p>The time of a query against what it reads, a dot for each "
        "query, both by powers of ten (DH99, Fig. 2).</p>"
        f'<div class="plots" style="--least: 14rem">{"".join(figures)}</div>'
    )


def _pairs(halves: Sequence[Half]) -> list[list[Half]]:
    by_query: dict[str, list[Half]] = {}
    for half in halves:
        by_query.setdefault(half.query, []).append(half)
    return list(by_query.values())


def _half(halves: list[Half]) -> str:
    names = ("similarity", "bcp", "dd")
    figures = []
    for half in halves:
        across = plots.linear("place by similarity", max(len(half.points), 2), 0)
        series = []
        for number, name in enumerate(names):
            points = [(i, float(getattr(p, name))) for i, p in enumerate(half.points, 1)]
            titles = [f"{p.url}: {name} {getattr(p, name):.3f}" for p in half.points]
            series.append(plots.Series(name, number, points, titles))
        up = plots.linear("", 1.0)
        drawn = plots.lines(series, across, up, f"{half.query} by {half.by}", 460, 260)
        figures.append(
            f'<figure class="card">{drawn}<figcaption>by {half.by}: {half.k} of {half.r} singular '
            "values kept</figcaption></figure>"
        )
    keys = "".join(
        f'<li><span class="key {plots.colour(number)}"></span>{name}</li>'
        for number, name in enumerate(names)
    )
    listed = "".join(
        folded(latent.table(half).title, _table(latent.table(half))) for half in halves
    )
    return (
        f"<h3>{escape(halves[0].query)}</h3><p>How lli comes to its similarities (HZ03, Fig. 4): "
        "for each page it found, bcp is the share of the query's parents (or children) that the "
        "page has in common with it, and dd falls the more of them it shares and the busier "
        "these are.</p>"
        f'<ul class="legend">{keys}</ul>'
        f'<div class="plots" style="--least: 22rem">{"".join(figures)}</div>{listed}'
    )


def _queries(outcome: Outcome) -> str:
    table = tables.per_query(outcome)
    rows = [_row(None, row[0], map(cell, row[1:])) for row in table.rows[:LONGEST]]
    rest = len(table.rows) - LONGEST
    more = f" The first {LONGEST} are here; --per-query has all." if rest > 0 else ""
    failed: dict[tuple[str, str], list[str]] = {}
    for label, answers in outcome.answers.items():
        for one in answers:
            if one.error:
                failed.setdefault((label, one.error), []).append(one.query)
    listed = "".join(
        f"<li>{escape(label)} on {len(on):,}, the first {escape(on[0])}: {escape(error)}</li>"
        for (label, error), on in list(failed.items())[:FAILURES]
    )
    told = f"<h3>Queries that failed</h3><ul>{listed}</ul>" if failed else ""
    return f"<p>{escape(table.sentence)}{more}</p>{told}" + folded(
        "DH99's Table 4", grid(table.head, rows)
    )


def _words() -> str:
    listed = "".join(f"<dt>{escape(w)}</dt><dd>{escape(said)}</dd>" for w, said in WORDS.items())
    return f'<dl class="words">{listed}</dl>'


def _table(table: Table, outcome: Outcome | None = None) -> str:
    """A table as it is."""
    rows = (_row(outcome, row[0], map(cell, row[1:])) for row in table.rows)
    return f"<p>{escape(table.sentence)}</p>{grid(table.head, rows)}"


def _row(outcome: Outcome | None, name: str, cells: Iterable[str]) -> str:
    key = _key(outcome, name) if outcome is not None and name in outcome.answers else ""
    return f'<tr><th scope="row">{key}{escape(name)}</th>{"".join(cells)}</tr>'


def _legend(outcome: Outcome) -> str:
    keys = (f"<li>{_key(outcome, label)}{escape(label)}</li>" for label in _best_first(outcome))
    return f'<ul class="legend">{"".join(keys)}</ul>'


def _key(outcome: Outcome, label: str) -> str:
    return f'<span class="key {plots.colour(_number(outcome, label))}"></span>'


def _best_first(outcome: Outcome) -> list[str]:
    """The labels in the order of the first table."""
    group = outcome.groups[0]
    return sorted(outcome.labels, key=lambda label: -(outcome.mean(label, "recall", group) or 0))


def _number(outcome: Outcome, label: str) -> int:
    return outcome.labels.index(label)


def _many(group: Group) -> str:
    count = len(group.queries)
    return f"{count:,} {'query' if count == 1 else 'queries'}:"
