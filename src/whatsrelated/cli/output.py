"""Output for people: tables that fit the terminal, or tab-separated rows when piped."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any

import click

from whatsrelated.contract.replies import JSONReply
from whatsrelated.names.display import cell, escape_json, shorten_address

MIN_WIDTH = 4
"""Minimum width of a table column."""
MIN_LINE = 30
"""Minimum width of a wrapped line, however narrow the terminal is."""


def print_json(value: Any) -> None:
    """Print plain values or a reply as JSON, indented on a terminal and on one line elsewhere."""
    plain = value.as_dict() if isinstance(value, JSONReply) else value
    text = json.dumps(plain, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    click.echo(escape_json(text))


def print_csv(head: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> None:
    """Print rows as CSV, with control characters replaced and formulas made harmless.

    Without a header, the rows continue an earlier table.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for row in chain([head] if head else [], rows):
        writer.writerow([cell(value) if isinstance(value, str) else value for value in row])
    click.echo(written.getvalue(), nl=False)


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], faint: Collection[int] = ()
) -> None:
    """Print columns that fit the terminal, cutting the widest; when piped, print tab-separated
    rows.

    Rows at the positions in `faint` are dimmed.
    """
    texts = [[clean(value) for value in row] for row in rows]
    if not sys.stdout.isatty():
        print_tabs(head, rows)
        return
    columns = list(zip(head, *texts, strict=True))
    widths = [max(map(len, column)) for column in columns]
    min_widths = [max(map(_min_width, column)) for column in columns]
    room = shutil.get_terminal_size().columns - 2 * (len(widths) - 1)
    while sum(widths) > room:
        cut = max(
            range(len(widths)), key=lambda place: (widths[place] > min_widths[place], widths[place])
        )
        if widths[cut] <= min_widths[cut]:
            break
        widths[cut] -= 1
    click.echo(click.style(_line(head, widths), bold=True))
    for place, row in enumerate(texts):
        line = _line(row, widths)
        click.echo(click.style(line, dim=True) if place in faint else line)


def print_tabs(head: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> None:
    """Print tab-separated rows; without a header, they continue an earlier table."""
    for row in chain([head] if head else [], rows):
        click.echo("\t".join(map(clean, row)))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return "  ".join(shorten(cell, width).ljust(width) for cell, width in pairs).rstrip()


def shorten(text: str, width: int) -> str:
    """Shorten text to `width` characters; a URL loses the middle of its path, never its host."""
    if len(text) <= width:
        return text
    if "://" in text or ("/" in text and " " not in text):
        return shorten_address(text, width, host="://" in text)
    return text[: width - 1] + "…"


def _min_width(text: str) -> int:
    """Minimum width of a cell: a URL's host must fit; other values need only a few letters."""
    _, mark, rest = text.partition("://")
    return len(rest.partition("/")[0]) + len("/…") if mark else MIN_WIDTH


def print_wrapped(text: str, first: str, indent: str) -> None:
    """Print indented text, wrapped at words on a terminal and on one line when piped."""
    if not sys.stdout.isatty():
        click.echo(first + text)
        return
    lines = textwrap.wrap(
        text,
        max(shutil.get_terminal_size().columns, MIN_LINE),
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.echo("\n".join(lines))


def clean(value: Any) -> str:
    """Format a value for people: no control characters, short numbers."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))


def counted(count: int, plural: str) -> str:
    """A count and what was counted, such as "2 links left out" or "1 link left out"."""
    singular = re.sub("(?<=[a-z])(?<!s)s(?![a-z])", "", plural, count=1)
    return f"{count:,} {singular if count == 1 else plural}"


def say(text: str) -> None:
    """Print a remark to stderr."""
    click.echo(clean(text), err=True)
