"""Parts of an HTML page: tables, cells, formatted numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


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
