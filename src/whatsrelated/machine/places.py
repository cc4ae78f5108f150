"""The user's cache folder, and suggestions for paths that do not exist."""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path

from whatsrelated.errors import suggestion

MAX_ENTRIES = 10_000
"""Maximum number of a folder's entries to compare with a name."""


def similar_path(path: str | Path) -> str:
    """The end of the error for a missing path: a path with a similar name, if there is one."""
    whole = Path(path)
    try:
        entries = islice(whole.absolute().parent.iterdir(), MAX_ENTRIES)
        names = [entry.name for entry in entries if entry.exists()]  # a link may lead nowhere
    except OSError:
        return ""
    return suggestion(whole.name, names, str(path)[: len(str(path)) - len(whole.name)])


def cache_folder() -> Path:
    """The folder for caches: $XDG_CACHE_HOME if it is set, otherwise the system's default."""
    folder = os.environ.get("XDG_CACHE_HOME")
    if folder and Path(folder).is_absolute():
        return Path(folder, "whatsrelated")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local", "whatsrelated")
    home = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / home / "whatsrelated"
