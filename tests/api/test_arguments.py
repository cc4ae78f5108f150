"""Bad arguments to any public call raise our own error, in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import whatsrelated as wr
from tests.graphs import graph_of

WRONG: list[Any] = [
    *(3, -1, 1.5, float("nan"), None, True, b"x", "", "x\0y", object(), len, wr.Graph),
    *({}, {1}, (), [3], [None], ["a", 3], {"a": 3}),
]
GRAPH = graph_of("a -> x y", "b -> y x", "c -> x")
PAGES = [wr.Page("a", ["b"])]

CALLS: dict[str, Callable[[Any], Any]] = {
    "open": wr.open,
    "open, verify": lambda wrong: wr.open("web.graph", verify=wrong),
    "open, generation": lambda wrong: wr.open("web.graph", generation=wrong),
    "save": GRAPH.save,
    "links": wr.Graph.from_links,
    "link": lambda wrong: wr.Graph.from_links([wrong]),
    "target": lambda wrong: wr.Graph.from_links([("a", wrong)]),
    "from_links, pages": lambda wrong: wr.Graph.from_links([("a", "b")], pages=wrong),
    "from_links, titles": lambda wrong: wr.Graph.from_links([("a", "b")], titles=wrong),
    "from_links, refused": lambda wrong: wr.Graph.from_links([("a", "b")], refused=wrong),
    "pages": wr.Graph.from_pages,
    "from_pages, page": lambda wrong: wr.Graph.from_pages([wrong]),
    "from_pages, url": lambda wrong: wr.Graph.from_pages([wr.Page(wrong)]),
    "from_pages, links": lambda wrong: wr.Graph.from_pages([wr.Page("a", wrong)]),
    "from_pages, title": lambda wrong: wr.Graph.from_pages([wr.Page("a", ["b"], title=wrong)]),
    "build": lambda wrong: wr.build(wrong, "b.graph"),
    "build, path": lambda wrong: wr.build(PAGES, wrong),
    "build, page": lambda wrong: wr.build([wrong], "b.graph"),
    "build, memory": lambda wrong: wr.build(PAGES, "b.graph", memory=wrong),
    "build, keep": lambda wrong: wr.build(PAGES, "b.graph", keep=wrong),
    "build, temporary": lambda wrong: wr.build(PAGES, "b.graph", temporary=wrong),
    "build, format": lambda wrong: wr.build([__file__], "b.graph", format=wrong),
    "update": wr.update,
    "update, pages": lambda wrong: wr.update("web.graph", wrong),
    "page": GRAPH.page,
    "[]": GRAPH.__getitem__,
    "url": GRAPH.url,
    "title": GRAPH.title,
    "links_from": GRAPH.links_from,
    "links_to": GRAPH.links_to,
    "anchors": GRAPH.anchors,
    "site": GRAPH.site,
    "related": GRAPH.related,
    "related, by": lambda wrong: GRAPH.related("x", by=wrong),
    "related, limit": lambda wrong: GRAPH.related("x", limit=wrong),
    "related, stop": lambda wrong: GRAPH.related("x", stop=wrong),
    "related, only": lambda wrong: GRAPH.related("x", only=wrong),
    "related, deadline": lambda wrong: GRAPH.related("x", deadline=wrong),
    "related, memory": lambda wrong: GRAPH.related("x", memory=wrong),
    "related, progress": lambda wrong: GRAPH.related("x", progress=wrong),
    "question": GRAPH.question,
    "question, page": lambda wrong: GRAPH.question([wrong]),
    "compare": lambda wrong: GRAPH.compare(wrong, by=["lli"]),
    "compare, by": lambda wrong: GRAPH.compare("x", by=wrong),
    "compare, a method": lambda wrong: GRAPH.compare("x", by=[wrong]),
    "similarity": GRAPH.similarity,
    "similarity, other": lambda wrong: GRAPH.similarity("x", wrong),
    "similarity, by": lambda wrong: GRAPH.similarity("x", "y", by=wrong),
    "common": GRAPH.common,
    "common, way": lambda wrong: GRAPH.common(["x"], wrong),
    "common, without": lambda wrong: GRAPH.common(["x"], without=wrong),
    "common, least": lambda wrong: GRAPH.common(["x"], least=wrong),
    "common, limit": lambda wrong: GRAPH.common(["x"], limit=wrong),
    "rank": GRAPH.rank,
    "rank, threads": lambda wrong: GRAPH.rank("in-degree", threads=wrong),
    "ranking": lambda wrong: GRAPH.rank("in-degree")[wrong],
}


@pytest.mark.parametrize("call", CALLS)
def test_an_invalid_value_is_one_of_our_errors(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    GRAPH.save("web.graph")
    errors = []
    for wrong in WRONG:
        try:
            CALLS[call](wrong)
        except wr.RelatedError as error:
            errors.append(str(error))
    assert len(errors) >= 5, "most of these are wrong everywhere"
    assert all(error and "\n" not in error for error in errors)


@pytest.mark.parametrize(
    ("call", "wrong", "said"),
    [
        ("open", 3, "A graph is a folder, given as a string or Path, got 3."),
        ("open", "s3a://bucket/web.graph", "A graph must be a local folder"),
        ("link", "ab", "from_links: a link must be a pair of pages, got 'ab'."),
        ("from_pages, links", "tea", "from_pages: the links of a must be strings, got"),
        ("from_pages, page", "tea", "from_pages: a stream holds whatsrelated.Page values"),
        ("related, by", 3, "by must be a name, a class or an instance, got 3."),
        ("related, by", wr.PageRank, "by must be a method, got PageRank"),
        ("rank", wr.Walk(), "by must be a rank, got Walk"),
        ("compare, by", "lli", "compare: by must be a list of methods, got 'lli'."),
        ("url", "x", "A page must be a number here, got 'x'; see graph.page."),
        ("related, memory", "much", "related: memory must be a number, got 'much'."),
        ("related, stop", [3], "related: stop must contain only URLs, got 3."),
        ("common, limit", "ten", "common: limit must be a whole number, got 'ten'."),
    ],
)
def test_the_error_shows_the_given_and_the_expected_value(call: str, wrong: Any, said: str) -> None:
    with pytest.raises(wr.OptionError) as caught:
        CALLS[call](wrong)
    assert str(caught.value).startswith(said)


def test_a_class_is_a_method_or_a_rank_with_its_defaults_or_these_options() -> None:
    by_class = GRAPH.related("x", by=wr.Cocitation, siblings=4)
    assert by_class.by == wr.Cocitation(siblings=4)
    assert GRAPH.compare("x", by=[wr.Cocitation, "cpa"], siblings=4).answers[0].by == by_class.by
    assert GRAPH.rank(wr.InDegree)["x"] == GRAPH.rank("in-degree")["x"]
    assert GRAPH.similarity("x", "y", by=wr.Blend) == GRAPH.similarity("x", "y")
