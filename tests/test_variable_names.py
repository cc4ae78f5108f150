"""Variables are called after what they hold: no participles or quantifiers as names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "whatsrelated"
FINISHED = [
    *("api", "contract", "graph", "machine", "methods", "names", "query", "ranks", "sample"),
    "vicinity",
]
"""Folders without such names; the files next to them have none either."""

VAGUE = {
    *("told", "found", "asked", "wanted", "own", "there", "several", "said", "made", "taken"),
    *("given", "left", "here", "few", "most", "least"),
}
PUBLIC = {
    "asked": [
        *("errors", "contract/blocks", "contract/replies", "query/answer", "query/neighbours"),
        *("query/paths", "query/resolve", "query/similarity"),
    ],
    "found": ["contract/replies", "query/neighbours", "query/paths"],
    "least": ["api/graph", "query/neighbours"],
    "several": ["methods/companion"],
    "few": ["api/tasks"],
    "left": ["methods/eigenvectors"],
}
"""Public names, and the left singular vectors, by the modules that define them."""


def names_in(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The names that a module gives to variables, parameters, attributes and functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield (node.id if isinstance(node, ast.Name) else node.attr), node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno


def vague_names(source: str) -> list[tuple[str, int]]:
    plain = ((name.strip("_").lower(), line) for name, line in names_in(ast.parse(source)))
    return [(name, line) for name, line in plain if name in VAGUE]


@pytest.mark.parametrize("part", [".", *FINISHED])
def test_names_say_what_they_hold(part: str) -> None:
    files = SOURCE.glob("*.py") if part == "." else (SOURCE / part).rglob("*.py")
    vague = [
        (module, name, line)
        for file in files
        for name, line in vague_names(file.read_text(encoding="utf-8"))
        if (module := file.relative_to(SOURCE).with_suffix("").as_posix())
        not in PUBLIC.get(name, ())
    ]
    assert vague == []


def test_a_vague_name_is_found() -> None:
    source = "def told(own):\n    found = own.x\n    self._left = 1\n"
    assert sorted(vague_names(source)) == [("found", 2), ("left", 3), ("own", 1), ("told", 1)]
