"""Plain Python cannot handle a mapped file that is truncated while in use."""

from __future__ import annotations


def exit_on_bus_error() -> None:
    """From now on, exit with an error message if a mapped file has become too short."""
