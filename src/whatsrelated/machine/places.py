"""Where this user's programs put what they can make again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder for caches: $XDG_CACHE_HOME where it is set, else what the system says."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named and Path(named).is_absolute():
        return Path(named, "whatsrelated")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local", "whatsrelated")
    home = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / home / "whatsrelated"
