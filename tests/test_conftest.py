"""A test that lacks something is skipped and listed; under CI it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import system

TESTS = """
import pytest

@pytest.mark.needs_system("gcc")
def test_that_compiles(): pass

def test_on_real_graphs(shared): pass

@pytest.mark.needs_shared
def test_beside_real_graphs(): pass
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest's output for TESTS when no command and no real graph can be found."""
    (folder / "test_lacking.py").write_text(TESTS)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", f"--rootdir={folder}", folder],
        cwd=system.TOP,
        env={
            **os.environ,
            "PATH": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "RELATED_SHARED": str(folder / "none"),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_skipped_tests_are_listed_by_name_at_the_end(tmp_path: Path) -> None:
    result = run(tmp_path, CI="")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 skipped" in result.stdout
    summary = result.stdout.partition("skipped without system package gcc")[2]
    assert "test_lacking.py::test_that_compiles" in summary
    assert "test_lacking.py::test_on_real_graphs" in summary
    assert "test_lacking.py::test_beside_real_graphs" in summary


def test_a_missing_system_package_is_a_failure_under_ci(tmp_path: Path) -> None:
    result = run(tmp_path, CI="true")
    assert result.returncode == 1
    assert "Needs system package gcc" in result.stdout
    assert "2 skipped, 1 error" in result.stdout
