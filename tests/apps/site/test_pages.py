"""Which file is which page, and how pages link to each other."""

from __future__ import annotations

from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.apps.site import make
from whatsrelated.apps.site.pages import LinkStyle, Skipped, html_files
from whatsrelated.stream import Refused

names = st.lists(
    st.text(st.sampled_from("ab .:%?#&'é茶+~"), min_size=1, max_size=6).filter(
        lambda name: name.strip(".") and name == name.strip()
    ),
    min_size=1,
    max_size=4,
).map(lambda parts: "/".join(parts) + ".html")


@given(names, names)
def test_a_link_leads_to_the_file_from_wherever_it_stands(source, target):
    here = "https://example.org/docs/"
    joined = urljoin(here + quote(source), LinkStyle("", []).link(source, target))
    assert joined.startswith(here)
    assert unquote(urlsplit(joined).path) == "/docs/" + target


@pytest.mark.parametrize(
    ("base", "link"),
    [
        (None, "../a%20b.html"),
        ("/", "a%20b.html"),
        ("../../x/y/", "../../a%20b.html"),
        ("https://example.org/", "a%20b.html"),
        ("http://[", "../a%20b.html"),
        ("other.html", "../a%20b.html"),
    ],
)
def test_links_are_relative_to_the_base_of_the_page(base, link):
    assert LinkStyle("", []).link("docs/c.html", "a b.html", base) == link


def test_folders_are_linked_as_the_site_does(tmp_path):
    make(
        tmp_path, {"a.html": "<a href='b/'>", "b/index.html": "<a href='../'><a href=x/index.html>"}
    )
    links = LinkStyle(str(tmp_path), ["a.html", "b/index.html"])
    assert links.link("c/d.html", "b/index.html") == "../b/"
    assert links.link("b/c.html", "b/index.html") == "./"
    assert links.link("b/c.html", "index.html") == "../"
    make(
        tmp_path, {"a.html": "<a href='b/index.html'>", "b/index.html": "<a href='../index.html'>"}
    )
    links = LinkStyle(str(tmp_path), ["a.html", "b/index.html"])
    assert links.link("c/d.html", "b/index.html") == "../b/index.html"


def test_pages_without_a_topic_are_skipped():
    skipped = Skipped(["drafts/*", "!tags/tea.html", "!drafts/good*"])
    inside = ["404.html", "search.html", "genindex-A.html", "de/genindex.html", "py-modindex.html"]
    inside += ["tags/coffee.html", "print_page/index.html", "drafts/x.html", "_static/a.html"]
    assert [path for path in inside if path not in skipped] == []
    for path in (
        "index.html",
        "research.html",
        "lib/search.html",
        "tags/tea.html",
        "drafts/good.html",
    ):
        assert path not in skipped


def test_a_link_to_a_file_is_not_a_separate_page(tmp_path):
    make(tmp_path / "site", {"a.html": "a"})
    (tmp_path / "b.html").write_text("b")
    (tmp_path / "site" / "same.html").symlink_to("a.html")
    (tmp_path / "site" / "out.html").symlink_to("../b.html")
    refused = Refused()
    assert list(html_files(str(tmp_path / "site"), refused)) == ["a.html"]
    assert refused.counts == {"symbolic links that lead outside the folder": 1}
