"""`graph.related_all`: every page, as Arrow batches or as answers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from whatsrelated import api
from whatsrelated.api import Graph, batches
from whatsrelated.errors import OptionError, PageNotFound

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def sample_web() -> Graph:
    return api.open("sample")


def test_every_page_is_answered_for_in_batches(
    sample_web: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MAX_PAGES", 300)
    several = list(sample_web.related_all("cocitation", limit=3))
    assert len(several) == -(-len(sample_web) // 300)
    rows = pa.Table.from_batches(several).to_pylist()
    expected = [
        (url, rank, result.url, result.score)
        for url in sample_web
        for rank, result in enumerate(sample_web.related(url, by="cocitation", limit=3), 1)
    ]
    assert [(r["url"], r["position"], r["related_url"], r["score"]) for r in rows] == expected


def test_many_results_make_smaller_batches(sample_web: Graph) -> None:
    assert sample_web.batch("walk", limit=1 << 16).block_pages == 4
    assert sample_web.batch("walk", limit=1 << 30).block_pages == 1
    assert sample_web.batch("walk").block_pages == batches.MAX_PAGES


def test_answers_are_those_of_related(sample_web: Graph) -> None:
    asked = ["www.nytimes.com", "www.bmw.com"]
    answers = list(sample_web.related_all("companion", pages=asked, as_answers=True, limit=4))
    alone = [sample_web.related(page, by="companion", limit=4) for page in asked]
    assert [[(r.url, r.score) for r in one] for one in answers] == [
        [(r.url, r.score) for r in one] for one in alone
    ]


@pytest.mark.parametrize("pages", [range(10, 14), np.array([10, 11, 12, 13]), [10, 11, 12, 13]])
def test_pages_are_a_range_an_array_or_a_list(pages: range, sample_web: Graph) -> None:
    urls = [sample_web.url(page) for page in range(10, 14)]
    (some,) = sample_web.related_all("cocitation", pages=pages)
    (named,) = sample_web.related_all("cocitation", pages=urls)
    assert some.equals(named)
    assert set(some.column("url").to_pylist()) <= set(urls)


def test_a_batch_can_be_pickled_and_answered_elsewhere(sample_web: Graph) -> None:
    batch = sample_web.batch("cocitation", parents=5, limit=2, stop=["www.bmw.com"], new=True)
    again = pickle.loads(pickle.dumps(batch))
    assert again == batch
    pages = range(50)
    here, there = (
        pa.Table.from_batches(sample_web.record_batches(one, pages)) for one in (batch, again)
    )
    assert here.equals(there)
    direct = sample_web.related_all(
        "cocitation", pages=pages, parents=5, limit=2, stop=["www.bmw.com"], new=True
    )
    assert here.equals(pa.Table.from_batches(direct))


def test_wrong_use_is_one_sentence(sample_web: Graph) -> None:
    with pytest.raises(OptionError, match="clusters apply to a single answer"):
        sample_web.related_all("walk", clusters="lli")
    with pytest.raises(OptionError, match="walk has no option 'colour'"):
        sample_web.related_all("walk", colour="red")
    with pytest.raises(OptionError, match="pages must be a list"):
        sample_web.related_all("walk", pages="www.bmw.com")
    for pages in (range(10**7), np.array([10**7]), [10**7]):
        with pytest.raises(PageNotFound, match="No page number"):
            sample_web.related_all("walk", pages=pages)
