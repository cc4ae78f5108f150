"""How long tests wait: as long as a very busy machine may need."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300
"""Seconds after which something will not happen, however busy the machine is."""

PATIENT_SERVER = {"RELATED_SERVE_DEADLINE": str(PATIENCE)}
"""The environment of a server that gives queries as long; `--deadline` overrides it."""


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.005)
