"""What people read: tables that fit the terminal, plain when piped."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import click

from whatsrelated.contract.replies import JSONReply
from whatsrelated.names.display import cell, escape_json

LEAST_WIDTH = 4
"""How narrow a column of a table may become."""


def print_json(value: Any) -> None:
    """Plain values, or a reply, as JSON: laid out on a terminal, else on one line."""
    plain = value.as_dict() if isinstance(value, JSONReply) else value
    text = json.dumps(plain, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    click.echo(escape_json(text))


def print_csv(head: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> None:
    """Rows for programs and spreadsheets: no control characters, and no text is a formula.

    Without a head, the rows go on below those that were printed before.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for row in chain([head] if head else [], rows):
        writer.writerow([cell(value) if isinstance(value, str) else value for value in row])
    click.echo(written.getvalue(), nl=False)


def print_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Columns as wide as they need, the widest cut to fit the terminal; with tabs when piped."""
    texts = [[clean(value) for value in row] for row in rows]
    if not sys.stdout.isatty():
        print_tabs(head, rows)
        return
    widths = [max(map(len, column)) for column in zip(head, *texts, strict=True)]
    room = shutil.get_terminal_size().columns - 2 * (len(widths) - 1)
    while sum(widths) > room and max(widths) > LEAST_WIDTH:
        widths[widths.index(max(widths))] -= 1
    click.echo(click.style(_line(head, widths), bold=True))
    for row in texts:
        click.echo(_line(row, widths))


def print_tabs(head: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> None:
    """Rows with tabs between; without a head, they go on below those printed before."""
    for row in chain([head] if head else [], rows):
        click.echo("\t".join(map(clean, row)))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return "  ".join(shorten(cell, width).ljust(width) for cell, width in pairs).rstrip()


def shorten(text: str, most: int) -> str:
    """A text cut to so many characters: a URL in its middle, for its end says most."""
    if len(text) <= most:
        return text
    if "://" not in text:
        return text[: most - 1] + "…"
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def clean(value: Any) -> str:
    """A value for people: no control characters, numbers short."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))


def say(text: str) -> None:
    """A remark for the person at the terminal, never part of the output."""
    click.echo(clean(text), err=True)
