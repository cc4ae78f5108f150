"""Replace a graph atomically, even if a build is interrupted.

A new generation is written next to the valid one and synced; then the file `current`, which points
to it, is replaced atomically. A build that dies before the switch leaves the old graph; one that
dies after it leaves the new one. The next build, under the same lock, removes the leftovers.

Only files written by a build are removed: for a generation, the files in its manifest;
for a killed build, its arrays and sorted runs.  Old generations are removed after the
switch, and only if the previous graph could be read.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import BuildError, GraphFormatError
from whatsrelated.graph import format as disk
from whatsrelated.machine.files import (
    UNFINISHED,
    open_own,
    read_small,
    remove_unfinished,
    sync_folder,
)
from whatsrelated.machine.locks import try_lock, wait_for_lock

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOCK = "lock"
RANKS = "ranks"
SEARCH, TEXT = "search", "text"
PARSED = "parsed"
"""Parsed files of folders, kept for updates (sources/parsed_files)."""
ELSEWHERE = "temporary"
"""A file in the build's folder that holds the path of its sorted runs."""
BUILDING = re.compile(r"\.building-[0-9]+")
ARRAY = re.compile(r"[a-z_.]+\.npy")
RUNS = re.compile(r"related-\w+")
RUN = re.compile(r"[0-9]{6,}\.run")


class Generation:
    """A generation being written; as a context manager, it holds the lock and cleans up."""

    def __init__(
        self,
        path: Path,
        temporary: Path | None = None,
        *,
        keep: int | None = None,
        wait: bool = False,
    ) -> None:
        """`keep` is the number of generations to keep; None keeps as many as before.

        If `wait` is set and another process is building, wait until it has finished.
        """
        self.path = path
        self._keep = keep
        self._wait = wait
        self._elsewhere = temporary
        self._writers: dict[str, disk.ArrayWriter] = {}
        self._folder: Path | None = None
        self._lock_file: Any = None
        self._made_folder = False

    def __enter__(self) -> Generation:
        try:
            self._prepare()
            self._lock_file = open_own(self.path / LOCK, "a+")
            self._take_lock()
            self._remove_killed_builds()
            self._folder = self.path / f".building-{os.getpid()}"
            self._folder.mkdir()
            base = self._elsewhere or self._folder
            self.temporary = Path(tempfile.mkdtemp(prefix="related-", dir=base)).absolute()
            (self._folder / ELSEWHERE).write_bytes(os.fsencode(self.temporary))
        except BaseException as error:  # also if a signal ends the process
            self._clean_up()
            if isinstance(error, BuildError) or not isinstance(error, OSError):
                raise
            raise BuildError(self._explanation(error)) from error
        return self

    def _prepare(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise BuildError(
                f"{self.path} is a file, but a graph is a folder; choose another path."
            )
        self._made_folder = not self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        entries = list(self.path.iterdir())
        has_current = self.path / disk.CURRENT in entries
        self._readable = has_current and self._is_readable()
        known = {disk.CURRENT, LOCK}
        if has_current:
            known |= {RANKS, SEARCH, TEXT, PARSED, disk.VERIFIED}
        for entry in entries:
            if entry.name in known or (has_current and disk.NUMBERED.fullmatch(entry.name)):
                continue
            leftover = UNFINISHED.fullmatch(entry.name) or _is_killed_build(entry)
            if not (leftover or _is_generation(entry)):
                raise BuildError(
                    f"{self.path} is not empty ({entry.name!r}); "
                    "a graph needs its own folder. Choose another path."
                )

    def _is_readable(self) -> bool:
        """Whether `current` can be read; raise BuildError if its format is newer."""
        try:
            disk.current_generation(self.path)
        except GraphFormatError as error:
            if error.newer:
                raise BuildError(
                    f"{error} It was not changed; choose another place, or remove it yourself."
                ) from None
            return False
        return True

    def _take_lock(self) -> None:
        if self._wait:
            wait_for_lock(self._lock_file)
        elif not try_lock(self._lock_file):
            self._lock_file.seek(0)
            holder = self._lock_file.read().strip() or "another"
            self._lock_file.close()
            self._lock_file = None
            raise BuildError(
                f"{self.path} is being built by process {holder}; wait until it has finished."
            )
        self._lock_file.truncate(0)
        self._lock_file.write(str(os.getpid()))
        self._lock_file.flush()

    def _remove_killed_builds(self) -> None:
        remove_unfinished(self.path)
        for entry in self.path.iterdir():
            if _is_killed_build(entry):
                _remove_build(entry)

    def _remove_old_generations(self, names: Iterable[str]) -> None:
        for entry in self.path.iterdir():
            if entry.name not in names and _is_generation(entry):
                _remove_generation(entry)

    def _current(self) -> Path | None:
        try:
            return disk.current_generation(self.path)[0]
        except (GraphFormatError, OSError):
            return None

    def array(self, name: str) -> disk.ArrayWriter:
        """The array of that name, created on first use."""
        assert self._folder is not None
        if name not in self._writers:
            self._writers[name] = disk.ArrayWriter(self._folder, name)
        return self._writers[name]

    def finish(self) -> dict[str, Any]:
        """Close and sync all arrays; return their entries for the manifest."""
        assert self._folder is not None
        _remove_runs(self.temporary)
        (self._folder / ELSEWHERE).unlink()
        return {name: writer.close() for name, writer in self._writers.items()}

    def map_arrays(self, files: dict[str, Any]) -> dict[str, NDArray[Any]]:
        """The finished arrays."""
        assert self._folder is not None
        return disk.map_arrays(self._folder, {"files": files})

    def switch(self, manifest: dict[str, Any]) -> None:
        """Replace the old generation with the new one, atomically."""
        assert self._folder is not None
        data = json.dumps(manifest, indent=1).encode()
        disk.write_synced(self._folder / disk.MANIFEST, data)
        new = self.path / f"generation-{self._next_number():06}"
        self._folder.rename(new)
        self._folder = None
        sync_folder(self.path)
        keep, older = disk.kept_generations(self.path) if self._readable else (1, {})
        keep = self._keep or keep
        current: dict[str, Any] = {
            "format": manifest["format"],
            "generation": new.name,
            "manifest": disk.digest(data),
        }
        if keep > 1:
            current |= {"keep": keep, "older": dict(sorted(older.items())[1 - keep :])}
        disk.write_synced(self.path / disk.CURRENT, json.dumps(current).encode())
        if self._readable:
            self._remove_old_generations({new.name, *current.get("older", ())})

    def _next_number(self) -> int:
        """One more than the highest generation number, whether or not that generation is valid."""
        names = (disk.NUMBERED.fullmatch(entry.name) for entry in self.path.iterdir())
        return max((int(name[1]) for name in names if name), default=0) + 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for writer in self._writers.values():
            writer.abandon()
        explanation = None
        if isinstance(error, OSError) and not isinstance(error, BuildError):
            explanation = self._explanation(error)
        self._clean_up()
        if explanation is not None:
            raise BuildError(explanation) from error

    def _clean_up(self) -> None:
        """Remove this build's files, and the folder if the build created it and it is now empty."""
        if self._folder is not None:
            _remove_build(self._folder)
        if self._lock_file is None:
            return
        if self._made_folder and not (self.path / disk.CURRENT).exists():
            with contextlib.suppress(OSError):
                (self.path / LOCK).unlink()
                self.path.rmdir()
        self._lock_file.close()

    def _explanation(self, error: OSError) -> str:
        if error.errno == errno.ENOSPC:
            why = "the disk is full; free some space, or choose another place with --temp"
        else:
            why = error.strerror or str(error)
        where = f" ({error.filename})" if error.filename else ""
        old = " The old graph is untouched." if self._current() else ""
        return f"{self.path} cannot be built: {why}{where}.{old}"


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_generation(path: Path) -> bool:
    """Whether a folder is a complete generation, or an empty one that is being removed.

    A complete generation has a manifest that lists its files.
    """
    if not disk.NUMBERED.fullmatch(path.name) or not _is_folder(path):
        return False
    return bool(_listed(path)) or not any(path.iterdir())


def _listed(generation: Path) -> list[str]:
    """The files in the manifest of a generation."""
    try:
        files = json.loads(read_small(generation / disk.MANIFEST))["files"]
        return [f"{name}.npy" for name in files if ARRAY.fullmatch(f"{name}.npy")]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _is_killed_build(path: Path) -> bool:
    """Whether a folder holds only files that a build wrote."""
    if not BUILDING.fullmatch(path.name) or not _is_folder(path):
        return False
    ours = (ARRAY, RUNS, UNFINISHED)
    return all(
        entry.name in (ELSEWHERE, disk.MANIFEST) or any(one.fullmatch(entry.name) for one in ours)
        for entry in path.iterdir()
    )


def _remove_generation(folder: Path) -> None:
    _remove(folder, [*_listed(folder), disk.MANIFEST])


def _remove_build(folder: Path) -> None:
    """Remove a build's files from its folder, and its sorted runs elsewhere."""
    with contextlib.suppress(OSError):
        _remove_runs(Path(os.fsdecode((folder / ELSEWHERE).read_bytes())))
    with contextlib.suppress(OSError):
        for entry in list(folder.iterdir()):
            if RUNS.fullmatch(entry.name):
                _remove_runs(entry)
        remove_unfinished(folder)
        arrays = [entry.name for entry in folder.iterdir() if ARRAY.fullmatch(entry.name)]
        _remove(folder, [*arrays, ELSEWHERE, disk.MANIFEST])


def _remove_runs(folder: Path) -> None:
    """Remove the sorted runs of a build, and their folder."""
    with contextlib.suppress(OSError):
        if RUNS.fullmatch(folder.name) and _is_folder(folder):
            _remove(folder, [file.name for file in folder.iterdir() if RUN.fullmatch(file.name)])


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Remove these files, and the folder if it holds nothing else."""
    for name in names:
        with contextlib.suppress(OSError):
            (folder / name).unlink()
    with contextlib.suppress(OSError):
        folder.rmdir()
