"""The costs of large graphs as tables and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.measure import table

Results = Sequence[dict[str, float]]
PANELS: dict[str, dict[str, str]] = {
    "building, ns of CPU per link": {
        "build": "build {}",
        "of which system": "build {} system",
        "related pack": "pack",
    },
    "bytes per link": {
        "disk while building": "build {} disk",
        "links, both directions, and index": "{} bytes",
    },
    "memory of a build, GB": {"--memory 3G": "build {} memory"},
    "a query, ms of CPU, warm": {
        "companion, in-degree 1,000": "{} companion 1000",
        "companion, in-degree 100": "{} companion 100",
        "default, in-degree 100": "{} blend 100",
        "cocitation, in-degree 100": "{} cocitation 100",
    },
    "the whole graph, seconds of CPU": {"PageRank to 1e-6": "{} pagerank", "check": "{} check"},
    "opening, ms": {"open": "{} open"},
}
"""The panels by title, and the label and cost of each line; {} is plain or packed."""
BY_FACTORS = ("a question", "the whole graph", "opening")
"""How the titles of panels with logarithmic axes begin."""
FORMS = ("plain", "packed")
DEGREES = (10, 100, 1000, 2000)
METHODS = {"companion": "companion", "cocitation": "cocitation", "default": "blend"}
ROWS: dict[str, tuple[str, ...]] = {
    "build, plain, ns of CPU per link, of which system": ("build plain", "build plain system"),
    "build, packed, ns of CPU per link, of which system": ("build packed", "build packed system"),
    "build, memory in GB (`--memory 3G`)": ("build plain memory", "build packed memory"),
    "disk while building, bytes per link": ("build plain disk", "build packed disk"),
    "disk afterwards, bytes per link": ("plain disk", "packed disk"),
    "`related pack`, ns of CPU per link": ("pack",),
    "links of both directions and index, bytes per link": ("plain bytes", "packed bytes"),
    "open, ms": ("plain open", "packed open"),
    **{
        f"{name} at in-degree {degree:,}, ms of CPU": tuple(f"{f} {method} {degree}" for f in FORMS)
        for (name, method), degree in product(METHODS.items(), DEGREES)
    },
    "`related check`, s of CPU": ("plain check", "packed check"),
    "PageRank to 1e-6, s of CPU": ("plain pagerank", "packed pagerank"),
    "its rounds": ("packed rounds",),
}
"""The rows of the table and their costs, plain before packed."""


def show_tables(results: Results) -> None:
    """One row per cost, one column per size; then queries on graphs larger than memory."""
    sizes = [f"{r['links'] / 1e6:,.0f} M links, {r['pages'] / 1e6:,.1f} M pages" for r in results]
    rows = [[label, *(_cell(r, costs) for r in results)] for label, costs in ROWS.items()]
    table("Costs as graphs grow (plain, packed)", ["", *sizes], rows)
    for name, method in METHODS.items():
        past = [row for r in results for row in _past(r, method)]
        if past:
            head = [f"{name} at in-degree", *(f"{degree:,}" for degree in DEGREES)]
            table("Larger than memory: ms of wall time (MB read)", head, past)


def _cell(result: dict[str, float], costs: Sequence[str]) -> str:
    """Costs, with a dash for those not measured."""
    shown = [f"{result[cost]:,.3g}" if cost in result else "–" for cost in costs]
    return "–" if set(shown) == {"–"} else ", ".join(shown)


def _past(result: dict[str, float], method: str) -> Iterator[list[str]]:
    """The rows of one size: each storage form in each cgroup."""
    for gib in sorted({key.split()[0] for key in result if " GiB " in key}, key=float)[::-1]:
        for form in ("unadvised", *FORMS):
            costs = [f"{gib} GiB {form} {method} {degree}" for degree in DEGREES]
            if costs[0] in result:
                cells = [f"{result[c]:,.0f} ({result[f'{c} MB']:,.1f})" for c in costs]
                yield [f"{result['links'] / 1e6:,.0f} M, {form}, in {gib} GiB", *cells]


def draw_picture(results: Results, file: Path) -> None:
    """Plot how every cost grows; packed links are solid lines, plain ones dotted."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(2, 3, figsize=(12, 6.4), sharex=True)
    for axes, (title, lines) in zip(grid.flat, PANELS.items(), strict=True):
        for number, (label, cost) in enumerate(lines.items()):
            for form, style in (("packed", "-"), ("plain", ":")):
                if "{}" in cost or form == "packed":
                    _line(axes, results, cost.format(form), (label, style, f"C{number}"))
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log")
        if title.startswith(BY_FACTORS):
            axes.set_yscale("log")
            axes.set_ylim(axes.get_ylim()[0] / 10)
            axes.yaxis.set_major_formatter("{x:g}")
        else:
            axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7, loc="lower right")
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
