"""No function has more than 60 lines, and no module more than 400.

One that must be longer says why in its text, after the words "More than 60 lines" or
"More than 400 lines", as CONTRIBUTING.md explains.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "whatsrelated"
FILES = sorted(path for kind in ("*.py", "*.pyx") for path in PACKAGE.rglob(kind))
MAX_FUNCTION = 60
MAX_MODULE = 400
CYTHON_HEAD = re.compile(r"( *)(?:async def|def|cdef|cpdef)\b(?! class\b).*?(\w+)\(")


def functions(text: str, suffix: str) -> Iterator[tuple[str, str]]:
    """The name and the text of each function."""
    lines = text.splitlines()
    if suffix == ".pyx":
        yield from _cython_functions(lines)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, "\n".join(lines[node.lineno - 1 : node.end_lineno])


def _cython_functions(lines: list[str]) -> Iterator[tuple[str, str]]:
    """A function lasts until the next line that is not indented deeper than its head."""
    for first, line in enumerate(lines):
        if head := CYTHON_HEAD.match(line):
            end = first + 1
            for number in range(first + 1, len(lines)):
                inner = lines[number].lstrip()
                if inner and not inner.startswith(("#", ")")):
                    if len(lines[number]) - len(inner) <= len(head[1]):
                        break
                    end = number + 1
            yield head[2], "\n".join(lines[first:end])


def too_long(name: str, text: str, suffix: str) -> Iterator[tuple[str, int]]:
    """What exceeds its limit, by name, with its number of lines."""
    for function, body in functions(text, suffix):
        length = len(body.splitlines())
        if length > MAX_FUNCTION and f"More than {MAX_FUNCTION} lines" not in body:
            yield f"{name}:{function}", length
    length = len(text.splitlines())
    if length > MAX_MODULE and f"More than {MAX_MODULE} lines" not in text:
        yield name, length


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nothing_is_longer_than_can_be_read_at_once(file: Path) -> None:
    name = file.relative_to(PACKAGE).as_posix()
    assert list(too_long(name, file.read_text(encoding="utf-8"), file.suffix)) == []


@pytest.mark.parametrize(
    ("head", "suffix"),
    [
        ("def f():\n", ".py"),
        ("class A:\n    async def f(\n        self,\n    ):\n", ".py"),
        ("cdef int f(int a) except -1 nogil:\n", ".pyx"),
        ("cdef class A:\n    cdef Py_ssize_t* f(\n        self,\n    ) noexcept:\n", ".pyx"),
    ],
)
def test_a_long_function_is_found_unless_it_says_why(head: str, suffix: str) -> None:
    lines = "        pass\n" * 60 + "\n\nlast = 1\n"
    ((name, length),) = too_long("x", head + lines, suffix)
    assert (name, length) == ("x:f", 60 + head.partition("f(")[2].count("\n"))
    why = "        # More than 60 lines: it is one table.\n"
    assert list(too_long("x", head + why + lines, suffix)) == []
    assert list(too_long("x", head + lines.removeprefix("        pass\n" * 9), suffix)) == []


def test_a_long_module_is_found_unless_it_says_why() -> None:
    assert list(too_long("x", "a = 1\n" * 401, ".py")) == [("x", 401)]
    assert (
        list(too_long("x", '"""More than 400 lines: a table."""\n' + "a = 1\n" * 401, ".py")) == []
    )
