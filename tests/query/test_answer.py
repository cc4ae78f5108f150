"""An answer is pickled, printed and made a table, with its evidence."""

from __future__ import annotations

import pickle
import sys
import xml.etree.ElementTree as ET

import pytest

import whatsrelated as wr
from whatsrelated.methods import METHODS


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
        f"{answer[0].score:.0%} strong",
        answer[0].title,
        answer[0].evidence["sentence"],
    ]
    assert len(rows) == 21
    assert "And 5 more." in "".join(shown.itertext())


def test_the_titles_of_an_answer_are_not_markup() -> None:
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
    assert list(frame.columns) == ["position", "score", "url", "title", "cluster", "why"]
    assert list(frame["position"]) == [1, 2, 3, 4]
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
