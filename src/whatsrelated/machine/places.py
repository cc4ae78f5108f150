"""Where a user's programs store caches."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder for caches: $XDG_CACHE_HOME if it is set, else the system's default."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named and Path(named).is_absolute():
        return Path(named, "whatsrelated")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local", "whatsrelated")
    home = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / home / "whatsrelated"
