"""Pairs that are never listed, and pins that always are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.site import make
from tests.apps.site.test_run import asking, listed
from whatsrelated.api.asking import Decisions
from whatsrelated.apps.site.run import write_lists
from whatsrelated.errors import OptionError, ReadError

GREEN = "tea/green.html"


def titles(root: Path, page: str) -> list[str]:
    return [title for _, title, _ in listed(root, page)]


def decided(tmp_path: Path, text: str, **options: object) -> Path:
    """A site whose lists follow a file of decided pairs."""
    root = make(tmp_path)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(text)
    write_lists(root, asking(pairs=str(pairs), **options))
    return root


def test_a_pair_is_never_listed_and_the_next_page_takes_its_place(tmp_path: Path) -> None:
    before = titles(decided(tmp_path / "a", "", limit=100), GREEN)
    text = "# a remark\ntea/green.html\ttea/black tea.html\n"
    root = decided(tmp_path / "b", text, limit=len(before) - 1)
    assert titles(root, GREEN) == [title for title in before if title != "Black tea"]
    assert "Black tea" in titles(root, "coffee.html"), "other pages still list it"


def test_a_pattern_bars_a_page_from_many_lists_and_one_name_from_all(tmp_path: Path) -> None:
    root = decided(tmp_path / "a", "tea/*\tcoffee.html\n", limit=100)
    assert "Café ☕" not in titles(root, GREEN)
    root = decided(tmp_path / "b", "coffee.html\n", limit=100)
    assert "Café ☕" not in titles(root, GREEN)


def test_a_pinned_page_comes_first_and_only_once(tmp_path: Path) -> None:
    root = decided(tmp_path, "+tea/green.html\tcoffee.html\n", limit=2)
    found = titles(root, GREEN)
    assert found[0] == "Café ☕"
    assert len(found) == len(set(found)) == 2


def test_a_pin_to_a_page_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"pins 'cofee\.html', which is not a page of the site"):
        decided(tmp_path / "a", "+tea/green.html\tcofee.html\n")
    with pytest.raises(ReadError, match="cannot be read"):
        write_lists(make(tmp_path / "b"), asking(pairs=str(tmp_path / "none")))


def test_a_pin_is_not_a_dismissal_for_gaps() -> None:
    file = Decisions(["+a\tb", "c\td"])
    assert file.pins == [("a", "b")]
    assert not file.has_link("a", "b")
    assert file.has_link("c", "d")
