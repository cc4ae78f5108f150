"""Pages that share a topic are related, whether a file or the folders name the topics."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.apps.evaluate.topics import GoldTopics, topic_gold
from whatsrelated.errors import ReadError

GRAPH = graph_of("a -> b c d", "b -> c")


def test_pages_that_share_a_topic_are_related(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("a\tred\tround\nb\tred\nc\tround\nd\tblue\nnowhere\tblue\n")
    judgments = topic_gold(path, GRAPH)
    assert {query: set(gold) for query, gold in judgments.queries.items()} == {
        "a": {"b", "c"},
        "b": {"a"},
        "c": {"a"},
    }
    assert judgments.refused.counts == {"for a page that is not in the graph": 1}


def test_pages_of_one_folder_are_related() -> None:
    root = "https://x.org"
    graph = graph_of(f"{root}/ -> {root}/tea/green {root}/tea/black/ {root}/rice?a=/b/")
    judgments = topic_gold("folder", graph)
    assert {query: set(gold) for query, gold in judgments.queries.items()} == {
        f"{root}/tea/green": {f"{root}/tea/black/"},
        f"{root}/tea/black/": {f"{root}/tea/green"},
    }


def test_a_line_without_a_topic_is_named(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("a\tred\nb\n")
    with pytest.raises(ReadError, match="line 2: expected a page, a tab and its topics"):
        topic_gold(path, GRAPH)


def test_topics_are_a_value_that_judges_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("a\tred\nb\tred\n")
    graph, judgments = GoldTopics(path).judge(GRAPH, tmp_path, 0)
    assert (graph, str(GoldTopics(path))) == (GRAPH, f"topics {path}")
    assert dict(judgments.queries) == {"a": {"b": 1.0}, "b": {"a": 1.0}}
