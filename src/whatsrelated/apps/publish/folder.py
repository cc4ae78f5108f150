"""The folder of a published site, which is replaced as a whole or not at all.

Everything is written to a temporary folder inside it. Only when all files are complete do they
replace the old ones, and files of an earlier run that are no longer needed are removed. Other
files of the folder, such as CNAME or .git, stay.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whatsrelated.apps.publish.files import ALLOWED, MARKER
from whatsrelated.errors import BuildError, RelatedError
from whatsrelated.machine.files import unfinished


@contextmanager
def replace_site(folder: Path) -> Iterator[Path]:
    """A temporary folder whose files become the site at the end of the block."""
    _refuse_other(folder)
    existed = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = unfinished(folder / "site")
        aside.mkdir()
        try:
            yield aside
            _move(aside, folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
            if not existed:
                with suppress(OSError):  # it is empty only if the run failed
                    folder.rmdir()
    except RelatedError:
        raise
    except OSError as error:
        raise BuildError(f"{folder} cannot be written: {error.strerror or error}.") from error


def write(aside: Path, name: str, data: bytes) -> int:
    """Write one file of the site; returns its size."""
    assert ALLOWED.fullmatch(name), name
    path = aside / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return len(data)


def _refuse_other(folder: Path) -> None:
    """Refuse a folder with anything but an earlier site and hidden files."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BuildError(f"{folder} is not a folder; choose another path.")
    if not folder.exists() or (folder / MARKER).is_file():
        return
    other = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
    if other:
        raise BuildError(
            f"{folder} is not empty ({other[0]!r}) and holds no published site; "
            "choose a new folder."
        )


def _move(aside: Path, folder: Path) -> None:
    """Replace the files of the site, then remove those of an earlier one."""
    fresh = {path.relative_to(aside).as_posix() for path in aside.rglob("*") if path.is_file()}
    for name in {name.partition("/")[0] for name in fresh if "/" in name}:
        if (folder / name).is_symlink():
            raise BuildError(f"{folder / name} is a link and will not be replaced; remove it.")
        (folder / name).mkdir(exist_ok=True)
    for name in sorted(fresh, key=lambda name: (name == MARKER, "/" not in name, name)):
        (aside / name).replace(folder / name)
    for path in [*folder.glob("*"), *folder.glob("*/*")]:
        name = path.relative_to(folder).as_posix()
        if name not in fresh and ALLOWED.fullmatch(name) and not path.parent.is_symlink():
            path.unlink()
