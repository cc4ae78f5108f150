"""Kleinberg's lines: pages and links in one file."""

from __future__ import annotations

from pathlib import Path

from tests.sources import links_of, pages_of, read, write


def test_pages_and_links_stand_in_one_file(tmp_path: Path) -> None:
    text = "n 0 http://a/\nn 7 http://b/ c\nn 8 http://a/\ne 0 7\ne 7 0\ne 0 9\nn 7 x\nz\n"
    source = read(write(tmp_path / "gr0", text), format="kleinberg")
    assert links_of(source) == [("http://a/", "http://b/ c"), ("http://b/ c", "http://a/")]
    assert pages_of(source) == {"http://a/", "http://b/ c", "http://a/#8"}
    assert source.refused.counts == {
        "a number with two names": 2,
        "neither a page nor a link": 2,
        "a number without a name": 2,
    }


def test_it_is_recognised(tmp_path: Path) -> None:
    source = read(write(tmp_path / "x", "n 0 http://a/\nn 1 http://b/\ne 0 1\n"))
    assert links_of(source) == [("http://a/", "http://b/")]
