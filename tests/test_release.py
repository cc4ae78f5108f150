"""A release: a reproducible sdist, a wheel built from it, and an answer from that."""

from __future__ import annotations

import gzip
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.system import TOP


def _release() -> Any:
    spec = importlib.util.spec_from_file_location("release", TOP / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = _release()
PYTHONS = [  # RELATED_PYTHONS names those that are not on the path, as a path does
    python
    for minor in range(11, 16)
    if (python := shutil.which(f"python3.{minor}", path=os.environ.get("RELATED_PYTHONS")))
] or [sys.executable]


def packed(names: list[str], mtime: int, owner: int) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uid, member.mode = 3, mtime, owner, 0o664
            archive.addfile(member, io.BytesIO(b"tea"))
    return gzip.compress(made.getvalue(), mtime=mtime)


def test_an_sdist_is_reproducible() -> None:
    one = release.normalise(packed(["a/x", "a/y"], 1_000, 7), 99)
    other = release.normalise(packed(["a/y", "a/x"], 2_000, 8), 99)
    assert one == other
    with tarfile.open(fileobj=io.BytesIO(one)) as archive:
        assert [(m.name, m.mtime, m.uid, m.mode) for m in archive] == [
            ("a/x", 99, 0, 0o644),
            ("a/y", 99, 0, 0o644),
        ]
        content = archive.extractfile("a/y")
        assert content is not None
        assert content.read() == b"tea"


def test_sdist_wheel_install_and_demo(tmp_path: Path) -> None:
    """Without a compiler: the test below covers compiled code."""
    code = "from setuptools import build_meta; build_meta.build_{}('{}')"
    tree = tmp_path / "tree"
    ignored = shutil.ignore_patterns("*.so", "*.c", "*.cpp", "__pycache__", "*.egg-info")
    shutil.copytree(TOP / "src", tree / "src", ignore=ignored)
    shutil.copytree(TOP / "share", tree / "share")
    for name in ("README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(TOP / name, tree)
    _python(code.format("sdist", tmp_path), tree)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not before 3.11.4
        archive.extractall(tmp_path / "unpacked")
    (source,) = (tmp_path / "unpacked").iterdir()
    _python(code.format("wheel", tmp_path), source)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
        data = [name for name in archive.namelist() if ".data/data/share/" in name]
    shipped = {name.rpartition("/")[2] for name in data}
    assert shipped == {"related.1", "related", "_related", "related.fish"}
    run = subprocess.run(
        [sys.executable, "-P", "-m", "whatsrelated", "demo"],
        env={**os.environ, "PYTHONPATH": str(installed)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "https://" in run.stdout
    asked = "import whatsrelated; print(whatsrelated.__file__)"
    assert str(installed) in _python(asked, tmp_path, PYTHONPATH=str(installed))


@pytest.mark.skipif("RELATED_WHEELS" not in os.environ, reason="minutes: RELATED_WHEELS=1")
def test_a_compiled_wheel_is_the_same_twice_and_answers_in_an_empty_environment(
    tmp_path: Path,
) -> None:
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    sdists = [release.make_sdist(_folder(tmp_path, n), 1_700_000_000) for n in ("one", "two")]
    assert sdists[0].read_bytes() == sdists[1].read_bytes()
    wheels = [release.make_wheel(one, one.parent) for one in sdists]
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    assert "cp311-abi3-manylinux" in wheels[0].name
    for python in PYTHONS:
        empty = tmp_path / Path(python).name
        subprocess.run([python, "-m", "venv", empty], check=True)
        programs = empty / "bin"
        subprocess.run([programs / "pip", "install", "--quiet", wheels[0]], check=True)
        said = subprocess.run(
            [programs / "related", "--version"], capture_output=True, text=True, check=True
        ).stdout
        assert "compiled kernels" in said
        subprocess.run([programs / "related", "demo"], check=True)


def _folder(place: Path, name: str) -> Path:
    (place / name).mkdir()
    return place / name


def _python(code: str, folder: Path, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
