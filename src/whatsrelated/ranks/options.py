"""Options that several ranks have, declared once."""

from __future__ import annotations

from typing import Any

from whatsrelated.options import option


def damping_option() -> Any:
    """How a random walk divides between links and jumps."""
    return option(
        0.85, "how often the reader follows a link instead of jumping", symbol="d", low=0, high=1
    )


def tolerance_option() -> Any:
    """When an iteration has converged."""
    return option(
        1e-10,
        "stop when a round changes the scores by less than this, in all",
        low=0,
        open_low=True,
    )


def max_rounds_option() -> Any:
    """When an iteration that has not converged is given up."""
    return option(1000, "the most rounds to make", low=1)
