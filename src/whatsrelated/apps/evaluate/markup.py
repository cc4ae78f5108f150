"""Parts of an HTML page: tables, cells, formatted numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from html import escape
from importlib import metadata, resources
from typing import Any


def document(title: str, parts: Sequence[tuple[str, str]], more: str) -> str:
    """A self-contained page: the part without a name is its head, the others are sections.

    Empty parts are left out; `more` ends the last line, and says where the numbers are.
    """
    shown = [(name, body) for name, body in parts if body]
    links = "".join(f'<a href="#{anchor(name)}">{escape(name)}</a>' for name, _ in shown if name)
    sections = "".join(
        f'<section id="{anchor(name)}"><h2>{escape(name)}</h2>{body}</section>'
        if name
        else f"<header>{body}<nav>{links}</nav></header>"
        for name, body in shown
    )
    css = resources.files("whatsrelated.apps.evaluate").joinpath("report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{css}</style>\n</head>\n<body>\n{sections}\n"
        f'<p class="quiet"><small>Made with whatsrelated {metadata.version("whatsrelated")} on '
        f"{date.today().isoformat()}; {escape(more)}.</small></p>\n"
        "</body>\n</html>\n"
    )


def grid(head: Sequence[str], rows: Iterable[str]) -> str:
    """A table that scrolls if it is too wide."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return (
        f'<div class="scroll"><table><thead><tr>{names}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def cell(value: Any, style: str = "") -> str:
    """A value in a table: numbers short, a count with its share shaded."""
    if value is None or value == "":
        return '<td class="none">–</td>' if value is None else "<td></td>"
    if isinstance(value, tuple):
        both, share = value
        if share is None:
            return f"<td>{both:,}</td>"
        return (
            f'<td class="share" style="--part: {share:.3f}">{share:.0%}<small>{both:,}</small></td>'
        )
    if isinstance(value, float):
        value = int(value) if value >= 10 and value.is_integer() else value
    if isinstance(value, float):
        small = 0 < abs(value) < 0.001
        digits = 0 if value >= 100 else 1 if value >= 10 else 3
        text = f"{value:.1e}" if small else f"{value:,.{digits}f}"
    else:
        text = f"{value:,}" if isinstance(value, int) else escape(str(value))
    return f'<td class="{style}">{text}</td>' if style else f"<td>{text}</td>"


def details(summary: str, body: str) -> str:
    """A part that the reader can unfold."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def p_value(value: float) -> str:
    """A p-value."""
    return "&lt; 0.001" if value < 0.001 else "1" if value > 0.9995 else f"{value:.3f}"


def with_sign(value: float) -> str:
    """A number with its sign."""
    return f"{value:+.2f}".replace("-", "−")


def anchor(name: str) -> str:
    """A name as the id of a section."""
    return "".join(c if c.isalnum() else "-" for c in name.lower()).strip("-")
