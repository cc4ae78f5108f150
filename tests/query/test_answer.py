"""What is found is put in order in one place, and evidence is computed when it is read."""

from __future__ import annotations

import pickle
import sys
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

import whatsrelated as wr
from tests.graphs import graph_of
from whatsrelated.methods import METHODS
from whatsrelated.query.answer import Found, Result, order

STORE = graph_of("p -> a b c d", "q -> a b", "r -> a").store
PAGES = [STORE.page(name) for name in "abcd"]


def in_order(scores: list[float], limit: int | None = None, **more: Any) -> str:
    found = Found(np.array(PAGES, np.uint32), np.array(scores, np.float64), **more)
    return "".join(STORE.url(int(found.pages[i])) for i in order(found, STORE.links, limit))


def test_equal_scores_go_by_ties_then_the_lower_in_degree_then_the_lower_number() -> None:
    assert in_order([1, 1, 1, 1]) == "cdba"
    assert in_order([1, 2, 1, 1]) == "bcda"
    assert in_order([1, 1, 1, 1], ties=(np.array([0.0, 0, 0, 1]),)) == "dcba"
    assert in_order([1, 1 + 1e-12, 1, 1]) == "cdba"


def test_groups_come_before_scores_and_the_limit_cuts() -> None:
    assert in_order([4, 3, 2, 1], groups=np.array([1, 2, 1, 2])) == "bdac"
    assert in_order([4, 3, 2, 1], limit=2) == "ab"


def test_what_is_left_out_takes_its_ties_and_groups_along() -> None:
    found = Found(
        np.array([5, 6, 7], np.uint32),
        np.array([1.0, 2.0, 3.0]),
        ties=(np.array([0.1, 0.2, 0.3]),),
        groups=np.array([1, 2, 3]),
    )
    left = found.without([6, 9])
    assert left.pages.tolist() == [5, 7]
    assert left.scores.tolist() == [1.0, 3.0]
    assert left.ties[0].tolist() == [0.1, 0.3]
    assert left.groups is not None
    assert left.groups.tolist() == [1, 3]
    assert found.without([9]) is found


def test_evidence_is_computed_once_and_only_when_it_is_read() -> None:
    asked: list[int] = []

    def evidence(page: int) -> dict[str, Any]:
        asked.append(page)
        return {"sentence": "Why."}

    result = Result(7, "u", None, 1.0, evidence)
    assert result.as_dict() == {"url": "u", "title": None, "score": 1.0}
    assert asked == []
    assert result.as_dict(why=True)["evidence"] == {"sentence": "Why."}
    assert result.evidence == {"sentence": "Why."}
    assert asked == [7]


@pytest.fixture(scope="module")
def web() -> wr.Graph:
    return wr.open("sample")


@pytest.mark.parametrize("name", METHODS.ours)
def test_an_answer_is_pickled_with_its_evidence(web: wr.Graph, name: str) -> None:
    answer = web.related("www.bmw.com", by=name, limit=3)
    again = pickle.loads(pickle.dumps(answer))
    assert len(again) == 3
    assert again.as_dict(why=True) == answer.as_dict(why=True)
    assert again[0].evidence["sentence"]
    assert again.by == answer.by


def test_an_answer_prints_short_and_as_a_table_with_reasons(web: wr.Graph) -> None:
    answer = web.related("www.bmw.com", limit=25)
    assert repr(answer) == "<Answer of 25 pages related to https://www.bmw.com/ by blend>"
    shown = ET.fromstring(f"<div>{answer._repr_html_()}</div>")
    rows = [["".join(one.itertext()) for one in row] for row in shown.iter("tr")]
    assert rows[0] == ["#", "strength", "page", "why"]
    assert rows[1] == [
        "1",
        f"{answer[0].score:.0%}",
        answer[0].title,
        answer[0].evidence["sentence"],
    ]
    assert len(rows) == 21
    assert "And 5 more." in "".join(shown.itertext())


def test_the_titles_of_an_answer_are_no_markup() -> None:
    pairs = [(hub, page) for hub in "ab" for page in ("tea", "coffee")]
    graph = wr.Graph.from_links(pairs, titles={"coffee": "<img src=x>", "a": "<b>"})
    shown = graph.related("tea", by="cocitation")._repr_html_()
    assert "&lt;img src=x&gt;" in shown
    assert "<img" not in shown
    assert "<b>" not in shown


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_an_answer_is_a_data_frame(web: wr.Graph, package: str) -> None:
    pytest.importorskip(package)
    answer = web.related("www.bmw.com", limit=4, clusters="lli")
    frame = getattr(answer, f"to_{package}")(why=True)
    assert list(frame.columns) == ["place", "score", "url", "title", "cluster", "why"]
    assert list(frame["place"]) == [1, 2, 3, 4]
    assert list(frame["url"]) == [result.url for result in answer]
    assert list(frame["score"]) == [result.score for result in answer]
    assert frame["why"][3] == answer[3].evidence["sentence"]
    assert "why" not in getattr(answer, f"to_{package}")().columns


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_package_is_named(
    web: wr.Graph, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(wr.MissingExtra, match=f"pip install {package}"):
        getattr(web.related("www.bmw.com", limit=1), f"to_{package}")()
