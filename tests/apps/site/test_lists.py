"""The lists of pages, asked for here or by workers."""

from __future__ import annotations

import numpy as np
import pytest

import whatsrelated as wr
from tests.apps.site import make
from tests.apps.site.test_run import asking
from tests.graphs import graph_of
from whatsrelated.api import tasks
from whatsrelated.apps.site import lists
from whatsrelated.apps.site.lists import ListPages
from whatsrelated.apps.site.pages import SitePages, Skipped
from whatsrelated.apps.site.run import write_data
from whatsrelated.errors import RelatedError
from whatsrelated.machine import workers


def listing(graph, wanted, kinds=("related",), **options):
    names = {graph.page(name) for name in wanted.split()}
    allowed = np.array([page in names for page in range(len(graph))])
    batch = graph.batch("cocitation", **{"limit": 2, **options})
    return ListPages(batch, allowed, list(kinds))


def names_of(graph, listed):
    return [graph.url(page) for page, _, _ in listed]


def test_a_list_is_filled_even_if_many_better_pages_are_excluded():
    others = " ".join(f"x{n}" for n in range(60))
    graph = graph_of(f"p -> tea {others} milk", f"q -> tea {others} honey", f"r -> tea {others}")
    [[found]] = listing(graph, "milk honey tea", siblings="all")(graph, [graph.page("tea")])
    assert sorted(names_of(graph, found)) == ["honey", "milk"]
    best = graph.related("tea", by="cocitation", limit=100, siblings="all")
    assert [r.url for r in best].index("milk") > 18


def test_lists_come_in_the_order_of_the_kinds_and_reasons_on_request():
    graph = graph_of("p -> tea milk honey", "q -> tea milk honey", "tea -> honey")
    pages = [graph.page("tea"), graph.page("honey")]
    lists_of = listing(graph, "milk honey tea p", ["backlinks", "related"])
    [(back, related), (_, other)] = lists_of(graph, pages)
    assert names_of(graph, back) == ["p"]
    assert sorted(names_of(graph, related)) == ["honey", "milk"]
    assert sorted(names_of(graph, other)) == ["milk", "tea"]
    assert {why for _, _, why in related} == {""}
    [[related]] = listing(graph, "milk honey", why=True)(graph, pages[:1])
    assert all("parent" in why or "link" in why for _, _, why in related)


def test_a_page_that_takes_too_much_memory_is_an_error():
    graph = wr.open("sample")
    names = " ".join(graph.url(page) for page in range(50))
    with pytest.raises(RelatedError, match="memory"):
        listing(graph, names, memory=1)(graph, list(range(50)))


def test_workers_list_the_same(tmp_path, monkeypatch):
    root = make(tmp_path / "site")
    outputs = []
    for few in (1500, 0):
        monkeypatch.setattr(lists, "FEW_PAGES", few)
        monkeypatch.setattr(lists, "TOGETHER", 2)
        monkeypatch.setattr(tasks, "processors", lambda: 2)
        write_data(root, tmp_path / "related.json", asking(show="related,backlinks"))
        outputs.append((tmp_path / "related.json").read_bytes())
    assert outputs[0] == outputs[1]


def test_a_lost_worker_is_an_error(tmp_path, monkeypatch):
    def lost(work, items, **settings):
        return ((item, workers.Lost("took over 600 s")) for item in items)

    monkeypatch.setattr(lists, "FEW_PAGES", 0)
    monkeypatch.setattr(tasks, "processors", lambda: 2)
    monkeypatch.setattr(workers, "results", lost)
    graph = graph_of("p -> tea milk", "q -> tea milk").save(tmp_path / "web.graph")
    pages = SitePages(graph.store, {page: graph.url(page) for page in range(2)}, Skipped([]))
    monkeypatch.setattr(lists, "TOGETHER", 1)
    with pytest.raises(RelatedError, match="a worker process failed: took over"):
        list(lists.all_lists(graph, pages, listing(graph, "milk"), None))
