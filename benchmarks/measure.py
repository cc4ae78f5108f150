"""Compares rivals in one run: interleaved, repeated, medians of CPU time."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def interleaved(
    rivals: Mapping[str, Callable[[], Any]],
    repeats: int,
    clock: Callable[[], float] = time.process_time,
    warm: bool = False,
    choose: Callable[[list[float]], float] = statistics.median,
) -> dict[str, float]:
    """The median seconds of each rival, interleaved so that a noisy minute affects all of them.

    `choose` replaces the median.  `warm` runs each once more before timing it, to bring its
    data back into the cache.
    """
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(repeats):
        for name, run in rivals.items():
            if warm:
                run()
            begun = clock()
            run()
            seconds[name].append(clock() - begun)
    return {name: choose(times) for name, times in seconds.items()}


def sizes_asked_for(description: str | None, **sizes: int) -> argparse.ArgumentParser:
    """A parser for a folder and for sizes with defaults."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=Path)
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser


def table(title: str, head: list[str], rows: list[list[Any]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(_cell(value) for value in row) + " |")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(value)
