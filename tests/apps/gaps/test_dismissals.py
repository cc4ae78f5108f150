"""A dismissed suggestion stays dismissed: exact names, patterns, whole pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatsrelated.api.asking import Decisions, read_decisions
from whatsrelated.apps.gaps.dismissals import dismiss
from whatsrelated.errors import OptionError, ReadError


def test_links_are_added_to_a_file_once(tmp_path: Path) -> None:
    file = tmp_path / "gaps.ignore"
    assert dismiss(file, [("a", "b"), ("a", "b")]) == 1
    file.write_text(file.read_text() + "x\ty")  # some editors omit the last newline
    assert dismiss(file, [("a", "b"), ("c", "d")]) == 1
    assert file.read_text() == "a\tb\nx\ty\nc\td\n"
    assert Decisions(read_decisions(file)).has_link("x", "y")


def test_a_bad_file_or_pattern_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none cannot be read: No such file"):
        read_decisions(tmp_path / "none")
    with pytest.raises(ReadError, match="cannot be"):
        dismiss(tmp_path, [("a", "b")])
    with pytest.raises(OptionError, match="the pattern of ignore"):
        Decisions(["re:(\t*"])
