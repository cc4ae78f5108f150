"""The pages of a ZIM file, and where their links lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import read
from tests.sources.zim import Item, write_zim
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.sources.zim.archive import Archive
from whatsrelated.stream import Page

PAGES = (
    Item("Tea", "<title>Tea!</title><a href='Milk%20(drink)'>m</a><a href='Chai#x'>c</a>"),
    Item("Milk (drink)", "<a href='./Tea'>t</a><a href='cup.png'>p</a><a href='Nowhere'>n</a>"),
    Item("Chai", to="Masala/chai"),
    Item("Masala/chai", "<a href='../Tea'>t</a><a href='https://x.example/'>x</a>", title="Chai"),
    Item("cup.png", "x", mime="image/png"),
    Item("style.css", "x", mime="text/css"),
)


def pages(path: Path, **options: object) -> dict[str, Page]:
    return {page.url: page for page in read(path, options={"workers": 1, **options})}


@pytest.mark.parametrize("form", [{"kind": "zstd"}, {"kind": "lzma", "extended": True}])
def test_pages_link_by_their_paths_through_redirects(
    tmp_path: Path, form: dict[str, object]
) -> None:
    found = pages(write_zim(tmp_path / "x.zim", *PAGES, **form))
    assert {url: list(page.links) for url, page in found.items()} == {
        "Tea": ["Milk (drink)", "Masala/chai"],
        "Milk (drink)": ["Tea"],
        "Masala/chai": ["Tea", "https://x.example/"],
    }
    assert [page.title for page in found.values()] == ["Tea!", "Milk (drink)", "Chai"]


def test_the_old_namespaces_are_folders(tmp_path: Path) -> None:
    items = (
        Item("Tea.html", "<a href='Milk.html'>m</a> <a href='/A/Chai.html'>c</a>"),
        Item("Milk.html", "<a href='../A/Tea.html'>t</a> <a href='../I/cup.png'>p</a>"),
        Item("Chai.html", "<p>"),
    )
    found = pages(write_zim(tmp_path / "x.zim", *items, namespace="A"))
    assert {url: list(page.links) for url, page in found.items()} == {
        "Tea.html": ["Milk.html", "Chai.html"],
        "Milk.html": ["Tea.html"],
        "Chai.html": [],
    }


def test_pages_can_be_named_by_their_addresses(tmp_path: Path) -> None:
    path = write_zim(tmp_path / "x.zim", *PAGES)
    found = pages(path, base_url="https://tea.example/wiki")
    assert list(found["https://tea.example/wiki/Tea"].links) == [
        "https://tea.example/wiki/Milk%20(drink)",
        "https://tea.example/wiki/Masala/chai",
    ]
    with pytest.raises(OptionError, match="zim: base_url must be a URL"):
        pages(path, base_url="x")


def test_broken_links_and_redirects_are_counted(tmp_path: Path) -> None:
    source = read(write_zim(tmp_path / "x.zim", *PAGES), options={"workers": 1})
    list(source)
    assert source.refused.counts == {"not in the ZIM file": 1}
    assert source.counts["zim"]["redirects"] == 1


def test_a_damaged_cluster_costs_its_pages(tmp_path: Path) -> None:
    path = write_zim(tmp_path / "x.zim", *PAGES)
    data = bytearray(path.read_bytes())
    start = int(Archive(path)._cluster_places[0])
    data[start + 5 : start + 9] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    source = read(path, options={"workers": 1})
    assert [page.url for page in source] == ["Masala/chai"]
    assert source.refused.total() == 2


def test_real_files(shared: Path) -> None:
    folder = shared / "data" / "zim"
    source = read(folder / "wikibooks_be.zim", options={"workers": 1})
    found = list(source)
    assert len(found) == 66
    assert source.counts["zim"]["redirects"] == 6
    links = {(page.url, link) for page in found for link in page.links if "://" not in link}
    names = {page.url for page in found}
    assert len(links) > 80
    assert all(link in names for _, link in links)
    assert len(list(read(folder / "small.zim", options={"workers": 1}))) == 1
    with pytest.raises(ReadError, match="is damaged or not a ZIM file"):
        list(read(folder / "invalid.bad_mimetype_in_dirent.zim"))
