"""Wikispeedia's files: titles decoded, and the order of links from its own file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources import links_of, pages_of, read, write
from whatsrelated.errors import ReadError

LINKS = "# Article names are URL-encoded; x\n\nA%C3%A9\tB\nA%C3%A9\tC\nA%C3%A9\tD\nB\tC\nx\ty\tz\n"


def test_titles_are_decoded_and_their_order_is_unknown(tmp_path: Path) -> None:
    source = read(write(tmp_path / "links.tsv", LINKS))
    assert links_of(source) == [("Aé", "B"), ("Aé", "C"), ("Aé", "D"), ("B", "C")]
    assert not source.ordered
    assert source.refused.counts == {"not a link between articles": 1}


def test_the_order_file_puts_placed_links_first(tmp_path: Path) -> None:
    places = {"A%C3%A9": {"D": [0, "lead"], "E": [0, "lead"], "B": [3, "body"]}}
    order = write(tmp_path / "order.json", json.dumps(places))
    path = write(tmp_path / "links.tsv", LINKS)
    source = read(path, options={"order_file": str(order)})
    assert links_of(source) == [("Aé", "D"), ("Aé", "B"), ("Aé", "C"), ("B", "C")]
    assert source.ordered


def test_other_files_are_distinguished(tmp_path: Path) -> None:
    articles = "# The list.\n# Article names are URL-encoded\n\nA\nB%20x\n"
    assert pages_of(read(write(tmp_path / "articles.tsv", articles))) == {"A", "B x"}
    categories = "# Hierarchical categories\n# Article names are URL-encoded\nA\tx.y\n"
    with pytest.raises(ReadError, match="categories, not links"):
        links_of(read(write(tmp_path / "categories.tsv", categories)))
    path = write(tmp_path / "links.tsv", LINKS)
    with pytest.raises(ReadError, match=r"not Wikispeedia's order file.*page_pos_dict\.json"):
        links_of(read(path, options={"order_file": str(path)}))
