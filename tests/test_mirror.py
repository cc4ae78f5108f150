"""Tests mirror `src`: a module's tests are found by its name, or listed here."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "whatsrelated"
MODULES = [
    path.relative_to(PACKAGE)
    for kind in ("*.py", "*.pyx")
    for path in sorted(PACKAGE.rglob(kind))
    if path.stem not in ("__init__", "__main__")
]
ELSEWHERE = {
    "api/asking.py": "test_layers.py",  # the core's public modules hold names and no code
    "api/limits.py": "test_layers.py",
    "api/reading.py": "test_layers.py",
    "api/stores.py": "test_layers.py",
    "apps/batch": "apps/batch/test_run.py",  # a job from its manifest to its joined parts
    "apps/crawl/plan.py": "apps/crawl/test_run.py",
    "apps/export": "apps/export/test_export.py",  # one test writes and reads back every format
    "apps/gaps/audit.py": "apps/gaps/test_site_gaps.py",
    "apps/mentions": "apps/mentions/test_verb.py",  # a folder, from its files to its report
    "apps/publish": "apps/publish/test_run.py",  # a site, from its graph to the browser
    "apps/serve": "apps/serve/test_app.py",
    "apps/spark": "apps/spark/test_building.py",  # a compared build runs every stage
    "apps/spark/session.py": "apps/spark/test_cluster.py",
    "cli/candidates.py": "cli/test_completion.py",
    "cli/verbs.py": "cli/test_cli.py",
    "kernels": "kernels/test_twins.py",  # every kernel against its twin
    "methods/simrank": "methods/test_simrank.py",
    "sources/page_reader.py": "sources/test_html_folder.py",  # the options of all pages
    "sources/exchange": "sources/test_exchange.py",  # one graph in every format
    "sources/outlines": "sources/test_outlines.py",  # one list in every format
    "sources/exports": "sources/test_exports.py",
    "ranks": "ranks/test_ranks.py",  # what all ranks have in common
}
"""Where the tests of a module, or of a folder's other modules, are; the fewer the better."""


def own_tests(module: Path) -> Path:
    """Where its tests belong: a kernel and its plain twin have the same."""
    return module.with_name(f"test_{module.stem.removeprefix('_')}.py")


@pytest.mark.parametrize("module", MODULES, ids=Path.as_posix)
def test_the_tests_of_a_module_are_found_by_its_name(module: Path) -> None:
    if not (TESTS / own_tests(module)).is_file():
        listed = [path.as_posix() for path in (module, *module.parents)]
        places = [ELSEWHERE[path] for path in listed if path in ELSEWHERE]
        assert places, f"give it {own_tests(module)}, or say where its tests are"


def test_modules_listed_as_tested_elsewhere_are() -> None:
    for path, tests in ELSEWHERE.items():
        assert (PACKAGE / path).exists(), path
        assert (TESTS / tests).is_file(), tests
        assert not path.endswith(".py") or not (TESTS / own_tests(Path(path))).is_file(), path
