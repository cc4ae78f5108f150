"""The graph of hosts or domains derived from a graph of pages."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatsrelated as wr
from whatsrelated.api import levels
from whatsrelated.api.levels import build_level, level_pages, site_name
from whatsrelated.errors import OptionError

URLS = st.sampled_from(
    [
        *("http://a.org/", "https://a.org/x", "http://www.a.org/y", "http://b.co.uk/"),
        *("http://www.b.co.uk/z", "http://b.co.uk:81/", "http://1.2.3.4/", "Plain", "zz plain"),
    ]
)


def counted(links: list[tuple[str, str]], level: str, fold_www: bool) -> dict[tuple[str, str], int]:
    """The definition: distinct page links between different sites."""
    pairs = {(a, b) for a, b in links if a != b}
    sites = [(site_name(a, level, fold_www), site_name(b, level, fold_www)) for a, b in pairs]
    return Counter((a, b) for a, b in sites if a != b)


@given(
    st.lists(st.tuples(URLS, URLS), max_size=30), st.sampled_from(["host", "domain"]), st.booleans()
)
def test_links_between_sites_are_counted(
    links: list[tuple[str, str]], level: str, fold_www: bool
) -> None:
    store = wr.Graph.from_links(links).store
    found: Counter[tuple[str, str]] = Counter()
    for page in level_pages(store, level, fold_www):
        for link, text in zip(page.links, page.anchors, strict=True):
            found[page.url, link] += int(text.split()[0].replace(",", ""))
    assert found == counted(links, level, fold_www)


def test_a_host_is_one_page_with_or_without_www(tmp_path: Path) -> None:
    links = [("http://www.a.org/1", "http://b.org/"), ("http://a.org/", "http://b.org/")]
    hosts = build_level(wr.Graph.from_links(links), tmp_path / "x.graph", "host")
    assert [hosts.url(page) for page in range(len(hosts))] == ["http://a.org/", "http://b.org/"]
    assert hosts.anchors(hosts.page("a.org")) == {"http://b.org/": "2 links"}
    kept = build_level(wr.Graph.from_links(links), tmp_path / "y.graph", "host", www="keep")
    assert len(kept) == 3


LINKS = [
    ("http://www.a.org/1", "http://b.org/1"),
    ("http://www.a.org/2", "http://b.org/2"),
    ("http://www.a.org/2", "http://www.a.org/1"),
    ("http://shop.a.org/", "http://b.org/1"),
    ("http://b.org/1", "http://c.org/"),
]


@pytest.mark.parametrize("at_once", [1, 1 << 20])
def test_a_level_is_a_separate_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(levels, "LINKS_PER_RANGE", at_once)
    pages = wr.Graph.from_links(LINKS)
    hosts = build_level(pages, tmp_path / "hosts.graph", "host")
    assert (len(hosts), hosts.n_links) == (4, 3)
    assert hosts.anchors(hosts.page("www.a.org")) == {"http://b.org/": "2 links"}
    domains = build_level(pages, tmp_path / "domains.graph", "domain")
    assert (len(domains), domains.n_links) == (3, 2)
    assert domains.anchors(domains.page("a.org")) == {"http://b.org/": "3 links"}
    assert not domains.store.is_read([domains.page("c.org")])[0]
    assert domains.store.is_read([domains.page("b.org")])[0]


def test_answers_describe_each_page(tmp_path: Path) -> None:
    pages = wr.Graph.from_links(LINKS)
    domains = build_level(pages, tmp_path / "x.graph", "domain")
    assert "Each page of this graph is a whole domain." in domains.related("b.org").notes
    assert not any("whole" in note for note in pages.related("http://b.org/1").notes)


def test_another_level_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="level must be host or domain, got 'planet'"):
        build_level(wr.Graph.from_links(LINKS), tmp_path / "x", "planet")
