"""What notebooks show: small tables and pictures in HTML.  Every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from whatsrelated.names.display import harmless

MOST_ROWS = 20
"""How many rows a table shows; how many more there are is said below it."""
BAR = 14
"""The height of a bar of a picture, in pixels, with the gap below it."""
LABELS, LONGEST = 90, 240
"""How wide the labels of a picture are, and its longest bar."""


def text(value: Any) -> str:
    """A value as text of a page."""
    return escape(harmless(str(value)))


def page_link(url: str, title: str | None) -> str:
    """A page by its title, else its name; a link where its name is an address of the Web."""
    shown = text(title or url)
    if not url.startswith(("http://", "https://")):
        return shown
    return f'<a href="{text(url)}" title="{text(url)}" rel="noopener noreferrer">{shown}</a>'


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], below: str = "") -> str:
    """A table of cells that are HTML already."""
    names = "".join(f'<th style="text-align:left">{text(name)}</th>' for name in head)
    lines = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{one}</td>' for one in row) + "</tr>"
        for row in rows
    )
    top = f"<thead><tr>{names}</tr></thead>" if head else ""
    end = f"<p>{text(below)}</p>" if below else ""
    return f"<table><caption>{text(caption)}</caption>{top}<tbody>{lines}</tbody></table>{end}"


def bars(caption: str, counts: Mapping[str, int]) -> str:
    """Counts as bars, one below the other, in SVG; the longest has the largest count."""
    most = max(counts.values(), default=0)
    drawn = []
    for row, (label, count) in enumerate(counts.items()):
        width, y = LONGEST * count / most if most else 0, BAR * row
        drawn.append(
            f'<text x="{LABELS - 6}" y="{y + 10}" text-anchor="end">{text(label)}</text>'
            f'<rect x="{LABELS}" y="{y + 1}" width="{width:.1f}" height="{BAR - 3}" opacity="0.5"/>'
            f'<text x="{LABELS + width + 5:.1f}" y="{y + 10}">{count:,}</text>'
        )
    size = f'width="{LABELS + LONGEST + 90}" height="{BAR * len(counts)}"'
    return (
        f"<figure><figcaption>{text(caption)}</figcaption>"
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{text(caption)}" '
        f'font-size="10" fill="currentColor">{"".join(drawn)}</svg></figure>'
    )
