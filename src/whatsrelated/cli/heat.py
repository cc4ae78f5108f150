"""A similarity matrix as a heat map, on the terminal or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from whatsrelated.cli.figure import empty_figure, write_figure
from whatsrelated.query.similarity import Similarity

SHADES = " ░▒▓█"


def brightness(alike: Similarity) -> Any:
    """Scores relative to the largest score between two different pages; nan if there is none."""
    scores = alike.scores.copy()
    same = np.array([[one == two for two in alike.urls] for one in alike.urls])
    between = scores[~same]
    largest = np.nanmax(between, initial=0.0) if between.size else 0.0
    scores[same] = np.nan
    return scores / largest if largest > 0 else scores


def heat_map(alike: Similarity) -> list[str]:
    """One line per page, two characters per other page; darker means more similar."""
    lines = []
    for row in brightness(alike).tolist():
        cells = ("··" if part != part else 2 * SHADES[round(4 * part)] for part in row)
        lines.append("".join(cells))
    return lines


def save_picture(alike: Similarity, path: Path) -> None:
    """Save the heat map in the format that the file name implies."""
    size = 2.5 + 0.3 * len(alike)
    figure = empty_figure(min(size + 3, 60), min(size, 57))
    axes = figure.subplots()
    drawn = axes.imshow(brightness(alike), cmap="viridis", vmin=0, vmax=1)
    places = range(len(alike))
    axes.set_xticks(places, [str(place + 1) for place in places])
    labels = [f"{url[:60]}  {place}" for place, url in enumerate(alike.urls, 1)]
    axes.set_yticks(places, labels)
    axes.set_title(f"{alike.by.name}, relative to the largest")
    figure.colorbar(drawn, ax=axes)
    write_figure(figure, path)
