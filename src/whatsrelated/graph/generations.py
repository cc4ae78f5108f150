"""Replacing a graph in one step, whatever happens on the way.

A new generation is written beside the valid one, synced, and then named by the
file `current`, which is replaced in one step.  A build that dies before that
leaves the old graph, one that dies after it the new one; what it left behind is
removed by the next build, under the same lock.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import BuildError, GraphFormatError
from whatsrelated.graph import format as disk
from whatsrelated.machine.locks import try_lock

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOCK = "lock"
BEGUN = ".building-"
NAMED = "generation-"
OURS = (disk.CURRENT, LOCK, "ranks")


class Generation:
    """A generation being written; as a context it holds the lock and cleans up."""

    def __init__(self, path: Path, temporary: Path | None = None) -> None:
        self.path = path
        self._elsewhere = temporary
        self._writers: dict[str, disk.ArrayWriter] = {}

    def __enter__(self) -> Generation:
        try:
            self._prepare()
            self._lock_file = (self.path / LOCK).open("a+")
            self._take_lock()
            self._remove_leftovers()
            self._folder = self.path / f"{BEGUN}{os.getpid()}"
            self._folder.mkdir()
            base = self._elsewhere or self._folder
            self.temporary = Path(tempfile.mkdtemp(prefix="related-", dir=base))
        except OSError as error:
            if isinstance(error, BuildError):
                raise
            raise BuildError(self._explanation(error)) from error
        return self

    def _prepare(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise BuildError(
                f"{self.path} is a file, and a graph is a folder; choose another place."
            )
        self.path.mkdir(parents=True, exist_ok=True)
        strangers = [
            entry.name
            for entry in self.path.iterdir()
            if not entry.name.startswith((*OURS, BEGUN, NAMED))
        ]
        if strangers:
            raise BuildError(
                f"{self.path} holds other files ({strangers[0]!r}); "
                "a graph needs a folder of its own: choose another place."
            )

    def _take_lock(self) -> None:
        if not try_lock(self._lock_file):
            self._lock_file.seek(0)
            holder = self._lock_file.read().strip() or "another"
            self._lock_file.close()
            raise BuildError(
                f"{self.path} is being built by process {holder}; wait until it has finished."
            )
        self._lock_file.truncate(0)
        self._lock_file.write(str(os.getpid()))
        self._lock_file.flush()

    def _remove_leftovers(self) -> None:
        valid = self._current()
        for entry in self.path.iterdir():
            if entry.name.startswith(BEGUN) or (entry.name.startswith(NAMED) and entry != valid):
                shutil.rmtree(entry, ignore_errors=True)

    def _current(self) -> Path | None:
        try:
            return disk.current_generation(self.path)[0]
        except GraphFormatError:
            return None

    def array(self, name: str) -> disk.ArrayWriter:
        """The array of that name, made when it is first asked for."""
        if name not in self._writers:
            self._writers[name] = disk.ArrayWriter(self._folder, name)
        return self._writers[name]

    def finish(self) -> dict[str, Any]:
        """Close and sync all arrays; what the manifest says of their files."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        return {name: writer.close() for name, writer in self._writers.items()}

    def map_arrays(self, files: dict[str, Any]) -> dict[str, NDArray[Any]]:
        """The finished arrays."""
        return disk.map_arrays(self._folder, {"files": files})

    def switch(self, manifest: dict[str, Any]) -> None:
        """Put the new generation in the place of the old, in one step."""
        data = json.dumps(manifest, indent=1).encode()
        disk.write_synced(self._folder / disk.MANIFEST, data)
        old = self._current()
        number = int(old.name.removeprefix(NAMED)) + 1 if old else 1
        new = self.path / f"{NAMED}{number:06}"
        self._folder.rename(new)
        disk.sync_folder(self.path)
        current = {"format": disk.VERSION, "generation": new.name, "manifest": disk.digest(data)}
        disk.write_synced(self.path / disk.CURRENT, json.dumps(current).encode())
        if old:
            shutil.rmtree(old, ignore_errors=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for writer in self._writers.values():
            writer.abandon()
        shutil.rmtree(self.temporary, ignore_errors=True)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._lock_file.close()
        if isinstance(error, OSError) and not isinstance(error, BuildError):
            raise BuildError(self._explanation(error)) from error

    def _explanation(self, error: OSError) -> str:
        if error.errno == errno.ENOSPC:
            why = "the disk is full; free some space, or choose another place with --temp"
        else:
            why = error.strerror or str(error)
        where = f" ({error.filename})" if error.filename else ""
        old = " The old graph is untouched." if self._current() else ""
        return f"{self.path} cannot be built: {why}{where}.{old}"
