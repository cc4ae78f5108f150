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

# The lines of ARCHITECTURE.md, each a sequence of steps.  The parts of one step do not know
# each other; a part may import itself, every step before its own, and every line above.
LINES = [
    [["errors"], ["options", "registry", "stream", "machine"]],
    [["names"], ["kernels"]],
    [["sources", "graph", "sample"]],
    [["contract"], ["vicinity"]],
    [["methods", "ranks"], ["query"]],
    [["api"], ["__init__"], ["cli"], ["__main__"]],
    [["apps"]],
]
APPS = sorted(path.name for path in (PACKAGE / "apps").iterdir() if path.is_dir())
NEIGHBOURS = {
    "diff": {"batch"},
    "gaps": {"mentions"},
    "mcp": {"gaps", "mentions", "serve", "watch"},
    "mentions": {"gaps"},
    "publish": {"serve"},
    "serve": {"batch", "gaps", "mentions", "watch"},
    "site": {"gaps"},
    "study": {"evaluate", "serve"},
    "batch": {"diff"},
}
"""The applications that may import another, and which."""
STEP_OF = {
    part: step
    for step, parts in enumerate(parts for line in LINES for parts in line)
    for part in parts
}
FILES = sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")])


def imported(text: str, package: list[str], suffix: str = ".py") -> Iterator[str]:
    """The parts that a module imports anywhere; `package` is its own."""
    for module, names in _imports(text, package) if suffix == ".py" else _cython_imports(text):
        first, *inner = module.split(".")
        if first != "whatsrelated":
            continue
        for name in names:
            part = (*inner, name)[0]
            yield part if part in STEP_OF else "__init__"


def _imports(text: str, package: list[str]) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, [""]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module, [alias.name for alias in node.names]


def _cython_imports(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        if found := re.match(r"\s*from\s+([\w.]+)\s+c?import\s+(.*)", line):
            yield found[1], re.findall(r"\w+", found[2])
        elif found := re.match(r"\s*c?import\s+([\w.]+)", line):
            yield found[1], [""]


def wrong_imports(part: str, imports: list[str]) -> list[str]:
    """Those of `imports` that are on the part's own step or below it."""
    return [other for other in imports if other != part and STEP_OF[other] >= STEP_OF[part]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_module_imports_only_from_lines_above_its_own(file: Path) -> None:
    inner = file.relative_to(PACKAGE).with_suffix("").parts
    part = inner[0]
    assert part in STEP_OF, f"{part} has no line yet: give it one in {Path(__file__).name}"
    package = ["whatsrelated", *inner[:-1]]
    found = list(imported(file.read_text(encoding="utf-8"), package, file.suffix))
    assert wrong_imports(part, found) == []


def other_apps(app: str, text: str, package: list[str]) -> set[str]:
    """The applications that a module of `app` imports."""
    found = set()
    for module, names in _imports(text, package):
        for name in names:
            words = f"{module}.{name}".split(".")
            if words[:2] == ["whatsrelated", "apps"] and words[2] != app:
                found.add(words[2])
    return found


@pytest.mark.parametrize("app", APPS)
def test_an_application_imports_only_the_applications_named_for_it(app: str) -> None:
    for file in (PACKAGE / "apps" / app).rglob("*.py"):
        package = ["whatsrelated", *file.relative_to(PACKAGE).parts[:-1]]
        found = other_apps(app, file.read_text(encoding="utf-8"), package)
        assert found <= NEIGHBOURS.get(app, set()), file.name


PUBLIC = {"__init__", "api", "apps", "cli", "contract", "machine", "names"} | {
    *("errors", "options", "registry", "stream"),
}
REGISTRIES = {"methods", "ranks", "sources"}
INTERNALS = {"spark": {"graph", "kernels", "methods", "query", "ranks", "sources"}}
"""Spark is a second builder: its tasks are stages of the first, so it may import them."""


def inside(text: str, package: list[str]) -> set[str]:
    """The parts behind the wall that a module of an application imports."""
    found = set()
    for module, names in _imports(text, package):
        first, *inner = module.split(".")
        if first == "whatsrelated":
            for name in names:
                part = (*inner, name)[0]
                part = part if part in STEP_OF else "__init__"
                if part not in PUBLIC and not (part in REGISTRIES and len(inner) <= 1):
                    found.add(part)
    return found


@pytest.mark.parametrize("app", APPS)
def test_an_application_imports_the_public_api_and_nothing_behind_it(app: str) -> None:
    for file in (PACKAGE / "apps" / app).rglob("*.py"):
        package = ["whatsrelated", *file.relative_to(PACKAGE).parts[:-1]]
        found = inside(file.read_text(encoding="utf-8"), package)
        assert found <= INTERNALS.get(app, set()), file.name


def test_an_import_through_the_wall_is_found() -> None:
    package = ["whatsrelated", "apps", "serve"]
    assert inside("from whatsrelated.graph.store import Store", package) == {"graph"}
    assert inside("from whatsrelated import kernels", package) == {"kernels"}
    assert inside("from whatsrelated.methods.walk import Walk", package) == {"methods"}
    public = "from whatsrelated.methods import METHODS\nfrom whatsrelated import Walk"
    assert not inside(public, package)


def test_every_part_exists() -> None:
    missing = [
        part
        for part in STEP_OF
        if not (PACKAGE / part).is_dir() and not (PACKAGE / f"{part}.py").is_file()
    ]
    assert missing == []


def test_the_root_of_the_package_holds_four_modules() -> None:
    modules = {file.stem for file in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert modules == {"errors", "options", "registry", "stream"}


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("graph", "from whatsrelated.methods import cocitation"),
        ("graph", "from whatsrelated import sources"),
        ("graph", "import whatsrelated.sources.links"),
        ("graph", "def read():\n    from ..sources import links"),
        ("contract", "if TYPE_CHECKING:\n    from whatsrelated.query.filters import Sieve"),
        ("vicinity", "from whatsrelated.query import ask"),
        ("methods", "import whatsrelated as wr"),
        ("methods", "from whatsrelated import open"),
        ("kernels", "from . import a\nfrom .. import graph"),
        ("cli", "from whatsrelated.apps.serve import verb"),
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
            "from whatsrelated.methods import Method\nfrom whatsrelated.contract import candidates",
        ),
        ("apps", "from whatsrelated import api\nimport whatsrelated as wr"),
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
    names_by_need = {"_public_modules", "_registered", "__getattr__", "__dir__"}
    code = [
        ast.unparse(node)
        for node in tree.body
        if not isinstance(node, kinds)
        and not (isinstance(node, ast.FunctionDef) and node.name in names_by_need)
    ]
    assert code == []


@pytest.mark.parametrize(
    ("words", "needed"),
    [(["--help"], set()), (["to", "--help"], {"numpy"}), (["rank", "--help"], {"numpy"})],
    ids=lambda words: " ".join(sorted(words)),
)
def test_help_imports_nothing_heavy_that_it_does_not_need(
    words: list[str], needed: set[str]
) -> None:
    code = f"""if True:
        import sys
        from whatsrelated.cli import main
        sys.argv = ["related", *{words}]
        try:
            main()
        except SystemExit as ended:
            assert not ended.code, ended.code
        print(*sys.modules, file=sys.stderr)
    """
    heavy = {"numpy", "scipy", "pyarrow", "pandas", "matplotlib"}
    heavy |= {"uvicorn", "starlette", "jinja2", "turbohtml", "re2"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage" in run.stdout
    assert heavy & set(run.stderr.split()) == needed
