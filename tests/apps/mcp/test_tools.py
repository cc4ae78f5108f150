"""The tools query the graph and report its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whatsrelated as wr
from tests.apps.mentions.sites import vault
from tests.graphs import graph_of
from whatsrelated import Graph, sample
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.mcp import tools as agent_tools
from whatsrelated.apps.mcp.replies import tokens
from whatsrelated.apps.mcp.tools import MAX_LIMIT, TOOLS, Tools, checked
from whatsrelated.errors import OptionError, OutOfTime, PageNotFound, ReadError

PAPER = "https://www.nytimes.com/"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph.from_pages(sample.pages())


@pytest.fixture(scope="module")
def tools(graph: Graph) -> Tools:
    return Tools(lambda: graph)


def test_related_lists_the_answer_with_its_reasons(graph: Graph, tools: Tools) -> None:
    answer = graph.related(PAPER, limit=3)
    head, *lines = tools.related(PAPER, limit=3).split("\n")
    assert head == f"3 pages related to {PAPER}, by blend:"
    assert len(lines) == 3
    for place, (line, result) in enumerate(zip(lines, answer, strict=True), 1):
        named = f"{result.url} ({result.title}), {answer.grade(result)}"
        assert line == f"{place}. {named}: {result.evidence['sentence']}"


def test_related_asks_for_several_pages_with_the_options_of_the_graph(
    graph: Graph, tools: Tools
) -> None:
    pages = [PAPER, "https://www.wsj.com/"]
    answer = graph.related(pages, by="companion", limit=4, new=True, other_site=True)
    told = tools.related(pages, limit=4, by="companion", new=True, other_site=True)
    assert [line.split(" ")[1] for line in told.split("\n") if line[0].isdigit()][1:] == [
        result.url for result in answer
    ]


def test_related_takes_weights_pages_to_avoid_and_known_pages(graph: Graph, tools: Tools) -> None:
    other, away = "https://www.wsj.com/", "https://www.washingtonpost.com/"
    known = ["https://www.usatoday.com/"]
    answer = graph.related({PAPER: 1, other: 0.5}, unlike=[away], known=known, limit=4)
    arguments = {"pages": [PAPER, f"{other}:0.5"], "unlike": [away], "known": known, "limit": 4}
    reply = tools.related(**checked("related", arguments))
    listed = [line.split(". ", 1)[1].split(" ")[0] for line in reply.split("\n")[1:]]
    assert listed == [one.url for one in answer]


def test_why_gives_the_place_the_sentence_and_the_evidence(graph: Graph, tools: Tools) -> None:
    result = graph.related(PAPER, limit=5)[4]
    head, sentence, *evidence = tools.why("nytimes.com", result.url).split("\n")
    assert head.startswith(f"{result.url} ({result.title}) is ranked 5 of ")
    assert sentence == result.evidence["sentence"]
    assert any(line.startswith("  ") for line in evidence)
    apart = graph_of("a -> tea coffee", "b -> coffee tea", "c -> ink paper")
    with pytest.raises(PageNotFound, match=r"ink is not among the .* pages related to tea by"):
        Tools(lambda: apart).why("tea", "ink")


def test_links_lists_both_ways_in_their_order_and_goes_on(graph: Graph, tools: Tools) -> None:
    page = graph[PAPER]
    lines = tools.links(PAPER, limit=2).split("\n")
    assert lines[0] == f"{PAPER} (The New York Times):"
    assert lines[1] == f"{len(page.parents)} pages link to it, 1 to 2 of them:"
    assert [line.split(" ")[0] for line in lines[2:4]] == page.parents[:2]
    assert [line.split(" ")[0] for line in lines[5:]] == page.links[:2]
    later = tools.links(PAPER, way="out", limit=50, skip=2).split("\n")
    assert (
        later[1] == f"{len(page.links)} pages are linked from it, 3 to {len(page.links)} of them:"
    )
    assert [line.split(" ")[0] for line in later[2:]] == page.links[2:]


def test_path_names_every_step(tools: Tools) -> None:
    lines = tools.path(PAPER, "www.louvre.fr", limit=1).split("\n")
    assert "2 chains of 2 links connect “The New York Times” and “Musée du Louvre”." in lines
    first = "1. “Anna's bookmarks” links to “The New York Times”. “Anna's bookmarks” links to"
    assert any(line.startswith(first) for line in lines)
    assert lines[-3].strip() == PAPER
    assert "No chain of links leads from" in tools.path(PAPER, "www.louvre.fr", way="out")


def test_find_pages_has_all_the_words(tools: Tools) -> None:
    lines = tools.find_pages("times york").split("\n")
    assert f"{PAPER} (The New York Times)" in lines
    assert all("york" in line.lower() for line in lines[1:])
    with pytest.raises(PageNotFound, match="No page has all of the words 'zebra xylophone'"):
        tools.find_pages("zebra xylophone")


def test_compare_shows_places_and_agreement(graph: Graph, tools: Tools) -> None:
    methods = ["companion", "lli"]
    comparison = graph.compare(PAPER, methods, limit=3)
    lines = tools.compare(PAPER, methods, limit=3).split("\n")
    assert lines[0] == f"lli and companion agree: {comparison.agreement()[1][0]:.2f} of 1"
    row = comparison.rows()[0]
    places = f"companion {row.places[0]}, lli {row.places[1]}"
    assert lines[1] == f"{row.url} ({row.title}): {places}"
    with pytest.raises(OptionError, match="by must name two to six methods, got 1"):
        tools.compare(PAPER, ["lli"])


def test_gaps_lists_missing_links_with_reasons_and_unreachable_pages() -> None:
    site = graph_of(
        *(f"https://s.org/{page} -> https://s.org/pot https://s.org/cup" for page in "abcde"),
        "https://s.org/new -> https://s.org/pot https://s.org/a",
    )
    found = gaps_of(site, top=5)
    assert found.missing
    lines = Tools(lambda: site).gaps(limit=5).split("\n")
    assert lines[0] == f"{found.pages} pages, {found.links} links."
    first = found.missing[0]
    assert f"Missing link: {first.source} -> {first.target}: {first.reason}" in lines
    assert f"Pages that no page links to: {len(found.orphans)}" in lines
    assert found.orphans[0].url in lines
    only = Tools(lambda: site).gaps(limit=5, pages="*/new")
    assert all(" -> " not in line or "https://s.org/new ->" in line for line in only.split("\n"))


def test_gaps_has_the_deadline_of_every_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    site = graph_of("a -> b", "b -> a")
    monkeypatch.setattr(agent_tools, "SECONDS", -1.0)
    with pytest.raises(OutOfTime, match="takes longer than -1 seconds; pass a higher limit"):
        Tools(lambda: site).gaps()
    assert Tools(lambda: site).gaps(seconds=600).startswith("2 pages, 2 links.")


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Tools]:
    (tmp_path / "notes").mkdir()
    with wr.build([vault(tmp_path / "notes")], tmp_path / "notes.graph") as notes_graph:
        yield Tools(lambda: notes_graph)


def test_missing_links_names_the_file_the_line_and_the_sentence(notes: Tools) -> None:
    head, *lines = notes.missing_links(limit=5, pages="plain.md").split("\n")
    assert head.endswith(" missing links:")
    place = next(row for row, each in enumerate(lines) if each.startswith("plain.md:3:10: "))
    assert lines[place].startswith('plain.md:3:10: "kettle" could link to kettle.md')
    assert lines[place + 1] == "  Fill the [kettle], then warm the teapot."


def test_mentions_lists_both_directions_with_their_sentences(notes: Tools) -> None:
    lines = notes.mentions("kettle.md").split("\n")
    assert any(each.startswith("plain.md:3:10: link to kettle.md") for each in lines)
    assert lines[-1].startswith("Mentioned on it: ")
    outgoing = notes.mentions("plain.md", limit=1).split("\n")
    assert outgoing[0] == "Mentions of it: 0"
    assert outgoing[1] == "Mentioned on it: 1"


def test_mentions_need_the_folder_of_the_pages_and_enough_time(
    tools: Tools, notes: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReadError, match="build the graph from one folder"):
        tools.mentions(PAPER)
    with pytest.raises(ReadError, match="build the graph from one folder"):
        tools.missing_links()
    monkeypatch.setattr(agent_tools, "SECONDS", -1.0)
    with pytest.raises(OutOfTime, match="missing_links: reading all pages takes longer than -1"):
        notes.missing_links()


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("related", {"pages": PAPER, "limit": 0}, "limit must be at least 1 and at most 50, got 0"),
        ("related", {"pages": PAPER, "by": "magic"}, "by must be one of blend, cocitation"),
        ("related", {}, "pages is missing; add pages=, URLs, names"),
        ("related", {"page": PAPER}, r"has no option 'page'; did you mean pages\?"),
        ("links", {"page": PAPER, "skip": -1}, "skip must be at least 0, got -1"),
        ("find_pages", {"words": "a" * 20_000}, "words may have 1,000 characters, got 20,000"),
        ("gaps", {"seconds": 601}, "seconds must be at least 1 and at most 600, got 601"),
    ],
)
def test_wrong_arguments_are_rejected_in_our_words(
    tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(OptionError, match=f"^{tool}:? {sentence}"):
        checked(tool, arguments)


def test_arguments_have_the_defaults_and_types_of_the_tool() -> None:
    assert checked("links", {"page": PAPER, "limit": "3"}) == {
        "page": PAPER,
        "way": "both",
        "limit": 3,
        "skip": 0,
    }
    assert checked("related", {"pages": PAPER})["pages"] == [PAPER]


def test_the_largest_replies_have_less_than_4000_tokens(tools: Tools) -> None:
    long = "https://example.org/" + "very-long-address/" * 60
    pages = [f"{long}{number}" for number in range(60)]
    wide = graph_of(*(f"https://hub{hub}.org/ -> {' '.join(pages)}" for hub in range(5)))
    asked = Tools(lambda: wide)
    replies = [
        asked.related(pages[0], limit=MAX_LIMIT),
        asked.why(pages[0], pages[1]),
        asked.links("https://hub0.org/", limit=MAX_LIMIT),
        asked.find_pages("very long address", limit=MAX_LIMIT),
        asked.compare(pages[0], ["companion", "cocitation"], limit=MAX_LIMIT),
        asked.gaps(limit=MAX_LIMIT),
        tools.related(PAPER, limit=MAX_LIMIT),
        tools.links(PAPER, limit=MAX_LIMIT),
    ]
    counts = [tokens(each) for each in replies]
    assert max(counts) < 4000
    assert "lines left out; use a smaller limit." in replies[0]
    assert "lines left out; use skip for the rest." in replies[2]


def test_every_tool_says_what_it_is_for() -> None:
    assert [tool.__name__ for tool in TOOLS if not tool.__doc__] == []
