"""Compiled kernels have the signatures of their plain twins, which type checkers see."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import whatsrelated.kernels as package

FOLDER = Path(package.__file__).parent
TWINS = sorted(
    path for path in FOLDER.glob("*/*.py") if path.with_name(f"_{path.stem}.pyx").exists()
)
each_twin = pytest.mark.parametrize("twin", TWINS, ids=lambda path: path.stem)


def compiled_module(twin: Path) -> ModuleType:
    name = f"whatsrelated.kernels.{twin.parent.name}._{twin.stem}"
    return pytest.importorskip(name, reason="only the twins are here")


def plain_module(twin: Path) -> ModuleType:
    return importlib.import_module(f"whatsrelated.kernels.{twin.parent.name}.{twin.stem}")


def public(owner: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(owner).items() if not name.startswith("_")}


def is_class_of(module: ModuleType, value: Any) -> bool:
    return inspect.isclass(value) and value.__module__ == module.__name__


def called(function: Any) -> list[tuple[str, Any, Any]]:
    """The parameters of a function: names, kinds, defaults."""
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default) for p in parameters]


def is_function(value: Any) -> bool:
    return type(value).__name__ in ("function", "cython_function_or_method")


def assert_same_calls(compiled: Any, plain: Any, where: str) -> None:
    for name, function in public(compiled).items():
        if is_function(function):
            assert is_function(vars(plain).get(name)), f"{where}.{name} has no plain twin"
            assert called(function) == called(getattr(plain, name)), f"{where}.{name}"


@each_twin
def test_a_compiled_function_is_called_as_its_twin(twin: Path) -> None:
    name, compiled, plain = twin.stem, compiled_module(twin), plain_module(twin)
    assert_same_calls(compiled, plain, name)
    for kind, own in public(compiled).items():
        if is_class_of(compiled, own):
            other = getattr(plain, kind, None)
            assert inspect.isclass(other), f"{name}.{kind} has no plain twin"
            methods = {each for each, value in public(own).items() if is_function(value)}
            known = {each for base in other.__mro__ for each in public(base)}
            assert methods <= known, f"{name}.{kind}: {methods - known}"
            for method in methods:
                ours, theirs = getattr(own, method), getattr(other, method)
                assert called(ours) == called(theirs), f"{name}.{kind}.{method}"


def made_with(source: str, kind: str) -> list[str]:
    """The parameters of a compiled class, which has no signature itself."""
    found = re.search(
        rf"^cdef class {kind}\b.*?^    def __init__\((.*?)\):\n", source, re.MULTILINE | re.DOTALL
    )
    listed = found[1].split(",") if found else []
    return [re.sub(r"=.*", "", each).split()[-1] for each in listed if each.strip()]


@each_twin
def test_a_compiled_class_is_made_as_its_twin(twin: Path) -> None:
    name, compiled, plain = twin.stem, compiled_module(twin), plain_module(twin)
    source = twin.with_name(f"_{name}.pyx").read_text()
    for kind, own in public(compiled).items():
        if is_class_of(compiled, own):
            other = getattr(plain, kind)
            takes = (
                ["self", *inspect.signature(other).parameters] if made_with(source, kind) else []
            )
            assert made_with(source, kind) == takes, f"{name}.{kind}"


@each_twin
def test_everything_in_a_twin_is_compiled_too(twin: Path) -> None:
    """What only the twin has is private to it and its tests."""
    name, compiled, plain = twin.stem, compiled_module(twin), plain_module(twin)
    only = {
        each
        for each, value in public(plain).items()
        if (is_function(value) or is_class_of(plain, value))
        and value.__module__ == plain.__name__
        and each not in vars(compiled)
    }
    sources = [path for path in FOLDER.parent.rglob("*.py") if FOLDER not in path.parents]
    used = {
        each for each in only for path in sources if f"kernels.{name}.{each}(" in path.read_text()
    }
    assert used == set()


@each_twin
def test_every_parameter_and_result_of_a_twin_has_a_type(twin: Path) -> None:
    name, plain = twin.stem, plain_module(twin)
    for each, function in public(plain).items():
        if is_function(function) and function.__module__ == plain.__name__:
            parameters = inspect.signature(function).parameters
            assert set(function.__annotations__) == {*parameters, "return"}, f"{name}.{each}"


def test_a_type_checker_sees_every_module() -> None:
    declared = (FOLDER / "__init__.py").read_text()
    missing = [
        path.stem for path in TWINS if f"import {path.stem} as {path.stem}\n" not in declared
    ]
    assert missing == []


def test_a_kernel_name_is_unique() -> None:
    """`kernels.NAME` looks through the folders, so no two may hold the same name."""
    names = [path.stem for path in FOLDER.glob("*/_*.pyx")]
    assert len(names) == len(set(names))


def test_only_kernels_know_the_plain_twins() -> None:
    package = FOLDER.parent
    pattern = re.compile(r"whatsrelated\.kernels\.(?!scratch\b)\w+")
    outside = [path for path in package.rglob("*.py") if FOLDER not in path.parents]
    found = {
        path.relative_to(package).as_posix(): pattern.findall(path.read_text()) for path in outside
    }
    assert {path: names for path, names in found.items() if names} == {}
