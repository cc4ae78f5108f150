"""An installation has what is in the tree, with or without compiled kernels."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests import system
from whatsrelated import kernels

PACKAGE = system.TOP / "src" / "whatsrelated"


def test_the_wheel_holds_every_module_and_every_list(tmp_path: Path) -> None:
    for name in ("README.md", "LICENSE"):
        shutil.copy(system.TOP / name, tmp_path)
    built = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
    shutil.copytree(system.TOP / "src", tmp_path / "src", ignore=built)
    shutil.copytree(system.TOP / "share", tmp_path / "share")
    shutil.copy(system.TOP / "pyproject.toml", tmp_path)  # but no setup.py, so nothing is compiled

    code = "from setuptools.build_meta import build_wheel; build_wheel('.')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        shipped = {name for name in opened.namelist() if name.startswith("whatsrelated/")}
    kinds = (".py", ".txt", ".typed", ".html", ".css", ".js", ".json", ".png", ".svg")
    wanted = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in kinds or path.name == "py.typed"
    }
    assert wanted - shipped == set()
    assert "whatsrelated/sample/lists/topics/newspapers.txt" in shipped


@pytest.mark.needs_system("g++")
@pytest.mark.needs_system("gcc")
def test_every_kernel_is_compiled() -> None:
    names = [path.stem for path in (PACKAGE / "kernels").glob("*/_*.pyx")]
    assert names
    loaded = [kernels._load(name.removeprefix("_")).__name__ for name in names]
    assert [name.rpartition(".")[2] for name in loaded] == names


def test_every_kernel_that_python_calls_has_a_plain_twin() -> None:
    for path in (PACKAGE / "kernels").glob("*/_*.pyx"):
        called = re.search(
            r"^def |^cdef class \w+.*:\n(?:.*\n)*?    def [a-z]", path.read_text(), re.M
        )
        twin = path.with_name(f"{path.stem[1:]}.py")
        assert twin.exists() or not called, path.name


def test_setup_builds_every_kernel_and_what_they_share() -> None:
    code = (
        "import runpy, setuptools\n"
        "setuptools.setup = lambda ext_modules, **others: print(*(\n"
        "    f'{e.name} {e.optional} {len(e.depends)}' for e in ext_modules), sep='\\n')\n"
        "runpy.run_path('setup.py')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=system.TOP, check=True, capture_output=True, text=True
    )
    listed = dict(line.split(" ", 1) for line in run.stdout.splitlines())
    sources = (PACKAGE / "kernels").glob("*/_*.pyx")
    wanted = {f"whatsrelated.kernels.{path.parent.name}.{path.stem}" for path in sources}
    assert set(listed) == wanted | {"whatsrelated.kernels.shared._cython"}
    assert all(settings.startswith("True ") for settings in listed.values()), "optional"
    included = [
        path for kind in ("pxd", "pxi", "h") for path in (PACKAGE / "kernels").rglob(f"*.{kind}")
    ]
    assert {listed[name] for name in wanted} == {f"True {len(included)}"}


@pytest.mark.parametrize(("chosen", "said"), [("plain", "plain kernels"), ("", " kernels")])
def test_the_version_says_which_kernels_serve(chosen: str, said: str) -> None:
    command = [sys.executable, "-c", "from whatsrelated.cli import main; main()", "--version"]
    environment = {**os.environ, "RELATED_KERNELS": chosen}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("whatsrelated ")
    assert said in run.stdout


@pytest.mark.parametrize("chosen", ["plain", ""])
def test_numpy_is_not_imported_to_say_which_kernels_serve(chosen: str) -> None:
    code = "import sys; from whatsrelated import kernels; kernels.in_use(); print(*sys.modules)"
    environment = {**os.environ, "RELATED_KERNELS": chosen}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "whatsrelated.kernels" in run.stdout.split()
    assert "numpy" not in run.stdout.split()


def test_without_a_compiler_one_line_reports_the_slower_code(tmp_path: Path) -> None:
    (tmp_path / "src/whatsrelated/kernels/shared").mkdir(parents=True)
    for name, language in (("_small", "c"), ("_other", "c++")):
        (tmp_path / f"src/whatsrelated/kernels/shared/{name}.pyx").write_text(
            f"# distutils: language={language}\ndef one():\n    return 1\n"
        )
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "small"\nversion = "1"\n[tool.setuptools]\npackages = []\n'
        '[tool.setuptools.package-dir]\n"" = "src"\n'
    )
    shutil.copy(system.TOP / "setup.py", tmp_path)
    shutil.copy(system.TOP / "Makefile", tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for stamp in ("made", "tools"):
        (tmp_path / ".venv" / stamp).touch()
    for tool in ("python", "cython"):
        called = shlex.quote(str(Path(sys.executable).with_name(tool)))
        (tmp_path / ".venv" / "bin" / tool).write_text(f'#!/bin/sh\nexec {called} "$@"\n')
        (tmp_path / ".venv" / "bin" / tool).chmod(0o755)
    run = subprocess.run(
        ["make", "build"],
        cwd=tmp_path,
        env={**os.environ, "CC": "no-such-compiler", "CXX": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.count("slower Python code is used instead") == 1
