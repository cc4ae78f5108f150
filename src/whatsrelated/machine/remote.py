"""Remote paths such as `s3://bucket/links.tsv.gz`, through fsspec (extra `remote`).

A source is copied to this machine before it is read, because many formats are read at random
positions. An output is written here and sent when it is complete. Credentials, regions and
endpoints come from the environment, as for other programs.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from whatsrelated.errors import BuildError, MissingExtra, ReadError
from whatsrelated.machine.packages import load

Progress = Callable[[str, int, int | None], None]
PIECE = 1 << 20
_REMOTE = re.compile(r"(s3a?|gs|gcs|https?):/+(.+)", re.DOTALL)


def remote_url(path: str | Path) -> str | None:
    """The URL of a remote path, whose second slash `Path` removes; None for a local path."""
    remote = _REMOTE.fullmatch(path if isinstance(path, str) else path.as_posix())
    return f"{remote[1]}://{remote[2]}" if remote else None


def output_url(path: str | Path) -> str | None:
    """The URL of a remote path that can be written; None for any other."""
    url = remote_url(path)
    return None if url is None or url.startswith("http") else url


def fetch(url: str, folder: Path, progress: Progress | None = None) -> Path:
    """Copy a remote file, or all files of a remote folder, into a local folder."""
    with _reported(ReadError, f"{url} cannot be read"):
        files, place = _open(url)
        web = url.startswith("http")
        is_folder = not web and files.isdir(place)
        name = PurePosixPath(place.partition("?")[0].rstrip("/")).name
        target = folder / ("download" if name in ("", "..") else name)
        paths = files.find(place) if is_folder else [place]
        if not paths:
            raise ReadError(f"{url} is an empty folder.")
        done = 0
        for path in paths:
            local = target
            if is_folder:
                parts = PurePosixPath(path).relative_to(PurePosixPath(place)).parts
                local = target.joinpath(*parts)
                if ".." in parts:
                    continue
            local.parent.mkdir(parents=True, exist_ok=True)
            with files.open(path, "rb") as source, local.open("wb") as copy:
                while piece := source.read(PIECE):
                    done += copy.write(piece)
                    if progress is not None:
                        progress("copying bytes", done, None)
    return target


def send(path: Path, url: str) -> None:
    """Copy a local file, or all files of a local folder, to a remote path."""
    with _reported(BuildError, f"{url} cannot be written"):
        files, place = _open(url)
        inner = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inner:
            if file.is_file():
                name = f"{place.rstrip('/')}/{file.relative_to(path).as_posix()}"
                with (
                    file.open("rb") as source,
                    files.open(name if path.is_dir() else place, "wb") as copy,
                ):
                    shutil.copyfileobj(source, copy, PIECE)


@contextlib.contextmanager
def remote_file(url: str) -> Iterator[IO[bytes]]:
    """A temporary file that is sent to a remote path at the end of the block."""
    with _reported(BuildError, f"{url} cannot be written"):
        _open(url)  # a missing package is reported before the work
    with tempfile.TemporaryDirectory(prefix="related-") as folder:
        path = Path(folder, "output")
        with path.open("x+b") as file:
            yield file
        send(path, url)


def _open(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    if url.startswith("http"):
        load("aiohttp", "A remote path", "remote")
    core = load("fsspec.core", "A remote path", "remote")
    try:
        return cast("tuple[Any, str]", core.url_to_fs(url))
    except ImportError as error:
        raise MissingExtra(
            "A remote path needs an extra package: pip install 'whatsrelated[remote]'."
        ) from error


@contextlib.contextmanager
def _reported(kind: type[ReadError | BuildError], what: str) -> Iterator[None]:
    """Turn a service's errors, which differ from package to package, into ours."""
    try:
        yield
    except (ReadError, BuildError, MissingExtra):
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, FileNotFoundError):
            reason = "it does not exist, or its host cannot be reached"
        raise kind(f"{what}: {reason:.200}") from error
