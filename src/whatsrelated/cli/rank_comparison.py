"""Output of `related rank --compare`: positions, agreement and convergence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from whatsrelated.cli.figure import empty_figure, write_figure
from whatsrelated.cli.output import print_csv, print_table

if TYPE_CHECKING:
    from whatsrelated.ranks.comparison import RankComparison

MARKERS = "osD^vP*X"


def print_rank_comparison(comparison: RankComparison, top: int) -> None:
    """Print three tables: cost, agreement, and the first rank's best pages."""
    rows = [
        [r.by.name, r.rounds, r.residual, "yes" if r.converged else "no", seconds]
        for r, seconds in zip(comparison.rankings, comparison.seconds, strict=True)
    ]
    _print("Cost", ["rank", "rounds", "residual", "converged", "seconds"], rows)
    pairs = [
        [f"{p.x}, {p.y}", *(f"{share:.0%}" for share in p.shares.values()), p.kendall, p.rbo]
        for p in comparison.pairs()
    ]
    head = ["shared in the top", *map(str, comparison.tops), "Kendall", "RBO"]
    _print("Agreement", head, pairs)
    first, *others = comparison.names
    placed = [
        [*(at if at <= top else f">{top}" for at in row.places), row.links, row.result.url]
        for row in comparison.best(top)
    ]
    links = "links out" if comparison.hubs else "links in"
    _print(f"Best pages by {first}", [first, *others, links, "page"], placed, last=True)


def print_best_as_csv(comparison: RankComparison, top: int) -> None:
    """Print the first rank's best pages, with their positions in all ranks."""
    places = [[row.result.url, row.links, *row.places] for row in comparison.best(top)]
    print_csv(["url", "links", *comparison.names], places)


def _print(title: str, head: list[str], rows: list[list[Any]], *, last: bool = False) -> None:
    click.echo(click.style(title, bold=True))
    print_table(head, rows)
    if not last:
        click.echo()


def draw_convergence(comparison: RankComparison, path: Path) -> None:
    """Plot the residual of every round of each iterative rank, on a logarithmic scale."""
    figure = empty_figure(8, 5)
    axes = figure.subplots()
    drawn = zip(comparison.rankings, comparison.seconds, strict=True)
    for number, (ranking, seconds) in enumerate(drawn):
        if ranking.residuals:
            rounds = range(1, len(ranking.residuals) + 1)
            axes.plot(
                rounds,
                ranking.residuals,
                marker=MARKERS[number % len(MARKERS)],
                markevery=max(len(rounds) // 15, 1),
                markersize=5,
                label=f"{ranking.by.name}: {len(rounds):,} rounds, {seconds:.2g} s",
            )
    axes.set_yscale("log")
    axes.set_xlabel("round")
    axes.set_ylabel("change of the scores (L1)")
    axes.set_title(f"Convergence on {len(comparison.rankings[0]):,} pages")
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend()
    write_figure(figure, path)
