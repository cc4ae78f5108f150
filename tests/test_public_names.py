"""The public names: all that a user may import, typed for mypy and for completion."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import whatsrelated as wr
from docs import stub
from whatsrelated import errors
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS

TOP = Path(__file__).parent.parent
ERRORS = [
    one
    for one in vars(errors).values()
    if inspect.isclass(one) and issubclass(one, errors.RelatedError)
]

SCRIPT = """
import whatsrelated as wr

graph = wr.open("web.graph")
reveal_type(graph)
reveal_type(wr.Graph.from_links([("a", "b")]))
reveal_type(wr.build(["links.tsv"], "web.graph"))
answer = graph.related("a", by=wr.Companion(parents=500), limit=3)
reveal_type(answer)
for result in answer:
    reveal_type(result.url)
    reveal_type(result.score)
reveal_type(answer[0].title)
reveal_type(answer.by.name)
reveal_type(graph.similarity("a", "b"))
reveal_type(graph.similarity(["a", "b"]).scores)
reveal_type(graph.compare("a", by=["lli", wr.Walk()]).agreement())
reveal_type(graph.rank(wr.HitsRank())["a"])
reveal_type(graph.page("a"))
reveal_type(graph["a"])
reveal_type(graph["a"].links)
reveal_type([url for url in graph])
reveal_type(graph.related("a", by=wr.Companion))
reveal_type(graph.save("other.graph"))
reveal_type(graph.links_to(0))
reveal_type(wr.__version__)
try:
    graph.page("b")
except wr.PageNotFound as error:
    reveal_type(error.nearest)
"""

REVEALED = [
    "whatsrelated.api.graph.Graph",
    "whatsrelated.api.graph.Graph",
    "whatsrelated.api.graph.Graph",
    "whatsrelated.query.answer.Answer",
    "str",
    "float",
    "str | None",
    "str",
    "float",
    "numpy.ndarray",
    "list[list[float | None]]",
    "float",
    "int",
    "whatsrelated.api.contents.GraphPage",
    "list[str]",
    "list[str]",
    "whatsrelated.query.answer.Answer",
    "whatsrelated.api.graph.Graph",
    "numpy.ndarray",
    "str",
    "str | None",
]


def check_types(script: str, folder: Path) -> list[str]:
    """What mypy reports for a user's script, line by line, in strict mode."""
    file = folder / "script.py"
    file.write_text(script)
    cache = TOP / ".mypy_cache" / "users"
    words = ["--strict", "--no-error-summary", "--config-file=", f"--cache-dir={cache}", str(file)]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_a_users_script_has_types(tmp_path: Path) -> None:
    lines = check_types(SCRIPT, tmp_path)
    types = [line.partition('Revealed type is "')[2].removesuffix('"') for line in lines]
    plain = [one.replace("builtins.", "").partition("[tuple")[0] for one in types]
    assert plain == REVEALED


def test_a_misspelt_name_is_found_by_mypy(tmp_path: Path) -> None:
    script = 'import whatsrelated as wr\nwr.opne("x")\nwr.Companion(parnets=1)\nwr.open(3)\n'
    said = check_types(script, tmp_path)
    assert [line.split(":")[1] for line in said if ": error: " in line] == ["2", "3", "4"]
    assert 'Module has no attribute "opne"' in said[0]


def test_the_typed_names_are_the_names_imported_at_run_time() -> None:
    assert stub.FILE.read_text(encoding="utf-8") == stub.stub(), "run make docs"
    tree = ast.parse(stub.FILE.read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted([*typed, "__version__"]) == wr.__all__
    for name, module in typed.items():
        assert getattr(wr, name) is getattr(sys.modules[module], name)


def test_every_method_and_every_rank_is_public() -> None:
    public = [getattr(wr, name) for name in wr.__all__]
    for registry in (METHODS, RANKS):
        assert [name for name in registry.ours if registry[name] not in public] == []


def test_a_public_class_name_is_defined_once() -> None:
    """One word, one thing; only kernels share names: with their twins, and `Scratch`."""
    homes: dict[str, set[str]] = {}
    for file in (TOP / "src" / "whatsrelated").rglob("*.py"):
        home = "kernels" if "kernels" in file.parts else str(file)
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(home)
    assert len(homes) > 300
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: str(error.__name__))
def test_every_error_is_public(error: type) -> None:
    assert getattr(wr, error.__name__) is error


def test_every_public_name_is_listed_and_no_other_is_there() -> None:
    assert set(wr.__all__) <= set(dir(wr))
    assert wr.__version__ == metadata.version("whatsrelated")
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        _ = wr.opne  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, whatsrelated; dir(whatsrelated); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
