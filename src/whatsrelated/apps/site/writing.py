"""A lock on a site's folder, which also removes files left by a killed process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from whatsrelated.errors import BuildError
from whatsrelated.machine.files import remove_unfinished
from whatsrelated.machine.locks import folder_lock


@contextlib.contextmanager
def writing(root: str) -> Iterator[None]:
    """Hold the lock while the pages of a folder are replaced."""
    with folder_lock(root) as alone:
        if not alone:
            raise BuildError(f"{root} is being written by another process; wait until it is done.")
        for folder, _, _ in os.walk(root):
            remove_unfinished(Path(folder))
        yield
