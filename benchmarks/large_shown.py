"""The costs of large graphs as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import table

Results = Sequence[dict[str, float]]
PANELS: dict[str, dict[str, str]] = {
    "CPU of building, ns a link": {
        "build": "build plain",
        "of it system": "build plain system",
        "pack": "pack",
        "build packed": "build packed",
    },
    "bytes a link, both directions": {"plain": "plain bytes", "packed": "packed bytes"},
    "a question, ms of CPU, warm": {
        "companion, in-degree 1,000": "{} companion 1000",
        "companion, in-degree 100": "{} companion 100",
        "default, in-degree 100": "{} blend 100",
        "cocitation, in-degree 100": "{} cocitation 100",
    },
    "the whole graph, seconds of CPU": {"PageRank to 1e-6": "{} pagerank", "check": "{} check"},
}
"""The titles of the panels, and of each line its label and its cost; {} is plain or packed."""
GROWING = "the whole graph, seconds of CPU"


def show_table(results: Results) -> None:
    """One row for each cost, one column for each size."""
    names = {name: None for result in results for name in result if name not in ("links", "pages")}
    head = ["", *(f"{r['links'] / 1e6:,.0f} M / {r['pages'] / 1e6:,.1f} M" for r in results)]
    table("Large graphs", head, [[name, *(r.get(name, "") for r in results)] for name in names])


def draw_picture(results: Results, file: Path) -> None:
    """The growth of every cost; packed links are drawn through, plain ones dotted."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(2, 2, figsize=(9, 6.4), sharex=True)
    for axes, (title, lines) in zip(grid.flat, PANELS.items(), strict=True):
        for number, (label, cost) in enumerate(lines.items()):
            for form, style in (("packed", "-"), ("plain", ":")):
                if "{}" in cost or form == "packed":
                    _line(axes, results, cost.format(form), (label, style, f"C{number}"))
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log")
        if title == GROWING or "{}" in cost:
            axes.set_yscale("log")
            axes.set_ylim(axes.get_ylim()[0] / 4)
            axes.yaxis.set_major_formatter("{x:g}")
        else:
            axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7, loc="lower right", ncols=2)
    for axes in grid[1]:
        axes.set_xlabel("links (solid: packed, dotted: plain)", fontsize=9)
    figure.tight_layout()
    figure.savefig(file, dpi=110)


def _line(axes: Any, results: Results, cost: str, how: tuple[str, str, str]) -> None:
    label, style, colour = how
    rows = [(r["links"], r[cost]) for r in results if cost in r]
    if rows:
        shown = label if style == "-" else None
        axes.plot(*zip(*rows, strict=True), marker="o", ms=3, ls=style, color=colour, label=shown)
