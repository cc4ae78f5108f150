"""A mapped file that is cut short while it is read: nothing can be done about it in Python."""

from __future__ import annotations


def exit_on_bus_error() -> None:
    """From now on, end this process with a sentence where a mapped file has become too short."""
