"""A dismissed suggestion stays dismissed: exact names, patterns, whole pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatsrelated.apps.gaps.dismissals import Dismissals, dismiss, read_dismissals
from whatsrelated.errors import OptionError, ReadError


def test_a_line_dismisses_a_link_or_a_page() -> None:
    lines = ["# a remark", "", "a.html\tb.html", "*\tlicense.html", "old/*", "c (1).html\t*"]
    told = Dismissals(lines)
    assert told.has_link("a.html", "b.html")
    assert not told.has_link("b.html", "a.html")
    assert told.has_link("any", "license.html")
    assert not told.has_link("any", "my-license.html"), "a plain name is a whole name"
    assert told.has_link("c (1).html", "x")
    assert not told.has_link("c 1.html", "x")
    assert told.has_page("old/x.html")
    assert not told.has_page("a.html")


def test_links_are_added_to_a_file_once(tmp_path: Path) -> None:
    file = tmp_path / "gaps.ignore"
    assert dismiss(file, [("a", "b"), ("a", "b")]) == 1
    file.write_text(file.read_text() + "x\ty")  # some editors omit the last newline
    assert dismiss(file, [("a", "b"), ("c", "d")]) == 1
    assert file.read_text() == "a\tb\nx\ty\nc\td\n"
    assert Dismissals(read_dismissals(file)).has_link("x", "y")


def test_a_bad_file_or_pattern_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none cannot be read: No such file"):
        read_dismissals(tmp_path / "none")
    with pytest.raises(ReadError, match="cannot be"):
        dismiss(tmp_path, [("a", "b")])
    with pytest.raises(OptionError, match="the pattern of ignore"):
        Dismissals(["re:(\t*"])
