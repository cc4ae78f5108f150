"""Draws the table of docs/explanation/evaluation.md as a picture: `make docs`.

Each data set is a line with three dots: the best method of the papers, the default from links
alone, and the default.  Only the first figure of each cell is drawn.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE / "explanation" / "evaluation.md"
IMAGE = HERE / "images" / "evaluation.svg"
ROW = re.compile(r"^\| ([^|]+) \| \d+ \| ([\d.]+) / .*? \| ([\d.]+) / .*? \| ([\d.]+) / ", re.M)
SERIES = {
    "best method of the papers": "#8b949e",
    "default, links only": "#4fb3c8",
    "default": "#0a5c70",
}
WIDTH, LEFT, RIGHT, TOP, STEP = 760, 270, 20, 70, 30


def chart(page: str) -> str:
    """The picture of the page's table, as SVG."""
    rows = [(name, list(map(float, figures))) for name, *figures in ROW.findall(page)]
    bottom = TOP + STEP * len(rows)
    parts = [f'<rect width="{WIDTH}" height="{bottom + 46}" rx="8" fill="#ffffff"/>']
    for number, (label, colour) in enumerate(SERIES.items()):
        x = 130 + number * 220
        parts += [_dot(x, 28, colour), _text(x + 12, 33, label)]
    for tenth in range(0, 11, 2):
        x = _across(tenth / 10)
        parts.append(f'<path d="M{x:g} {TOP - 20}V{bottom - 10}" stroke="#e3dfd6"/>')
        parts.append(_text(x, bottom + 12, f"{tenth / 10:g}", "middle"))
    for number, (name, figures) in enumerate(rows):
        y = TOP + STEP * number
        ends = f"M{_across(min(figures)):g} {y}H{_across(max(figures)):g}"
        parts += [_text(LEFT - 20, y + 5, name, "end"), f'<path d="{ends}" stroke="#a3adb5"/>']
        dots = zip(figures, SERIES.values(), strict=True)
        parts += [_dot(_across(figure), y, colour) for figure, colour in dots]
    parts.append(_text(_across(0.5), bottom + 32, "capped recall@10", "middle"))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 46}" '
        f'font-family="system-ui, sans-serif" font-size="14" fill="#1d2327">\n{body}\n</svg>\n'
    )


def _across(figure: float) -> float:
    return round(LEFT + figure * (WIDTH - LEFT - RIGHT), 1)


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


if __name__ == "__main__":
    IMAGE.write_text(chart(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"Wrote {IMAGE.relative_to(HERE.parent)}")
