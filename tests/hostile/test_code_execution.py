"""Nothing is imported from the current folder, from a source or from a graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import whatsrelated
from tests.hostile.graphs import QUERY, build_small, copy_of
from tests.hostile.processes import Forks, python, related

MODULES = ("whatsrelated", "numpy", "msgspec", "turbohtml", "sitecustomize", "usercustomize")
PLANT = "import os; open(os.environ['PLANTED'], 'a').write(__name__ + '\\n')\n"


def plant(folder: Path, *modules: str) -> None:
    """Put modules with these names into a folder; they record that they were imported."""
    folder.mkdir(parents=True, exist_ok=True)
    for module in modules:
        (folder / f"{module}.py").write_text(PLANT)


def site(folder: Path) -> Path:
    """A folder of pages that readers in worker processes read."""
    folder.mkdir(parents=True)
    for name, other in (("a", "b"), ("b", "a")):
        text = f"<html><title>{name}</title><body><a href='{other}.html'>{other}</a></body></html>"
        (folder / f"{name}.html").write_text(text)
    return folder


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which planted modules record that they were imported."""
    marks = tmp_path / "planted"
    monkeypatch.setenv("PLANTED", str(marks))
    return marks


def noted(planted: Path) -> set[str]:
    return set(planted.read_text().split()) if planted.exists() else set()


@pytest.mark.parametrize("module", MODULES)
def test_a_build_in_a_hostile_site_imports_nothing_from_it(
    module: str, tmp_path: Path, planted: Path, forks: Forks
) -> None:
    folder = site(tmp_path / "site")
    plant(folder, module)
    words = ("build", ".", "-o", tmp_path / "web.graph", "--workers", "1")
    done = forks.one(*words, cwd=folder, environment={"PLANTED": str(planted)})
    assert noted(planted) == set()
    assert done.status == 0, done
    assert len(whatsrelated.open(tmp_path / "web.graph")) == 2


def test_a_source_elsewhere_is_not_imported_from(
    tmp_path: Path, planted: Path, forks: Forks
) -> None:
    folder = site(tmp_path / "site")
    plant(folder, *MODULES)
    words = ("build", folder, "-o", tmp_path / "web.graph", "--workers", "1")
    done = forks.one(*words, cwd=tmp_path, environment={"PLANTED": str(planted)})
    assert noted(planted) == set()
    assert done.status == 0, done


def test_a_package_in_a_source_is_not_imported_either(
    tmp_path: Path, planted: Path, forks: Forks
) -> None:
    folder = site(tmp_path / "site")
    for module in MODULES:
        plant(folder / module, "__init__")
        (folder / f"{module}.pth").write_text(f"import os; {PLANT}")
        shutil.copy(folder / module / "__init__.py", folder / f"{module}.pyc")
    words = ("build", folder, "-o", tmp_path / "web.graph", "--workers", "1")
    done = forks.one(*words, cwd=tmp_path, environment={"PLANTED": str(planted)})
    assert noted(planted) == set()
    assert done.status == 0, done


@pytest.mark.parametrize(
    "arguments",
    [
        ["info"],
        ["to", QUERY],
        ["rank"],
        ["check"],
        ["similarity", QUERY, "https://www.h4.org/4"],
        ["export", "-o", "out.jsonl"],
    ],
    ids=lambda words: words[0],
)
def test_a_hostile_graph_is_not_imported_from(
    arguments: list[str], small_graph: Path, tmp_path: Path, planted: Path
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    plant(tmp_path, *MODULES)
    for folder in [graph, *(each for each in graph.iterdir() if each.is_dir())]:
        plant(folder, *MODULES)
    done = related(*arguments, "-g", ".", cwd=graph)
    assert noted(planted) == set()
    assert done.status == 0, done


def test_an_evaluation_in_a_hostile_folder_imports_nothing_from_it(
    tmp_path: Path, planted: Path
) -> None:
    build_small(tmp_path / "web.graph")
    plant(tmp_path, "msgspec", "numpy")
    done = related(
        *("evaluate", "-g", "web.graph", "--hold-out", "0.3", "--by", "cocitation"),
        cwd=tmp_path,
    )
    assert done.status == 0, done
    assert noted(planted) == set()


def test_a_program_that_builds_in_a_hostile_folder_imports_nothing_from_it(
    tmp_path: Path, planted: Path
) -> None:
    folder = site(tmp_path / "site")
    plant(folder, "turbohtml")
    code = "import sys, whatsrelated; whatsrelated.build('.', sys.argv[1])"
    done = python(code, tmp_path / "web.graph", cwd=folder)
    assert done.status == 0, done
    assert noted(planted) == set()
