"""How similar pages are: the score in one page's list for the other, for two or for many."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given

from tests.graphs import graph_of
from tests.methods.against import graph_from
from tests.methods.test_pagesim import FIGURE
from tests.reference import llk06
from tests.reference.cocitation import weights
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.plain_graph import PlainGraph
from whatsrelated import api, sample
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.query.similarity import measures

PAPERS = ["https://www.nytimes.com/", "https://www.wsj.com/", "https://www.debian.org/"]


@pytest.fixture(scope="module")
def web() -> Graph:
    return Graph.from_pages(sample.pages())


def test_pagesim_of_the_figure_of_llk06_is_the_printed_matrix() -> None:
    alike = graph_of(*FIGURE).similarity(list("123456"), by="pagesim", radius="none")
    assert alike.scores.round(2).tolist() == llk06.PAGESIM


def test_simrank_of_the_figure_of_llk06_is_the_printed_matrix() -> None:
    alike = graph_of(*FIGURE).similarity(list("123456"), by="simrank", decay=1)
    for row, one in enumerate("123456"):
        for column, other in enumerate("123456"):
            printed = llk06.SIMRANK.get("".join(sorted(one + other)), float(one == other))
            assert alike.scores[row, column] == printed


@given(link_lists().filter(bool))
def test_shares_of_cocitations_are_what_their_definition_says(lists: LinkLists) -> None:
    plain = PlainGraph(lists)
    graph = graph_from(lists)
    scores = graph.similarity(plain.pages, by="cocitation", count="share").scores
    for row, wanted in zip(scores.tolist(), weights(plain).values(), strict=True):
        assert row == pytest.approx(list(wanted.values()))


@pytest.mark.parametrize("by", [by for by in measures() if by != "blend"])
def test_a_score_is_that_of_the_whole_list(web: Graph, by: str) -> None:
    found = web.related(PAPERS[0], by=by, limit=10_000, chop=False)
    scores = {result.url: result.score for result in found}
    assert PAPERS[1] in scores
    for other in PAPERS[1:]:
        # PageSim of two pages leaves nothing out.
        lost = found.details.get("lost", 0)
        score = web.similarity(PAPERS[0], other, by=by)
        assert scores.get(other, 0) <= score + 1e-12
        assert score == pytest.approx(scores.get(other, 0), abs=lost + 1e-12)
    assert web.similarity(PAPERS, by=by).scores[0, 1:].tolist() == [
        web.similarity(PAPERS[0], other, by=by) for other in PAPERS[1:]
    ]


def test_without_a_method_pages_are_compared_by_blend_the_same_both_ways(web: Graph) -> None:
    alike = web.similarity([*PAPERS, PAPERS[0]])
    assert alike.by.name == "blend"
    assert (alike.scores == alike.scores.T).all()
    assert alike.scores.diagonal().tolist() == [1.0] * 4
    assert alike.scores[0, 3] == 1
    paper, debian = alike.scores[0, 1:3].tolist()
    assert 1 > paper > debian >= 0
    assert web.similarity(PAPERS[1], PAPERS[0]) == web.similarity(PAPERS[0], PAPERS[1]) == paper


def test_a_zebra_is_more_like_a_lion_than_newton_is(shared: Path, tmp_path: Path) -> None:
    sources = [shared / "data" / "wikispeedia" / name for name in ("articles.tsv", "links.tsv.gz")]
    graph = api.build(sources, tmp_path / "x.graph")
    zebra, newton = (graph.similarity("Lion", other) for other in ("Zebra", "Isaac_Newton"))
    assert zebra > 2 * newton


def test_a_page_has_a_similarity_to_itself_if_the_method_defines_one(web: Graph) -> None:
    assert web.similarity(PAPERS[0], PAPERS[0], by="simrank") == 1
    assert web.similarity(PAPERS[0], PAPERS[0], by="pagesim") > 0
    assert web.similarity(PAPERS[0], PAPERS[0], by="cocitation") == len(
        web.links_to(web.page(PAPERS[0]))
    )
    assert math.isnan(web.similarity(PAPERS[0], PAPERS[0], by="walk"))


def test_a_page_given_twice_has_its_row_twice(web: Graph) -> None:
    alike = web.similarity([PAPERS[0], PAPERS[1], "www.nytimes.com"], by="simrank")
    assert alike.scores[0].tolist() == alike.scores[2].tolist()
    assert alike.scores[0, 2] == 1
    assert alike.notes == [
        "Using https://www.nytimes.com/ for www.nytimes.com.",
        "https://www.nytimes.com/ was given 2 times.",
    ]


def test_pages_without_parents_are_similar_to_none() -> None:
    graph = graph_of("a -> b c", "d -> b c")
    assert graph.similarity("a", "d", by="simrank") == 0
    assert graph.similarity("a", "d", by="cocitation") == 0
    assert graph.similarity("b", "c", by="cocitation") == 2


def test_impossible_comparisons_are_rejected(web: Graph) -> None:
    with pytest.raises(
        OptionError, match=r"companion does not compare two pages; choose from blend, coci"
    ):
        web.similarity(PAPERS, by="companion")
    with pytest.raises(OptionError, match="pass two pages"):
        web.similarity([PAPERS[0]])
    with pytest.raises(OptionError, match="pass two pages"):
        web.similarity(PAPERS[0])  # type: ignore[call-overload]
    with pytest.raises(PageNotFound, match="No page"):
        web.similarity(PAPERS[0], "https://nowhere.example/x")
    with pytest.raises(OptionError, match="blend has no option 'limit'"):
        web.similarity(PAPERS, limit=3)
    with pytest.raises(OptionError, match="at most 5,000 pages"):
        web.similarity(5001 * PAPERS[:1])
