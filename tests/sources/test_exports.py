"""Exports from programs that manage pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS
from tests.sources import links_of, read, write
from whatsrelated.errors import ReadError

WXR = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Tea</title><link>https://tea.example</link>
<item><title>Green tea</title><link>https://tea.example/green/</link>
<content:encoded><![CDATA[<p>Like <a href="https://tea.example/black/">black</a>, see
<a href="/white/">white</a>.</p>]]></content:encoded>
<excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>
<item><title>Secret</title><link>https://tea.example/?p=9</link>
<content:encoded><![CDATA[<a href="/green/">x</a>]]></content:encoded>
<wp:status>draft</wp:status><wp:post_type>post</wp:post_type></item>
<item><title>No link</title><wp:status>publish</wp:status><wp:post_type>page</wp:post_type></item>
</channel></rss>"""


def test_wordpress_posts_are_pages_with_the_links_of_their_html(tmp_path: Path) -> None:
    source = read(write(tmp_path / "tea.wordpress.xml", WXR))
    assert links_of(source) == [
        ("https://tea.example/green/", "https://tea.example/black/"),
        ("https://tea.example/green/", "https://tea.example/white/"),
    ]
    assert source.counts["wordpress"]["drafts, attachments and menu items left out"] == 1
    assert source.refused.counts == {"a post without a link": 1}
    assert [page.title for page in read(write(tmp_path / "x.xml", WXR))] == ["Green tea"]


@pytest.mark.parametrize("rel", ["followed", "all"])
def test_links_of_a_post_that_do_not_count_are_counted(rel: str, tmp_path: Path) -> None:
    html = '<a rel="nofollow" href="https://shop.example/">buy</a> <a href="/black/">black</a>'
    posts = [{"slug": "green", "title": "Green", "html": html, "status": "published"}]
    export = {"db": [{"meta": {"exported_on": 1}, "data": {"posts": posts}}]}
    path = write(tmp_path / "ghost.json", json.dumps(export))
    source = read(path, options={"rel": rel, "anchors": True})
    (page,) = source
    left_out = source.counts["ghost"]["nofollow links left out"]
    assert len(page.links) + left_out == 2
    assert left_out == (rel == "followed")
    assert page.anchors[-1] == "black"


def test_ghost_posts_are_pages_named_by_their_paths(tmp_path: Path) -> None:
    posts = [
        {"slug": "green", "title": "Green", "html": '<a href="__GHOST_URL__/black">b</a>'},
        {"slug": "black", "html": '<a href="https://x.example/">x</a>', "status": "published"},
        {"slug": "later", "html": "", "status": "draft"},
        {"title": "No slug"},
        {"slug": "white", "html": None, "lexical": '{"root": {}}'},
    ]
    export = {"db": [{"meta": {"exported_on": 1, "version": "5"}, "data": {"posts": posts}}]}
    source = read(write(tmp_path / "ghost.json", json.dumps(export)))
    assert links_of(source) == [("/green/", "/black/"), ("/black/", "https://x.example/")]
    assert source.counts["ghost"]["drafts left out"] == 1
    assert source.refused.counts == {
        "a post without a slug": 1,
        "the text of a post without HTML": 1,
    }
    older = read(write(tmp_path / "older.json", json.dumps(export["db"][0])))
    assert links_of(older) == links_of(source)
    empty = {"db": [{"meta": {"exported_on": 1, "version": "5"}, "data": {}}]}
    with pytest.raises(ReadError, match="without posts"):
        list(read(write(tmp_path / "empty.json", json.dumps(empty))))


def test_a_roam_page_links_to_pages_tags_and_the_pages_of_blocks(tmp_path: Path) -> None:
    export = [
        {
            "title": "Tea",
            "uid": "tea-page1",
            "children": [
                {"string": "Type:: [[Drink]] #hot #[[for guests]]", "uid": "block0001"},
                {
                    "string": "see `[[Code]]` and ((block0002)) ((unknown01))",
                    "uid": "block0003",
                    "children": [{"string": "https://tea.example/#top [[Tea]]", "uid": "b"}],
                },
            ],
        },
        {"title": "Coffee", "children": [{"string": "black", "uid": "block0002"}]},
        {"children": []},
    ]
    source = read(write(tmp_path / "roam.json", json.dumps(export)))
    assert [reader.name for _, reader in source.parts] == ["roam"]
    assert links_of(source) == [
        *(("Tea", "Type"), ("Tea", "Drink"), ("Tea", "hot"), ("Tea", "for guests")),
        *(("Tea", "Coffee"), ("Tea", "https://tea.example/")),
    ]
    assert source.refused.counts == {"pages without a title": 1}


def test_links_between_the_posts_of_stack_exchange(tmp_path: Path) -> None:
    xml = (
        '<?xml version="1.0"?>\n<postlinks>\n'
        '<row Id="1" PostId="5" RelatedPostId="7" LinkTypeId="1" />\n'
        '<row Id="2" PostId="x" RelatedPostId="7" />\n'
        '<row Id="3" PostId="7" RelatedPostId="9" LinkTypeId="3" />\n</postlinks>'
    )
    source = read(write(tmp_path / "PostLinks.xml", xml))
    assert links_of(source) == [("5", "7"), ("7", "9")]
    assert source.refused.counts == {"a row without two posts": 1}


def test_confluence_pages_are_named_by_title_with_the_links_of_their_bodies() -> None:
    source = read(CORPUS / "readers" / "confluence" / "entities.xml")
    assert [reader.name for _, reader in source.parts] == ["confluence"]
    assert links_of(source) == [
        ("Tea", "Milk & sugar"),
        ("Tea", "https://tea.example/"),
        ("Tea", "Pot"),
        ("Milk & sugar", "Tea"),
    ]
    assert source.counts["confluence"]["drafts and older versions left out"] == 1
    assert source.refused.counts == {"a page without a title": 1}


def test_discourse_topics_link_to_topics_and_to_the_web() -> None:
    source = read(CORPUS / "readers" / "discourse" / "dump.sql")
    assert [reader.name for _, reader in source.parts] == ["discourse"]
    pages = list(source)
    green, black = "https://forum.example/t/green-tea/11", "https://forum.example/t/black-tea/12"
    assert links_of(pages) == [(green, black), (green, "https://tea.example/a"), (black, green)]
    assert [page.title for page in pages[:2]] == ["Green tea", "Black tea\\milk"]
    assert source.counts["discourse"] == {
        "pages": 2,
        "links": 3,
        "reflections left out": 1,
        "uploaded files left out": 1,
        "private messages and deleted topics left out": 1,
        "links of private messages and deleted topics left out": 1,
    }
    assert source.refused.counts == {"a row that is cut short": 1}


def test_a_discourse_forum_without_links_between_topics_has_paths_as_names(tmp_path: Path) -> None:
    dump = (CORPUS / "readers" / "discourse" / "dump.sql").read_text()
    lines = [line for line in dump.splitlines() if "/t/" not in line]
    links = links_of(read(write(tmp_path / "dump.sql", "\n".join(lines) + "\n")))
    assert links == [("/t/green-tea/11", "https://tea.example/a")]
