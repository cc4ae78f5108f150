"""The report of an experiment: one self-contained HTML page.

It loads no script, font or image, and follows the reader's light or dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from whatsrelated.apps.evaluate import latent, plots, tables
from whatsrelated.apps.evaluate.conclusions import conclusions
from whatsrelated.apps.evaluate.markup import cell, details, document, grid, p_value, with_sign
from whatsrelated.apps.evaluate.outcome import AT, MEASURES

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.experiment import Findings
    from whatsrelated.apps.evaluate.latent import LatentSimilarities
    from whatsrelated.apps.evaluate.outcome import Outcome, QueryGroup
    from whatsrelated.apps.evaluate.tables import PairTest, ResultTable

MAX_FAILURES = 30
"""How many reasons of failure are listed."""
MAX_QUERIES = 200
"""How many queries Table 4 shows."""

GLOSSARY = {
    "query, related page": "A page that the methods were asked for, and a page known to belong "
    "with it. A page that was not judged counts as unrelated, although it may well be related: "
    "the figures compare methods, they are not absolute grades.",
    f"precision@{AT}": f"The number of related pages among the first {AT} answers, divided by "
    f"{AT}.",
    "avg. precision": "The mean of the precision at the place of each related page that was "
    "found: 1 if they are all at the top, 0 if none is found (DH99).",
    f"recall@{AT}": f"The number of related pages among the first {AT} answers, divided by the "
    "number that could be there.",
    "MAP": "Like average precision, but related pages that were not found count as 0.",
    f"nDCG@{AT}": "The sum of the ratings found, discounted by place, divided by that of the "
    "best possible order.",
    "MRR": "1 divided by the place of the first related page.",
    "p-value": "The probability of such a difference if the methods were equally good. Holm's "
    "correction accounts for testing many pairs at once.",
    "Cliff's δ": "How much more often the value of one method is above that of the other than "
    "below it, over all pairs of queries: from −1 to 1, 0 for no difference.",
}


def report(findings: Findings) -> str:
    """The whole page."""
    outcome, about = findings.outcome, findings.about
    parts = [
        ("", _head(findings)),
        ("Measures", _measures(outcome)),
        ("Precision at r", _precision_at(outcome)),
        ("Significance", _tests(outcome, findings.tests)),
        ("Coverage", _table(tables.coverage(outcome), outcome)),
        ("Overlap", _table(tables.overlap(outcome), outcome)),
        ("Cost", _costs(outcome)),
        ("Latent linkage", "".join(map(_latent, _by_query(findings.latent)))),
        ("Queries", _queries(outcome)),
        ("Glossary", _glossary()),
    ]
    title = f"Evaluation: {about['gold']}"
    return document(title, parts, "related evaluate --json gives every number")


def _head(findings: Findings) -> str:
    outcome, about = findings.outcome, findings.about
    sentences = " ".join(escape(sentence) for sentence in conclusions(findings))
    related = sum(rating > 0 for gold in outcome.golds.values() for rating in gold.values())
    linked = "left out" if about["unlinked"] else "included"
    facts = {
        "graph": about["graph"]["name"],
        "pages": f"{about['graph']['pages']:,}",
        "links": f"{about['graph']['links']:,}",
        "gold": about["gold"],
        "queries": f"{len(outcome.golds):,}",
        "related pages": f"{related:,}",
        "pages linked from the query": linked,
        "answers per query": f"at most {about['limit']:,}",
    }
    refused = about.get("refused") or {}
    if refused:
        facts["judgments not used"] = ", ".join(
            f"{count:,} {reason}" for reason, count in refused.items()
        )
    entries = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value in facts.items()
    )
    return (
        f"<h1>How well {len(outcome.labels)} methods find related pages</h1>"
        f'<p class="lead">{sentences}</p><dl class="facts">{entries}</dl>'
    )


def _measures(outcome: Outcome) -> str:
    first, *others = outcome.groups
    body = _summary(outcome, first)
    for group in others:
        if not group.queries:
            body += f"<p>The group “{escape(group.name)}” has no queries.</p>"
        else:
            body += details(f"The same for {_size(group)}: {group.name}", _summary(outcome, group))
    return body + details("DH99's Table 5", _table(tables.quality(outcome), outcome))


def _summary(outcome: Outcome, group: QueryGroup) -> str:
    """All measures over a group, the best value of each marked, the best method first."""
    table = tables.summary(outcome, group)
    rows = sorted(table.rows, key=lambda row: -row[2 + list(MEASURES).index("recall")])
    best = {column: max(row[column] for row in rows) for column in range(2, len(table.head) - 1)}

    def measure(column: int, value: Any) -> str:
        return cell(value, "best" if value and best.get(column) == value else "")

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
            f'<figure class="card"><h3>{_size(group)}: {escape(group.name)}</h3>{drawn}</figure>'
        )
    return (
        "<p>The share of related pages among the first r answers (DH99, Fig. 1). Higher is better; "
        "a falling line has its related pages at the top. Each plot has its own scale.</p>"
        f'{_legend(outcome)}<div class="plots">{figures}</div>'
    )


def _curves(outcome: Outcome, group: QueryGroup) -> list[plots.Series]:
    found = []
    for label in reversed(_best_first(outcome)):
        values = outcome.precision_at(label, group)
        points = list(enumerate(values, 1))
        titles = [f"{label}: precision at {r} is {value:.3f}" for r, value in points]
        found.append(plots.Series(label, _number(outcome, label), points, titles))
    return found


def _tests(outcome: Outcome, tests: Sequence[PairTest]) -> str:
    if not tests:
        return ""
    body = (
        "<p>Is the method of the row better than that of the column? (DH99, Table 6.) Each cell "
        "shows the p-value of the sign test after Holm's correction, shaded if it is below 0.05, "
        "0.01 or 0.001, and below it the size of the difference, Cliff's δ.</p>"
    )
    for group in outcome.groups:
        for measure, name in ((m, MEASURES[m]) for m in tables.TESTED):
            found = {(t.x, t.y): t for t in tests if (t.group, t.measure) == (group.name, measure)}
            if not found:
                continue
            both = _table(tables.all_p_values(tests, group, measure), outcome)
            matrix = _p_values(outcome, found) + details("Both tests, raw and corrected", both)
            if group is outcome.groups[0] and measure == tables.TESTED[0]:
                body += f"<h3>{escape(name)}, all queries</h3>{matrix}"
            else:
                body += details(f"{name}, {_size(group)}: {group.name}", matrix)
    return body


def _p_values(outcome: Outcome, found: dict[tuple[str, str], PairTest]) -> str:
    rows = []
    for x in outcome.labels:
        cells = []
        for y in outcome.labels:
            if x == y:
                cells.append(cell(None))
                continue
            one = found[x, y]
            p = one.sign_holm
            shade = "p3" if p < 0.001 else "p2" if p < 0.01 else "p1" if p < 0.05 else ""
            title = (
                f"{x} better than {y}: {one.wins} wins, {one.losses} losses; sign test "
                f"p = {one.sign:.3g} ({one.sign_holm:.3g} by Holm), rank-sum test "
                f"p = {one.rank_sum:.3g} ({one.rank_sum_holm:.3g}); mean difference {one.gain:+.3f}"
            )
            cells.append(
                f'<td class="{shade}" title="{escape(title)}">{p_value(p)}'
                f"<small>δ {with_sign(one.delta)}</small></td>"
            )
        rows.append(_row(outcome, x, cells))
    return grid(("better than", *outcome.labels), rows)


def _costs(outcome: Outcome) -> str:
    table = tables.costs(outcome)
    if not table.rows:
        return ""
    labels = [row[0] for row in table.rows]
    times = [a.milliseconds for label in labels for a in outcome.answers[label] if a.milliseconds]
    up = plots.logarithmic("ms", times)
    figures = "".join(_cost_plot(outcome, label, up) for label in labels)
    return (
        f"{_table(table, outcome)}<p>The CPU time of a query against what it reads, a dot for each "
        "query, on logarithmic scales (DH99, Fig. 2).</p>"
        f'<div class="plots" style="--least: 14rem">{figures}</div>'
    )


def _cost_plot(outcome: Outcome, label: str, up: plots.Axis) -> str:
    answers = [one for one in outcome.answers[label] if not one.error and one.milliseconds]
    siblings = any(one.siblings is not None for one in answers)
    what = "siblings" if siblings else "links read"
    sizes = [float((one.siblings if siblings else one.links) or 0) for one in answers]
    points = [(size, one.milliseconds) for size, one in zip(sizes, answers, strict=True) if size]
    if not points:
        return ""
    across = plots.logarithmic(what, (size for size, _ in points))
    series = plots.Series(label, _number(outcome, label), points)
    drawn = plots.points(series, across, up, f"{label}: milliseconds against {what}")
    return f'<figure class="card"><h3>{_key(outcome, label)}{escape(label)}</h3>{drawn}</figure>'


def _by_query(latent: Sequence[LatentSimilarities]) -> list[list[LatentSimilarities]]:
    by_query: dict[tuple[str, str], list[LatentSimilarities]] = {}
    for one in latent:
        by_query.setdefault((one.query, one.method), []).append(one)
    return list(by_query.values())


def _latent(shown: list[LatentSimilarities]) -> str:
    names = ("similarity", "bcp", "dd")
    figures = []
    for one in shown:
        across = plots.linear("place by similarity", max(len(one.points), 2), 0)
        series = []
        for number, name in enumerate(names):
            points = [(i, float(getattr(p, name))) for i, p in enumerate(one.points, 1)]
            titles = [f"{p.url}: {name} {getattr(p, name):.3f}" for p in one.points]
            series.append(plots.Series(name, number, points, titles))
        up = plots.linear("", 1.0)
        drawn = plots.lines(series, across, up, f"{one.query} by {one.by}", 460, 260)
        figures.append(
            f'<figure class="card">{drawn}<figcaption>by {one.by}: {one.k} of {one.r} singular '
            "values kept</figcaption></figure>"
        )
    keys = "".join(
        f'<li><span class="key {plots.colour(number)}"></span>{name}</li>'
        for number, name in enumerate(names)
    )
    listed = "".join(details(latent.table(one).title, _table(latent.table(one))) for one in shown)
    return (
        f"<h3>{escape(shown[0].query)}, {escape(shown[0].method)}</h3>"
        "<p>How lli computes its similarities (HZ03, Fig. 4): for each page it found, bcp is "
        "the share of the query's parents (or children) that the page shares, and "
        "dd is lower the more of them it shares and the more links these have.</p>"
        f'<ul class="legend">{keys}</ul>'
        f'<div class="plots" style="--least: 22rem">{"".join(figures)}</div>{listed}'
    )


def _queries(outcome: Outcome) -> str:
    table = tables.per_query(outcome)
    rows = [_row(None, row[0], map(cell, row[1:])) for row in table.rows[:MAX_QUERIES]]
    cut = len(table.rows) > MAX_QUERIES
    more = f" These are the first {MAX_QUERIES}; --per-query writes all." if cut else ""
    failed: dict[tuple[str, str], list[str]] = {}
    for label, answers in outcome.answers.items():
        for one in answers:
            if one.error:
                failed.setdefault((label, one.error), []).append(one.query)
    listed = "".join(
        f"<li>{escape(label)}, {len(on):,} times, first on {escape(on[0])}: {escape(error)}</li>"
        for (label, error), on in list(failed.items())[:MAX_FAILURES]
    )
    failures = f"<h3>Queries that failed</h3><ul>{listed}</ul>" if failed else ""
    return f"<p>{escape(table.sentence)}{more}</p>{failures}" + details(
        "DH99's Table 4", grid(table.head, rows)
    )


def _glossary() -> str:
    listed = "".join(f"<dt>{escape(w)}</dt><dd>{escape(text)}</dd>" for w, text in GLOSSARY.items())
    return f'<dl class="words">{listed}</dl>'


def _table(table: ResultTable, outcome: Outcome | None = None) -> str:
    """A table with its sentence."""
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


def _size(group: QueryGroup) -> str:
    count = len(group.queries)
    return f"{count:,} {'query' if count == 1 else 'queries'}"
