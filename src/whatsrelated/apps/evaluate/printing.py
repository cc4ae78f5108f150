"""Print the tables of `related evaluate`, warn about irregular input, and write files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated.apps.evaluate import latent, rows, tables
from whatsrelated.apps.evaluate.conclusions import conclusions
from whatsrelated.apps.evaluate.report import report
from whatsrelated.apps.evaluate.runs import write_runs
from whatsrelated.cli.output import print_csv, print_json, print_table, say
from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.experiment import Findings
    from whatsrelated.apps.evaluate.gold import Judgments
    from whatsrelated.apps.evaluate.tables import ResultTable
    from whatsrelated.stream import Refused


@dataclass(frozen=True)
class Output:
    """Options for printing, and the files to write."""

    tables: bool = False
    latent: bool = False
    as_json: bool = False
    as_csv: bool = False
    per_query: str | None = None
    save_runs: str | None = None
    report: str | None = None

    def check(self) -> None:
        """Reject unwritable files before any work is done."""
        for file in filter(None, (self.per_query, self.report)):
            self.require_folder(file)

    @staticmethod
    def require_folder(file: str) -> None:
        """Raise an error if a file's folder does not exist."""
        if not Path(file).absolute().parent.is_dir():
            raise OptionError(f"evaluate: {file} cannot be written: its folder does not exist.")

    def write(self, findings: Findings) -> None:
        """Write the files, and print the rest."""
        outcome = findings.outcome
        if self.per_query:
            _write(self.per_query, _csv_text(rows.query_rows(outcome)))
        if self.save_runs:
            for path in write_runs(self.save_runs, outcome.answers):
                say(f"Wrote {path}.")
        if self.report:
            _write(self.report, report(findings))
        if self.as_json:
            print_json(rows.as_dict(findings))
        elif self.as_csv:
            head, *lines = rows.mean_rows(outcome)
            print_csv(head, lines)
        else:
            chosen = [latent.table(one) for one in findings.latent] if self.latent else []
            print_findings(findings, [*_tables(findings, self.tables), *chosen])


def print_findings(findings: Findings, chosen: Sequence[ResultTable]) -> None:
    """Print tables and the conclusions."""
    for number, table in enumerate(chosen):
        if number:
            click.echo()
        click.echo(click.style(table.title, bold=True))
        print_table(table.head, [[_cell(value) for value in row] for row in table.rows])
    click.echo()
    for sentence in conclusions(findings):
        click.echo(sentence)


def _tables(findings: Findings, everything: bool) -> list[ResultTable]:
    """The measures over all queries and their significance, or all tables."""
    outcome, tests = findings.outcome, findings.tests
    if everything:
        return tables.all_tables(outcome, tests)
    first = outcome.groups[0]
    compared = [tables.p_values(outcome, tests, first, "average_precision")] if tests else []
    return [tables.summary(outcome, first), *compared]


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        both, share = value
        return f"{both:,}" if share is None else f"{both:,} ({share:.0%})"
    if isinstance(value, float):
        if 0 < abs(value) < 0.001:
            return f"{value:.1e}"
        return f"{value:.3f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else "–" if value is None else value


def say_gold(judgments: Judgments, drawn: Judgments) -> None:
    """Report the number of queries, and the gold that could not be used."""
    say(f"{len(drawn.queries):,} of {len(judgments.queries):,} queries; {judgments.refused}.")
    _say_examples(judgments.refused)
    for note in judgments.notes[:3]:
        say(note)
    if len(judgments.notes) > 3:
        say(f"… and {len(judgments.notes) - 3:,} more like these.")


def say_irregular(findings: Findings) -> None:
    """Report irregularities in runs, and the first error of each method that failed."""
    for run in findings.runs:
        if total := run.irregular.total():
            counts = ", ".join(f"{n:,} {reason}" for reason, n in run.irregular.counts.items())
            say(f"{run.label}: {total:,} irregular answer{'s' * (total > 1)}: {counts}.")
            _say_examples(run.irregular)
    for label, trials in findings.outcome.answers.items():
        failed = [trial for trial in trials if trial.error]
        if failed:
            say(
                f"{label} failed on {len(failed):,} of {len(trials):,} queries; "
                f"on {failed[0].query}: {failed[0].error}"
            )


def _say_examples(refused: Refused) -> None:
    for reason, examples in refused.examples.items():
        for example in examples[:1]:
            say(f"  {reason}: {example}")


def _csv_text(lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _write(path: str, text: str) -> None:
    """Write a file and report it."""
    write_file(path, text)
    say(f"Wrote {path}.")
