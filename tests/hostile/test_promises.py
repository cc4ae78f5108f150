"""Every promise in SECURITY.md has a test, and every test it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
TEXT = (TOP / "SECURITY.md").read_text()
PROMISED = TEXT.partition("## What is promised")[2].partition("\n## ")[0]
PROMISES = [line for line in PROMISED.splitlines() if line.startswith("- ")]
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TEXT)))


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_names_its_test(promise: str) -> None:
    assert re.search(r": `tests/[\w/]+\.py", promise), promise


@pytest.mark.parametrize("named", NAMED)
def test_a_test_that_is_named_is_there(named: str) -> None:
    file, _, name = named.partition("::")
    assert (TOP / file).is_file(), named
    tree = ast.parse((TOP / file).read_text())
    tests = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert [test for test in tests if test.startswith("test_")], f"{file} has no test"
    assert not name or name in tests, named


def test_there_are_promises_against_everyone() -> None:
    assert len(PROMISES) >= 20
    for heading in ("a source", "a graph", "a client"):
        assert f"### Against {heading}\n" in PROMISED
