"""Packages that are imported when they are used."""

from __future__ import annotations

import sys

import pytest

from whatsrelated.errors import MissingExtra
from whatsrelated.machine.packages import load


def test_a_package_is_imported_and_a_missing_one_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert load("json", "to_json").dumps([1]) == "[1]"
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtra, match=r"to_polars needs .*: pip install polars\."):
        load("polars", "to_polars")
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[plots\]'\."):
        load("polars", "to_polars", extra="plots")
