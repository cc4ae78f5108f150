"""Output for people: tables that fit the terminal, and tab-separated when piped."""

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
"""Minimum width of a table column."""


def print_json(value: Any) -> None:
    """Print plain values or a reply as JSON: indented on a terminal, else on one line."""
    plain = value.as_dict() if isinstance(value, JSONReply) else value
    text = json.dumps(plain, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    click.echo(escape_json(text))


def print_csv(head: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> None:
    """Print rows as CSV without control characters, and so that no cell is a formula.

    Without a head, the rows continue a table that was begun before.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for row in chain([head] if head else [], rows):
        writer.writerow([cell(value) if isinstance(value, str) else value for value in row])
    click.echo(written.getvalue(), nl=False)


def print_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print columns that fit the terminal, by cutting the widest; tab-separated when piped."""
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
    """Print tab-separated rows; without a head, they continue a table begun before."""
    for row in chain([head] if head else [], rows):
        click.echo("\t".join(map(clean, row)))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return "  ".join(shorten(cell, width).ljust(width) for cell, width in pairs).rstrip()


def shorten(text: str, most: int) -> str:
    """Cut a text to `most` characters; a URL in the middle, as its end matters most."""
    if len(text) <= most:
        return text
    if "://" not in text:
        return text[: most - 1] + "…"
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def clean(value: Any) -> str:
    """A value as shown to people: no control characters, short numbers."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))


def say(text: str) -> None:
    """Print a remark to stderr."""
    click.echo(clean(text), err=True)
