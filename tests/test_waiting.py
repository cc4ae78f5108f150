"""Clients in tests wait as long as a very busy machine may need."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CLIENTS = ("Client", "AsyncClient", "get", "post", "put", "delete", "head", "request", "stream")


def hurried_calls(text: str) -> Iterator[str]:
    """The calls that wait for some seconds, or for httpx's default of five."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        timeouts = [one.value for one in node.keywords if one.arg == "timeout"]
        called = node.func
        is_httpx = isinstance(called, ast.Attribute) and ast.unparse(called.value) == "httpx"
        forgotten = is_httpx and called.attr in CLIENTS and not timeouts
        if forgotten or any(isinstance(one, ast.Constant) and one.value for one in timeouts):
            yield ast.unparse(node)


def test_no_client_has_its_own_waiting_limit() -> None:
    hurried = {
        str(file.relative_to(TESTS)): calls
        for file in TESTS.rglob("*.py")
        if (calls := list(hurried_calls(file.read_text(encoding="utf-8"))))
    }
    assert hurried == {}


@pytest.mark.parametrize(
    "text",
    [
        "httpx.get(url)",
        "httpx.Client(base_url=url)",
        "httpx.post(url, timeout=10)",
        "process.wait(timeout=3)",
    ],
)
def test_a_client_without_a_generous_timeout_is_found(text: str) -> None:
    assert list(hurried_calls(text)) == [text]


@pytest.mark.parametrize("text", ["httpx.get(url, timeout=PATIENCE)", "client.get(url)"])
def test_a_patient_client_is_fine(text: str) -> None:
    assert list(hurried_calls(text)) == []
