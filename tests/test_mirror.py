"""Tests mirror `src`: the tests of a module are found by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "whatsrelated"
MIRRORED = ("cli", "graph", "machine", "methods", "names", "query", "sample", "sources", "vicinity")


@pytest.mark.parametrize(
    "module",
    [
        path.relative_to(PACKAGE)
        for part in ("", *MIRRORED)
        for path in sorted((PACKAGE / part).glob("*.py"))
        if not path.name.startswith("__")
    ],
    ids=str,
)
def test_a_module_has_its_tests_under_its_name(module: Path) -> None:
    assert (TESTS / module.parent / f"test_{module.name}").is_file()
