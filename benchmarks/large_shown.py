"""The costs of large graphs as a table and as a picture."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure import table


def show_table(results: list[dict[str, float]]) -> None:
    """One row for each cost, one column for each size."""
    names = {name: None for result in results for name in result if name not in ("links", "pages")}
    head = ["", *(f"{r['links'] / 1e6:,.0f} M / {r['pages'] / 1e6:,.1f} M" for r in results)]
    table("Large graphs", head, [[name, *(r.get(name, "") for r in results)] for name in names])


def draw_picture(results: list[dict[str, float]], file: Path) -> None:
    raise NotImplementedError
