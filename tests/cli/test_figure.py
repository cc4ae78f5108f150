"""If a figure cannot be drawn or written, the error says why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from whatsrelated.cli.figure import empty_figure, write_figure
from whatsrelated.errors import MissingExtra, OptionError


def test_a_figure_is_written_in_the_format_of_its_name(tmp_path: Path) -> None:
    write_figure(empty_figure(1, 1), tmp_path / "empty.png")
    assert (tmp_path / "empty.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match=r"empty\.nothing cannot be written"):
        write_figure(empty_figure(1, 1), tmp_path / "empty.nothing")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"whatsrelated\[plots\]"):
        empty_figure(1, 1)
