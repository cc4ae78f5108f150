"""Gold is read in both formats, and unusable entries are counted."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.apps.evaluate.gold import GoldFile, GoldLinks, Judgments, link_gold, read_gold
from whatsrelated.errors import ReadError
from whatsrelated.sources import ReadOptions, open_sources

GRAPH = graph_of("a -> b c d", "b -> c")


@pytest.mark.parametrize("text", ["a 0 b 2\na 0 c 0\n", "a\tb\t2\na\tc\t0\n"])
def test_qrels_and_columns_say_the_same(text: str, tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text(text)
    assert read_gold(path, GRAPH).queries == {"a": {"b": 2.0, "c": 0.0}}


def test_unusable_input_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    repeated, outside = "a\tb\na\tb\n", "a\tnowhere\nnobody\tb\nc\tnowhere\t0\n"
    path.write_text(f"{repeated}a\ta\n{outside}b\tc\t0\nd\td\n# a\n\n")
    judgments = read_gold(path, GRAPH)
    assert judgments.queries == {"a": {"b": 1.0}, "c": {}, "b": {"c": 0.0}}
    assert judgments.elsewhere == {"a": {"nowhere": 1.0}, "c": {"nowhere": 0.0}}
    assert judgments.refused.counts == {
        "repeated": 1,
        "of a page for itself": 2,
        "for a page that is not in the graph": 2,
        "for a query that is not in the graph": 1,
        "of a query without a rated page": 1,
    }


def test_a_sample_is_drawn_by_its_seed_from_queries_with_enough_gold(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\na\tc\nb\tc\nc\ta\nd\ta\n")
    judgments = read_gold(path, GRAPH)
    assert list(judgments.sample(None, least=2).queries) == ["a"]
    judgments.queries["e"] = {"a": 0.0, "b": -1.0}
    assert list(judgments.sample(None).queries) == ["a", "b", "c", "d", "e"]
    assert list(judgments.sample(None, least=1).queries) == ["a", "b", "c", "d"]
    assert judgments.sample(2, seed=1).queries == judgments.sample(2, seed=1).queries
    drawn = {tuple(judgments.sample(2, seed=seed).queries) for seed in range(9)}
    assert len(drawn) > 1


@pytest.mark.parametrize(
    "text", ["a\n", "a\tb\tmuch\n", "a 0 b 1 run\n", "a\tb\tnan\n", "a\tb\tinf\n"]
)
def test_a_line_that_is_not_gold_is_reported(text: str, tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\n" + text)
    with pytest.raises(ReadError, match=r"line 2: expected a query, a page and a rating"):
        read_gold(path, GRAPH)


def test_an_empty_gold_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("")
    with pytest.raises(ReadError, match="has no ratings for queries in the graph"):
        read_gold(tmp_path / "gold", GRAPH)


def test_a_query_by_two_names_is_one_and_its_gold_is_joined(tmp_path: Path) -> None:
    graph = graph_of("https://a.org/ -> https://b.org/ https://c.org/")
    path = tmp_path / "gold"
    path.write_text("a.org\thttps://b.org/\nhttps://a.org/\thttps://c.org/\n")
    judgments = read_gold(path, graph)
    assert judgments.queries == {"https://a.org/": {"https://b.org/": 1.0, "https://c.org/": 1.0}}
    assert judgments.notes == [
        "a.org and https://a.org/ are the same page, https://a.org/; their judgments are merged."
    ]


def test_the_first_of_two_ratings_counts_and_the_second_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\t1\na\tb\t0\n")
    judgments = read_gold(path, GRAPH)
    assert judgments.queries == {"a": {"b": 1.0}}
    assert judgments.refused.counts == {"repeated with another rating": 1}


def test_no_query_with_enough_gold_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\n")
    with pytest.raises(ReadError, match="No query has 2 or more related pages"):
        read_gold(path, GRAPH).sample(None, least=2)


def test_the_links_of_a_section_are_gold(tmp_path: Path) -> None:
    path = tmp_path / "links.tsv"
    path.write_text("from\tto\tsection\na\tb\tbody\na\tc\tsee_also\nb\tnowhere\tsee_also\n")
    source = open_sources([path], options={"where": "section=see_also", "columns": "from,to"})
    judgments = link_gold(source, GRAPH)
    assert judgments.queries == {"a": {"c": 1.0}}
    assert judgments.refused.counts["for a page that is not in the graph"] == 1


def test_the_see_also_sections_of_a_folder_are_gold(tmp_path: Path) -> None:
    for name, text in {
        "a": "[b](b.md)\n\n## See also\n\n- [c](c.md)\n",
        "b": "nothing",
        "c": "[b](b.md)",
    }.items():
        (tmp_path / f"{name}.md").write_text(text)
    graph = graph_of("a.md -> b.md", "c.md -> b.md")
    source = open_sources(
        [tmp_path], ReadOptions(format="markdown"), options={"section": "see-also"}
    )
    assert link_gold(source, graph).queries == {"a.md": {"c.md": 1.0}}


def test_a_name_with_escapes_is_found_without_them(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("%C3%89ire\tC%2B%2B\n100%\tÉire\n")
    judgments = read_gold(path, graph_of("Éire -> C++ 100%"))
    assert judgments.queries == {"Éire": {"C++": 1.0}, "100%": {"Éire": 1.0}}


def test_gold_may_be_packed_and_come_from_another_system(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfa\tb\r\na\tc\r\n"))
    assert read_gold(path, GRAPH).queries == {"a": {"b": 1.0, "c": 1.0}}


@pytest.mark.parametrize("contents", [None, b"\xff\tb\n"])
def test_an_unreadable_file_is_reported(contents: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "gold"
    if contents is not None:
        path.write_bytes(contents)
    with pytest.raises(ReadError, match=r"gold"):
        read_gold(path, GRAPH)


def test_a_source_of_gold_is_a_value_that_judges_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "links.tsv"
    path.write_text("from\tto\tsection\na\tb\tbody\na\tc\tsee_also\n")
    options = (("where", "section=see_also"), ("columns", "from,to"))
    links = GoldLinks((str(path),), options=options)
    graph, judgments = links.judge(GRAPH, tmp_path, 0)
    assert (graph, judgments.queries, str(links)) == (GRAPH, {"a": {"c": 1.0}}, f"links of {path}")
    file = tmp_path / "gold"
    file.write_text("a\tb\n")
    assert GoldFile(file).judge(GRAPH, tmp_path, 0)[1].queries == {"a": {"b": 1.0}}
    assert str(GoldFile(file)) == f"gold {file}"
    own = Judgments({"a": {"b": 1.0}})
    assert own.judge(GRAPH, tmp_path, 0) == (GRAPH, own)
