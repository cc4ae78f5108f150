"""Pictures in a file, drawn by matplotlib where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whatsrelated.errors import OptionError
from whatsrelated.machine.files import output_file
from whatsrelated.machine.packages import load


def empty_figure(width: float, height: float) -> Any:
    """A figure of this size in inches; what is to be drawn is drawn in memory."""
    figures = load("matplotlib.figure", "A picture", "plots")
    figure = figures.Figure(figsize=(width, height), layout="constrained")
    load("matplotlib.backends.backend_agg", "A picture", "plots").FigureCanvasAgg(figure)
    return figure


def write_figure(figure: Any, path: Path) -> None:
    """Write a figure in the format that the name of the file says."""
    try:
        with output_file(path) as file:
            figure.savefig(file, format=path.suffix[1:] or None)
    except ValueError as error:
        raise OptionError(f"The picture {path} cannot be written: {error}.") from error
