"""Output files: each is written under a temporary name and replaces the old file when complete.

The temporary file has a random name in the same folder and is opened with O_EXCL, so we never
write through a file or link that somebody else put there. If the disk is full or the process is
interrupted, the old file stays and the new one is removed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from whatsrelated.errors import BuildError, RelatedError
from whatsrelated.machine.remote import output_url, remote_file

UNFINISHED = re.compile(r"\.(.+)\.related-[0-9a-f]{16}", re.DOTALL)
"""The name of an incomplete file or folder; only a killed process leaves one behind."""
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""The start of a path given as `scheme://`, after Path has removed one slash."""
MAX_SMALL_FILE = 64 << 20
"""Maximum size of a small file, in bytes."""
NAME_SHOWN = 48
"""Number of characters of the final name in the temporary name."""


def unfinished(path: Path) -> Path:
    """A random temporary name for `path`."""
    return path.with_name(f".{path.name[:NAME_SHOWN]}.related-{secrets.token_hex(8)}")


@contextlib.contextmanager
def replace_file(
    path: Path, *, new: bool = False, private: bool = False, sync: bool = True
) -> Iterator[BinaryIO]:
    """A file that becomes `path` at the end of the block, with the permissions of the old file.

    With `new`, an existing file raises FileExistsError. With `private`, only the owner may read the
    file. With `sync`, the file is flushed to disk, so it survives a power cut.
    """
    aside = unfinished(path)

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600 if private else 0o666)

    try:
        with open(aside, "x+b", opener=create) as file:
            yield file
            file.flush()
            _copy_rights(path, aside)
            if sync:
                os.fsync(file.fileno())
        if new:
            os.link(aside, path)
        else:
            aside.replace(path)
        if sync:
            sync_folder(path.parent)
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()


@contextlib.contextmanager
def output_file(path: str | Path, *, parents: bool = False, **flags: bool) -> Iterator[BinaryIO]:
    """Like `replace_file`, but for a path from the user; raises BuildError if it cannot be written.

    With `parents`, its folder is created if missing. A remote file is sent when it is complete.
    """
    url = output_url(path)
    if url is None:
        refuse_special(Path(path))
    try:
        if url is not None:
            with remote_file(url) as copy:
                yield cast("BinaryIO", copy)
            return
        if parents:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        with replace_file(Path(path), **flags) as file:
            yield file
    except (RelatedError, FileExistsError):
        raise
    except OSError as error:
        raise BuildError(f"{url or path} cannot be written: {error.strerror or error}.") from error


def write_file(path: str | Path, data: str | bytes, **flags: bool) -> None:
    """Write a whole file that the user named."""
    with output_file(path, **flags) as file:
        file.write(data.encode("utf-8", "replace") if isinstance(data, str) else data)


def refuse_special(path: Path) -> None:
    """Reject an output path that is a URL, a link or anything but a regular file."""
    if ADDRESS.match(path.as_posix()) and not Path(path.parts[0]).exists():
        raise BuildError(f"{path} is a remote address; write a local file and copy it afterwards.")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        kind = "a link" if path.is_symlink() else "not a regular file"
        raise BuildError(f"{path} is {kind} and will not be replaced; choose another path.")


def open_own(path: Path, mode: str, *, private: bool = False) -> Any:
    """Open one of our files for changes; reject a link to another file."""

    def opener(name: str, flags: int) -> int:
        flags |= getattr(os, "O_NOFOLLOW", 0)
        return os.open(name, flags, 0o600 if private else 0o666)

    return open(path, mode, opener=opener)


def open_at_once(path: Path) -> BinaryIO:
    """Open a file for reading; a pipe counts as empty, so we never wait for a writer."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    return open(path, "rb", opener=opener)


def read_small(path: Path, limit: int = MAX_SMALL_FILE) -> bytes:
    """The bytes of a small file; raises OSError if it is large."""
    with open_at_once(path) as file:
        data = file.read(limit + 1) or b""
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes", str(path))
    return data


def remove_unfinished(folder: Path) -> None:
    """Remove files that killed processes left behind; no other process may be writing."""
    for entry in folder.iterdir():
        if UNFINISHED.fullmatch(entry.name):
            with contextlib.suppress(OSError):
                entry.unlink()


def sync_folder(folder: Path) -> None:
    """Make sure that new entries of a folder survive a power cut; Windows does this by itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _copy_rights(old: Path, new: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        state = old.stat()
        with contextlib.suppress(OSError, AttributeError):
            os.chown(new, state.st_uid, state.st_gid)
        new.chmod(state.st_mode & 0o777)
