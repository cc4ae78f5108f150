"""Files of a site, each replaced as a whole: whoever is killed leaves the old one or the new.

The new one is written beside the old with the same rights, and takes its place.
What a run that was killed left beside pages is removed by the next; one process at
a time writes a folder.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from whatsrelated.errors import BuildError
from whatsrelated.machine.locks import folder_lock

PREFIX = ".related-site-"
"""How the names of unfinished files begin."""


@contextlib.contextmanager
def writing(root: str) -> Iterator[None]:
    """While the pages of a folder are replaced."""
    with folder_lock(root) as alone:
        if not alone:
            raise BuildError(f"{root} is being written by another process; wait until it is done.")
        _remove_unfinished(root)
        yield


def replace_page(path: str, data: bytes) -> None:
    """Put new contents into a file, which keeps its rights; BuildError where that fails."""
    aside = ""
    try:
        handle, aside = tempfile.mkstemp(prefix=PREFIX, dir=os.path.dirname(path))  # noqa: PTH120
        with open(handle, "wb") as file:  # noqa: PTH123 -- a file that is already open
            file.write(data)
            old = os.stat(path)  # noqa: PTH116
            with contextlib.suppress(OSError, AttributeError):
                os.chown(aside, old.st_uid, old.st_gid)
            os.chmod(aside, old.st_mode & 0o7777)  # noqa: PTH101
        os.replace(aside, path)  # noqa: PTH105
        aside = ""
    except OSError as error:
        raise BuildError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        if aside:
            with contextlib.suppress(OSError):
                os.unlink(aside)  # noqa: PTH108


def _remove_unfinished(root: str) -> None:
    for folder, _, names in os.walk(root):
        for name in names:
            if name.startswith(PREFIX):
                with contextlib.suppress(OSError):
                    os.unlink(f"{folder}/{name}")  # noqa: PTH108
