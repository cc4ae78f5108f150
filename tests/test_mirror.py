"""Tests mirror `src`: the tests of a module are found by its name, or said here to be elsewhere."""

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
    "api.py": "test_contract.py",  # every method and rank is asked through it
    "cli": "cli/test_cli.py",  # verbs are run as people type them
    "cli/heat.py": "query/test_similarity.py",
    "cli/outcome.py": "cli/test_evaluate.py",
    "cli/similarity.py": "query/test_similarity.py",
    "errors.py": "test_docs.py",  # names alone; each error is tested where it is raised
    "export": "export/test_export.py",  # every format is written and read back by one test
    "kernels": "kernels/test_twins.py",  # every kernel against its twin
    "methods": "methods/test_beyond.py",  # against the references, those of no paper and others
    "methods/authorities.py": "methods/test_companion.py",
    "methods/criteria.py": "methods/test_hubfinder.py",
    "methods/hits.py": "methods/test_companion.py",
    "methods/lli.py": "methods/test_extended_cocitation.py",
    "methods/simrank": "methods/test_simrank.py",
    "names": "names/test_names.py",  # spelling, keys and look-up share their examples
    "query": "test_contract.py",  # the chain from question to answer, for every method
    "ranks": "ranks/test_ranks.py",  # what all ranks have in common
    "sample": "sample/test_sample.py",  # the sample Web as a whole
    "server": "server/test_app.py",
    "stream.py": "graph/test_build.py",  # what a build takes
    "vicinity": "methods/test_companion.py",  # read through the methods that gather it
}
"""Where the tests of a module, or of a folder's other modules, are; the fewer the better."""


def own_tests(module: Path) -> Path:
    """Where its tests belong: a kernel and its plain twin have the same."""
    parts = [part for part in module.parent.parts if part != "plain"]
    return Path(*parts) / f"test_{module.stem.removeprefix('_')}.py"


@pytest.mark.parametrize("module", MODULES, ids=Path.as_posix)
def test_the_tests_of_a_module_are_found_by_its_name(module: Path) -> None:
    if not (TESTS / own_tests(module)).is_file():
        listed = [path.as_posix() for path in (module, *module.parents)]
        places = [ELSEWHERE[path] for path in listed if path in ELSEWHERE]
        assert places, f"give it {own_tests(module)}, or say where its tests are"


def test_what_is_tested_elsewhere_is_so_indeed() -> None:
    for path, tests in ELSEWHERE.items():
        assert (PACKAGE / path).exists(), path
        assert (TESTS / tests).is_file(), tests
        assert not path.endswith(".py") or not (TESTS / own_tests(Path(path))).is_file(), path
