"""A module imports only from lines above its own; `--help` imports nothing heavy."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PACKAGE = TOP / "src" / "whatsrelated"

# Parts on one line do not know each other; a part may import itself and every line above.
LINES = [
    ["errors"],
    ["urls", "options", "stream", "patterns"],
    ["kernels"],
    ["sources", "graph", "sample"],
    ["vicinity", "answer"],
    ["filters", "comparison", "naming"],
    ["methods", "ranks"],
    ["asking"],
    ["similarity"],
    ["api"],
    ["__init__"],
    ["evaluation", "batch", "spark", "export"],
    ["server", "integrations"],
    ["cli"],
    ["__main__"],
]
LINE_OF = {part: number for number, line in enumerate(LINES) for part in line}
FILES = sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")])


def part_of(file: Path) -> str:
    """The part that a file belongs to: `graph/store.py` is of `graph`."""
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(text: str, package: list[str], suffix: str = ".py") -> Iterator[str]:
    """The parts that a module imports, wherever in it; `package` is the one it lies in."""
    for module, names in _imports(text, package) if suffix == ".py" else _cython_imports(text):
        parts = module.split(".")
        if parts[0] != "whatsrelated":
            continue
        for name in [parts[1]] if len(parts) > 1 else names:
            yield name if name in LINE_OF else "__init__"


def _imports(text: str, package: list[str]) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ["__init__"]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module, [alias.name for alias in node.names]


def _cython_imports(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        if found := re.match(r"\s*from\s+([\w.]+)\s+c?import\s+(.*)", line):
            yield found[1], re.findall(r"\w+", found[2])
        elif found := re.match(r"\s*c?import\s+([\w.]+)", line):
            yield found[1], ["__init__"]


def wrong_imports(part: str, imports: list[str]) -> list[str]:
    """Those of `imports` that are on the part's own line or below it."""
    return [other for other in imports if other != part and LINE_OF[other] >= LINE_OF[part]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_module_imports_only_from_lines_above_its_own(file: Path) -> None:
    part = part_of(file)
    assert part in LINE_OF, f"{part} has no line yet: give it one in {Path(__file__).name}"
    package = ["whatsrelated", *file.relative_to(PACKAGE).parent.parts]
    found = list(imported(file.read_text(encoding="utf-8"), package, file.suffix))
    assert wrong_imports(part, found) == []


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("graph", "from whatsrelated.methods import cocitation"),
        ("graph", "from whatsrelated import sources"),
        ("graph", "import whatsrelated.sources.links"),
        ("graph", "def read():\n    from ..sources import links"),
        ("answer", "if TYPE_CHECKING:\n    from whatsrelated.vicinity import Question"),
        ("methods", "import whatsrelated as wr"),
        ("methods", "from whatsrelated import open"),
        ("kernels", "from . import a\nfrom .. import graph"),
        ("server", "from whatsrelated.cli import main"),
    ],
)
def test_an_import_that_points_down_or_sideways_is_found(part: str, text: str) -> None:
    assert wrong_imports(part, list(imported(text, ["whatsrelated", part])))


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("graph", "from whatsrelated import kernels\nfrom . import names\nimport numpy as np"),
        (
            "methods",
            "from whatsrelated.methods import Method\nfrom whatsrelated.answer import Found",
        ),
        ("cli", "from whatsrelated import api\nimport whatsrelated as wr"),
    ],
)
def test_an_import_that_points_up_is_allowed(part: str, text: str) -> None:
    assert wrong_imports(part, list(imported(text, ["whatsrelated", part]))) == []


def test_a_kernel_that_imports_the_graph_is_found() -> None:
    text = "cimport cython\nfrom whatsrelated.graph cimport store\n"
    assert wrong_imports("kernels", list(imported(text, [], ".pyx"))) == ["graph"]


def test_the_package_itself_holds_names_and_no_code() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    kinds = (ast.Import, ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign)
    names_by_need = {"__getattr__", "__dir__"}
    code = [
        ast.unparse(node)
        for node in tree.body
        if not isinstance(node, kinds)
        and not (isinstance(node, ast.FunctionDef) and node.name in names_by_need)
    ]
    assert code == []


def test_help_imports_nothing_heavy() -> None:
    code = """if True:
        import sys
        from whatsrelated.cli import main
        sys.argv = ["related", "--help"]
        try:
            main()
        except SystemExit as ended:
            assert not ended.code, ended.code
        heavy = {"numpy", "scipy", "pyarrow", "pandas", "matplotlib", "starlette", "rich"}
        loaded = {name.split(".")[0] for name in sys.modules if "." in name}
        print(*sorted(heavy & loaded), file=sys.stderr)
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage" in run.stdout
    assert run.stderr.strip() == ""
