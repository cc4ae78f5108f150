"""The system packages that some tests need, as tests/system.txt lists them."""

from __future__ import annotations

import shutil
from pathlib import Path

TOP = Path(__file__).parent.parent


def packages() -> dict[str, str]:
    """Each package by name, with the command or the path that shows it is there."""
    lines = (TOP / "tests" / "system.txt").read_text().splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def is_there(package: str) -> bool:
    """Whether the package is installed; one that system.txt does not list is our mistake."""
    shows = packages()[package]
    return shutil.which(shows) is not None or Path(shows).exists()
