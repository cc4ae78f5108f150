"""Draw pictures with matplotlib, if it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whatsrelated.errors import OptionError
from whatsrelated.machine.files import output_file
from whatsrelated.machine.packages import load


def empty_figure(width: float, height: float) -> Any:
    """An empty figure of this size in inches, drawn in memory."""
    figures = load("matplotlib.figure", "Drawing a picture", "plots")
    figure = figures.Figure(figsize=(width, height), layout="constrained")
    load("matplotlib.backends.backend_agg", "Drawing a picture", "plots").FigureCanvasAgg(figure)
    return figure


def write_figure(figure: Any, path: Path) -> None:
    """Write a figure in the format that the file name implies."""
    try:
        with output_file(path) as file:
            figure.savefig(file, format=path.suffix[1:] or None)
    except ValueError as error:
        raise OptionError(f"The picture {path} cannot be written: {error}.") from error
