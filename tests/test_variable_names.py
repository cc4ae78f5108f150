"""Variables are called after what they hold: no participles or quantifiers as names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "whatsrelated"
VAGUE = {
    *("told", "found", "asked", "wanted", "own", "there", "several", "said", "made", "taken"),
    *("given", "left", "here", "few", "most", "least"),
}
QUANTIFIER = re.compile(r"_?(MOST|LEAST)_")
PUBLIC = {
    "asked": [
        "apps/serve/replies",
        *("errors", "contract/blocks", "contract/replies", "query/answer", "query/neighbours"),
        *("query/paths", "query/resolve", "query/similarity"),
    ],
    "found": ["cli/doctor", "contract/replies", "query/neighbours", "query/paths"],
    "least": [
        *("api/graph", "apps/evaluate/experiment", "apps/evaluate/gold", "apps/gaps/site_gaps"),
        *("cli/common_links", "query/neighbours"),
    ],
    "several": ["methods/companion"],
    "few": ["api/tasks"],
    "left": [
        *("apps/evaluate/plots", "apps/gaps/picture", "apps/serve/layout", "methods/eigenvectors"),
        "sources/konect",
    ],
    "own": ["apps/study/plan"],
}
"""Public names, what is on the left, and left singular vectors, by the modules that define them."""

PARAMETERS = {"most", "least", "given"}
"""Parameters that a plain kernel shares with its compiled twin."""


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


def bound_names(source: str) -> list[tuple[str, int]]:
    """The constants that are called after a quantifier: MOST_PAGES, LEAST_SHARE."""
    return [(name, line) for name, line in names_in(ast.parse(source)) if QUANTIFIER.match(name)]


def test_a_bound_is_called_max_or_min() -> None:
    vague = [
        (file.relative_to(SOURCE).as_posix(), name, line)
        for file in SOURCE.rglob("*.py")
        if "kernels" not in file.parts
        for name, line in bound_names(file.read_text(encoding="utf-8"))
    ]
    assert vague == []


def test_names_say_what_they_hold() -> None:
    vague = [
        (module, name, line)
        for file in SOURCE.rglob("*.py")
        for name, line in vague_names(file.read_text(encoding="utf-8"))
        if not ("kernels" in file.parts and name.strip("_") in PARAMETERS)
        and (module := file.relative_to(SOURCE).with_suffix("").as_posix())
        not in PUBLIC.get(name, ())
    ]
    assert vague == []


def test_a_vague_bound_is_found() -> None:
    assert bound_names("MAX_PAGES = 7\n_MOST_LINKS = 3\n") == [("_MOST_LINKS", 2)]


def test_a_vague_name_is_found() -> None:
    source = "def told(own):\n    found = own.x\n    self._left = 1\n"
    assert sorted(vague_names(source)) == [("found", 2), ("left", 3), ("own", 1), ("told", 1)]
