"""JSON Lines: one page per line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources import links_of, pages_of, read, write
from whatsrelated.sources.files import SAMPLE
from whatsrelated.stream import Page


def test_each_line_is_a_page(tmp_path: Path) -> None:
    lines = [
        {"url": "http://a/", "title": "A", "links": ["http://b/", "http://c/"], "text": "x y"},
        {"url": "http://b/", "links": None, "language": "en"},
    ]
    path = write(tmp_path / "x", "\n\n".join(json.dumps(line) for line in lines))
    assert list(read(path)) == [
        Page("http://a/", ["http://b/", "http://c/"], "A", "x y"),
        Page("http://b/"),
    ]


def test_lines_that_are_not_pages_are_counted(tmp_path: Path) -> None:
    text = '{"url": "a"}\n{"links": []}\n{"url": 1}\n{"url": "b"\nnull\n{"url": "\\ud800"}\n'
    source = read(write(tmp_path / "x.jsonl", text))
    assert "a" in pages_of(source)
    assert source.refused.counts["not a page"] == 3
    assert source.refused.counts["not JSON"] >= 1
    assert "x.jsonl:2: Object missing required field `url`" in str(source.refused.examples)


def test_links_may_be_objects_as_crawlers_write_them(tmp_path: Path) -> None:
    links = '["b", {"url": "c", "text": "C"}, {"href": "d"}, {"text": "nowhere"}]'
    source = read(write(tmp_path / "x.jsonl", f'{{"url": "a", "links": {links}}}\n'))
    assert links_of(source) == [("a", "b"), ("a", "c"), ("a", "d")]
    assert source.refused.counts == {"a link without URL": 1}


def test_a_large_file_whose_pages_have_links_is_not_taken_for_one_object(tmp_path: Path) -> None:
    many = [f"page-{place}" for place in range(10_000)]
    for pages in [["b"] for _ in many], [many, ["b"]]:  # many lines, and a first one that is long
        lines = [{"url": f"{place}", "links": links} for place, links in enumerate(pages)]
        path = write(tmp_path / "x", "".join(json.dumps(line) + "\n" for line in lines))
        assert path.stat().st_size > SAMPLE
        assert len(links_of(read(path))) == sum(map(len, pages))


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_pages_is_read_like_lines(tmp_path: Path, indent: int | None) -> None:
    pages = [{"url": "a", "title": "A", "text": "x", "links": ["b"]}, {"url": "b"}, {"links": []}]
    source = read(write(tmp_path / "items.json", json.dumps(pages, indent=indent)))
    assert links_of(source) == [("a", "b")]
    assert source.refused.counts == {"not a page": 1}
