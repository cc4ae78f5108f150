"""What `related evaluate` prints and says: tables for people, and what was odd."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated.cli.output import print_table, say
from whatsrelated.errors import OptionError
from whatsrelated.evaluation import latent, tables
from whatsrelated.evaluation.verdict import verdict

if TYPE_CHECKING:
    from whatsrelated.evaluation.gold import Judged
    from whatsrelated.evaluation.outcome import Outcome
    from whatsrelated.evaluation.runs import Run
    from whatsrelated.stream import Refused


def print_outcome(
    outcome: Outcome,
    tested: Sequence[tables.Tested],
    everything: bool,
    halves: Sequence[latent.Half],
) -> None:
    """The measures over all queries, and which differences are more than luck; or all tables."""
    groups = outcome.groups
    shown = [tables.summary(outcome, groups[0])]
    if everything:
        shown += [tables.summary(outcome, group) for group in groups[1:] if group.queries]
        shown += [tables.coverage(outcome), tables.per_query(outcome), tables.quality(outcome)]
        shown += [
            tables.p_values(outcome, tested, group, measure)
            for group in groups
            for measure in tables.TESTED
            if tested and group.queries
        ]
        shown += [tables.shared(outcome), tables.costs(outcome)]
    elif tested:
        shown.append(tables.p_values(outcome, tested, groups[0], "average_precision"))
    shown += [latent.table(half) for half in halves]
    for number, table in enumerate(shown):
        if number:
            click.echo()
        click.echo(click.style(table.title, bold=True))
        if not sys.stdout.isatty():
            click.echo("\t".join(table.head))
        print_table(table.head, [[_cell(value) for value in row] for row in table.rows])
    click.echo()
    for sentence in verdict(outcome, tested):
        click.echo(sentence)


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        both, share = value
        return f"{both:,}" if share is None else f"{both:,} ({share:.0%})"
    if isinstance(value, float):
        if 0 < value < 0.001:
            return "<0.001"
        return f"{value:.3f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else "–" if value is None else value


def say_gold(judged: Judged, drawn: Judged) -> None:
    """How many queries there are, and what of the gold could not be used."""
    say(f"{len(drawn.queries):,} of {len(judged.queries):,} queries; {judged.refused}.")
    _say_examples(judged.refused)
    for note in judged.notes[:3]:
        say(note)
    if len(judged.notes) > 3:
        say(f"So are {len(judged.notes) - 3:,} more.")


def _say_examples(refused: Refused) -> None:
    for reason, examples in refused.examples.items():
        for example in examples[:1]:
            say(f"  {reason}: {example}")


def say_odd(outcome: Outcome, runs: Sequence[Run]) -> None:
    """What was odd in runs, and a line for each method that failed, with its first reason."""
    for run in runs:
        if run.odd.total():
            say(f"{run.label}: odd answers {str(run.odd).removeprefix('refused ')}.")
            _say_examples(run.odd)
    for label, answers in outcome.answers.items():
        failed = [one for one in answers if one.error]
        if failed:
            say(
                f"{label} failed on {len(failed):,} of {len(answers):,} queries; "
                f"on {failed[0].query}: {failed[0].error}"
            )


def csv_text(lines: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def write(path: str, text: str) -> None:
    """Write a file, and say so."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OptionError(f"evaluate: {path} cannot be written: {error.strerror}.") from error
    say(f"Wrote {path}.")
