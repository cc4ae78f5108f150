"""Where a user's programs store caches, and which path a user may have meant."""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path

from whatsrelated.errors import suggestion

MOST_ENTRIES = 10_000
"""Maximum number of a folder's entries to compare with a name."""


def similar_path(path: str | Path) -> str:
    """The end of an error about a path that does not exist: one with a similar name, if any."""
    whole = Path(path)
    try:
        there = [each.name for each in islice(whole.absolute().parent.iterdir(), MOST_ENTRIES)]
    except OSError:
        return ""
    return suggestion(whole.name, there, str(path)[: len(str(path)) - len(whole.name)])


def cache_folder() -> Path:
    """The folder for caches: $XDG_CACHE_HOME if it is set, else the system's default."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named and Path(named).is_absolute():
        return Path(named, "whatsrelated")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local", "whatsrelated")
    home = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / home / "whatsrelated"
