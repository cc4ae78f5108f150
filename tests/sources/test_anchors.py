"""The texts of links: kept with the graph on request, shown with the links."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import whatsrelated as wr
from whatsrelated.cli import related


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text(
        '<a href=b.html>the \n second</a><a href="mailto:x@y">write</a><a href=c.html></a>'
    )
    (tmp_path / "site" / "b.html").write_text("<a href=a.html>first\ttea</a>")
    return tmp_path


def test_texts_of_links_are_kept_on_request(site):
    graph = wr.build([site / "site"], site / "kept.graph", anchors=True)
    assert graph.anchors(graph.page("a.html")) == {"b.html": "the second"}
    assert graph.anchors(graph.page("b.html")) == {"a.html": "first tea"}
    assert graph.anchors(graph.page("c.html")) == {}
    plain = wr.build([site / "site"], site / "plain.graph")
    assert plain.anchors(plain.page("a.html")) == {}


def test_several_texts_of_links_to_one_page_are_all_kept(tmp_path):
    page = wr.Page("a", ["b", "c", "b", "b"], anchors=["the second", "C", "B", "the second"])
    graph = wr.build([page], tmp_path / "web.graph")
    assert graph.anchors(graph.page("a")) == {"b": "the second · B", "c": "C"}


def test_links_are_shown_with_their_texts(site):
    wr.build([site / "site"], site / "kept.graph", anchors=True)
    asked = ["links", "a.html", "--graph", str(site / "kept.graph")]
    shown = CliRunner().invoke(related, asked)
    assert shown.output.splitlines() == [
        "way\tpage\ttitle\ttext of the link",
        "<-\tb.html\t\tfirst tea",
        "->\tb.html\t\tthe second",
        "->\tc.html\t\t",
    ]
    told = json.loads(CliRunner().invoke(related, [*asked, "--json"]).output)
    assert told["texts"] == {"in": ["first tea"], "out": ["the second", None]}


def test_links_of_a_graph_without_texts_are_shown_without(site):
    wr.build([site / "site"], site / "plain.graph")
    asked = ["links", "b.html", "--graph", str(site / "plain.graph")]
    assert (
        CliRunner().invoke(related, asked).output
        == "way\tpage\ttitle\n<-\ta.html\t\n->\ta.html\t\n"
    )
    assert "texts" not in json.loads(CliRunner().invoke(related, [*asked, "--json"]).output)


def test_a_page_may_have_texts_without_links_only_by_our_mistake():
    with pytest.raises(ValueError, match="zip"):
        wr.Graph.from_pages([wr.Page("a", ["b", "c"], anchors=["one"])])
