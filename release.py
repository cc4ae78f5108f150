"""Builds the files of a release, the same bytes each time: `make release`.

1. Check that the tree is clean and that the change log and CITATION.cff have the version.
2. Build an sdist, repacked with the commit's time for all files.
3. Build a wheel from it for every CPython from 3.11 on (the stable ABI).  auditwheel, if
   installed, repairs it to run on other machines.
4. Build the docs site.

You then check `dist/`, tag and upload.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

TOP = Path(__file__).parent
DIST = TOP / "dist"


def main() -> None:
    version = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["version"]
    refuse_unready(version)
    epoch = _run("git", "log", "-1", "--format=%ct").strip()
    os.environ["SOURCE_DATE_EPOCH"] = epoch
    DIST.mkdir(exist_ok=True)
    sdist = make_sdist(DIST, int(epoch))
    print(sdist.name)
    print(make_wheel(sdist, DIST).name)
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in _made()]
    (DIST / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    print(f"Look at {DIST}, then: git tag v{version}, upload, push the tag.")


def refuse_unready(version: str) -> None:
    """Reject a tree that does not match the release."""
    if _run("git", "status", "--porcelain"):
        sys.exit("The tree has changes that are not committed.")
    for file, wanted in {
        "CHANGELOG.md": f"## {version}",
        "CITATION.cff": f"version: {version}",
    }.items():
        if wanted not in (TOP / file).read_text():
            sys.exit(f"{file} has no {wanted!r}; see CONTRIBUTING.md, Releases.")


def make_sdist(folder: Path, epoch: int) -> Path:
    """An sdist of the committed tree, every file with the same time and owner."""
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place, "tree")
        _run("git", "clone", "--quiet", "--depth", "1", TOP.as_uri(), str(tree))
        code = f"from setuptools.build_meta import build_sdist; build_sdist({place!r})"
        _run(sys.executable, "-c", code, cwd=tree)
        (made,) = Path(place).glob("*.tar.gz")
        normal = normalise(made.read_bytes(), epoch)
    target = folder / made.name
    target.write_bytes(normal)
    return target


def normalise(archive: bytes, epoch: int) -> bytes:
    """A tar.gz with its members in order, without anything that depends on the machine."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as old,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda one: one.name):
            member.mtime, member.uid, member.gid = epoch, 0, 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    return gzip.compress(packed.getvalue(), 9, mtime=0)


def make_wheel(sdist: Path, folder: Path) -> Path:
    """A wheel of an sdist, repaired if auditwheel is installed."""
    with tempfile.TemporaryDirectory() as place:
        flags = {"CFLAGS": "-g0", "CXXFLAGS": "-g0", "LDFLAGS": "-s"}
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        _run(*command, "--wheel-dir", place, str(sdist), env={**os.environ, **flags})
        (made,) = Path(place).glob("*.whl")
        repair = shutil.which("auditwheel") or shutil.which(
            "auditwheel", path=str(Path(sys.executable).parent)
        )
        if repair and "linux_" in made.name:
            path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            _run(
                repair,
                "repair",
                "--wheel-dir",
                f"{place}/repaired",
                str(made),
                env={**os.environ, "PATH": path},
            )
            (made,) = Path(place, "repaired").glob("*.whl")
        return Path(shutil.move(made, folder / made.name))


def _made() -> list[Path]:
    return sorted(file for file in DIST.iterdir() if re.fullmatch(r".*\.(whl|tar\.gz)", file.name))


def _run(*command: str, cwd: Path = TOP, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)[:200]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
