"""A graph in any earlier format can be read, checked, updated and queried."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.system import TOP
from whatsrelated.graph import format as disk

FORMATS = TOP / "tests" / "formats"
PAGES = [
    wr.Page(
        "https://a.example/", ["https://tea.example/", "https://coffee.example/"], title="Anna"
    ),
    wr.Page(
        "https://b.example/",
        ["https://coffee.example/", "https://tea.example/", "https://milk.example/"],
    ),
    wr.Page("https://tea.example/", ["https://milk.example/"], title="Tea"),
]


@pytest.mark.parametrize("name", sorted(path.name for path in FORMATS.glob("*.graph")))
def test_a_graph_of_this_format_answers_as_one_built_today(name: str, tmp_path: Path) -> None:
    shutil.copytree(FORMATS / name, tmp_path / name)
    old = wr.open(tmp_path / name, verify="full")
    assert old.store.check() is None
    new = wr.build(PAGES, tmp_path / "today.graph")
    assert [old.url(page) for page in range(len(old))] == [
        new.url(page) for page in range(len(new))
    ]
    for method in ("blend", "cocitation", "companion", "walk"):
        answers = [graph.related("https://tea.example/", by=method) for graph in (old, new)]
        listed = [[(result.url, result.score) for result in answer] for answer in answers]
        assert listed[0] == listed[1], method
    assert old.store.title(old.store.page("https://tea.example/")) == "Tea"
    changed = [wr.Page("https://tea.example/", ["https://jam.example/"], title="Tea")]
    updated = wr.update(tmp_path / name, changed)
    assert updated.store.check() is None
    again = wr.update(tmp_path / "today.graph", changed)
    assert len(updated) == len(again) == len(old) + 1


def test_there_is_one_of_every_version() -> None:
    kept = {int(path.name.split("-")[1].partition(".")[0]) for path in FORMATS.glob("*.graph")}
    assert kept == set(range(1, max(kept) + 1))
    assert max(kept) == disk.VERSION
