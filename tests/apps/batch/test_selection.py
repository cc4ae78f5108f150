"""Which pages are answered: names in a file, a pattern, a sample."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from whatsrelated.api import Graph
from whatsrelated.apps.batch import selection
from whatsrelated.apps.batch.selection import select
from whatsrelated.errors import OptionError

NAMES = [f"https://{host}.org/{page}" for host in ("a", "b") for page in range(5)]
STORE = Graph.from_links([(name, NAMES[0]) for name in NAMES[1:]]).store


def names(wanted: str | None, sample: int | None = None, seed: int = 0) -> list[str]:
    chosen, _ = select(STORE, wanted, sample, seed)
    assert chosen is not None
    return STORE.urls(chosen)


def test_a_file_lists_one_page_per_line_in_any_spelling(tmp_path: Path) -> None:
    file = tmp_path / "pages.txt"
    file.write_text("# mine\nb.org/3\ta title\n\nhttps://a.org/1\nhttps://nowhere.org/\nb.org/3\n")
    chosen, unknown = select(STORE, str(file), None, 0)
    assert chosen is not None
    assert STORE.urls(chosen) == ["https://a.org/1", "https://b.org/3"]
    assert unknown == ["https://nowhere.org/"]


def test_the_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a.org/1\n"))
    assert names("-") == ["https://a.org/1"]


@pytest.mark.parametrize("pattern", ["https://b.*", "re:^https://b", "b.org", "b.org/*"])
def test_a_pattern_applies_to_names(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "NAMES_PER_PATTERN", 3)
    assert names(pattern) == NAMES[5:]


def test_a_sample_is_drawn_by_its_seed() -> None:
    assert names(None, 4) == names(None, 4)
    assert len(names(None, 4)) == 4
    assert names(None, 4, seed=1) != names(None, 4)
    assert set(names("b.org", 2)) < set(NAMES[5:])
    assert select(STORE, None, 100, 0) == (None, [])


def test_no_page_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "pages.txt"
    file.write_text("https://nowhere.org/\n")
    with pytest.raises(OptionError, match="the graph has none of its 1 names"):
        select(STORE, str(file), None, 0)
    with pytest.raises(OptionError, match="it is not a file, and no page name matches it"):
        select(STORE, "*.net/*", None, 0)
    with pytest.raises(OptionError, match="cannot be read"):
        select(STORE, str(tmp_path), None, 0)
