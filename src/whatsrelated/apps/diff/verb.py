"""`related diff`: what changed between two graphs, or two generations of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from whatsrelated import api
from whatsrelated.api.stores import disk
from whatsrelated.apps.batch.comparison import AnswerDifferences, ChangedAnswer, compare_outputs
from whatsrelated.apps.batch.reading import is_output
from whatsrelated.apps.diff.differences import Differences, MovedAnswer, differences
from whatsrelated.cli.output import clean, print_json, print_table, say
from whatsrelated.cli.parameters import report_option
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.contract.markup import render_report
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS

Table = tuple[str, Sequence[str], Sequence[Sequence[Any]]]


@click.command(name="diff")
@click.argument("old", metavar="OLD")
@click.argument("new", required=False, metavar="[NEW]")
@click.option("--by", help=f"Also compare the answers of this method: {', '.join(METHODS)}.")
@click.option("--sample", default=200, show_default=True, help="Number of answers to compare.")
@click.option("--seed", default=0, show_default=True, help="Seed of the sample.")
@click.option("--rank", help=f"Also compare the positions by this rank: {', '.join(RANKS)}.")
@click.option("--limit", default=20, show_default=True, help="Maximum number of rows per list.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@report_option("Write all tables to an HTML page.")
def command(
    old: str, new: str | None, limit: int, as_json: bool, report: str | None, **compared: Any
) -> None:
    """Show the pages and links that were added or removed between OLD and NEW.

    Each is a graph, or an older generation that was kept, such as web.graph@3. If only OLD is
    given, it is compared with its previous generation. If both are outputs of related all, the
    command shows which answers changed.
    """
    if is_output(old) and new is not None:
        show_answers(compare_outputs(Path(old), Path(new), limit), as_json, report)
        return
    first, second = (old, new) if new is not None else (_generation_before(old), old)
    with ProgressLine() as progress:
        graphs = _open(first), _open(second)
        result = differences(*graphs, limit=limit, progress=progress, **compared)
    _show(result, _summary(result), _tables(result), as_json, report)


def show_answers(result: AnswerDifferences, as_json: bool, report: str | None) -> None:
    """Show which answers changed between two outputs of `related all`."""
    _show(result, _answer_summary(result), _answer_tables(result), as_json, report)


def _show(
    result: Differences | AnswerDifferences,
    summary: list[str],
    tables: list[Table],
    as_json: bool,
    report: str | None,
) -> None:
    """Print the summary and the tables, or everything as JSON; write the report."""
    if report is not None:
        page = render_report(
            "whatsrelated.apps.diff",
            "differences.html",
            title="What has changed",
            verb="diff",
            found=result,
            summary=summary,
            tables=tables,
        )
        write_file(report, page)
        say(f"Wrote {report}.")
    if as_json:
        print_json(result)
        return
    for line in summary:
        click.echo(clean(line))
    for title, head, rows in tables:
        click.echo(f"\n{title}")
        print_table(head, rows)


def _answer_summary(result: AnswerDifferences) -> list[str]:
    lines = [
        f"{result.pages:,} pages with results: {result.same:,} answers are the same, "
        f"{result.changed_pages:,} differ; {result.only_new:,} pages have results only in the "
        f"new output, {result.only_old:,} only in the old."
    ]
    if result.mean_overlap is not None and result.mean_rbo is not None:
        lines.append(f"Mean overlap {result.mean_overlap:.3f}, mean RBO {result.mean_rbo:.3f}.")
    if result.settings:
        lines.append(f"Options that differ: {', '.join(result.settings)}.")
    return lines


def _answer_tables(result: AnswerDifferences) -> list[Table]:
    rows = [_changed_answer(one, one.rbo) for one in result.changed]
    head = ["shared", "RBO", "page", "came", "went"]
    return [("Answers that changed most", head, rows)] if rows else []


def _changed_answer(one: ChangedAnswer | MovedAnswer, agreement: float) -> list[str]:
    came, went = (" ".join(pages[:3]) for pages in (one.came, one.gone))
    return [f"{one.shared} of {one.of}", f"{agreement:.2f}", one.url, came, went]


def _open(text: str) -> api.Graph:
    """Open the graph at a path, or one generation of it."""
    at = re.fullmatch(r"(.+)@([0-9]{1,18})", text)
    if at is None or Path(text).exists():
        return api.open(text)
    return api.open(at[1], generation=int(at[2]))


def _generation_before(path: str) -> str:
    """The previous generation."""
    numbers = sorted(disk.number_of(name) for name in disk.kept_generations(Path(path))[1])
    if len(numbers) < 2:
        raise OptionError(
            f"diff: {path} has only generation {numbers[0]}; name another graph, or keep older "
            "generations with related update --keep."
        )
    return f"{path}@{numbers[-2]}"


def _summary(result: Differences) -> list[str]:
    lines = [
        f"{result.pages[0]:,} pages -> {result.pages[1]:,}: "
        f"{result.added_pages:,} added, {result.removed_pages:,} removed; "
        f"the links of {result.changed_pages:,} others differ.",
        f"{result.links[0]:,} links -> {result.links[1]:,}: "
        f"{result.added_links:,} added, {result.removed_links:,} removed.",
    ]
    if result.by is not None and result.mean_agreement is not None:
        lines.append(
            f"Answers by {result.by}: {result.same_answers:,} of {result.compared_answers:,} "
            f"are the same; the mean agreement is {result.mean_agreement:.2f}."
        )
    return lines


def _tables(result: Differences) -> list[Table]:
    """Every non-empty list, with its title and column names."""
    tables: list[Table] = [
        ("Pages added", ["page"], [[url] for url in result.added]),
        ("Pages removed", ["page"], [[url] for url in result.removed]),
        (
            "Pages whose links differ most",
            ["came", "went", "order", "page"],
            [
                [f"+{one.added}", f"-{one.removed}", "changed" if one.reordered else "", one.url]
                for one in result.changed
            ],
        ),
        (
            f"Answers by {result.by} that changed most",
            ["shared", "agreement", "page", "came", "went"],
            [_changed_answer(one, one.agreement) for one in result.answers],
        ),
        (
            f"Pages whose position by {result.rank} changed most",
            ["before", "after", "page"],
            [[f"{one.before:,}", f"{one.after:,}", one.url] for one in result.moved],
        ),
    ]
    return [table for table in tables if table[2]]
