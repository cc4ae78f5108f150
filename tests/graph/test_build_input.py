"""What a build reads: links in the order of the sources, bad names counted, progress reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from whatsrelated.api import Graph
from whatsrelated.graph import build_input
from whatsrelated.graph.build import build_in_memory, build_on_disk
from whatsrelated.graph.plan import Plan, WriteOptions
from whatsrelated.names.naming import Naming
from whatsrelated.stream import NamedLinks, Names, Page, Refused


def test_links_of_a_page_are_joined_in_the_order_of_the_sources() -> None:
    first = NamedLinks(
        Names.of([b"a", b"x", b"y"]), np.array([0, 0], np.uint32), np.array([2, 1], np.uint32)
    )
    second = Page("a", ["z", "y"])
    graph = Graph.from_pages([first, second])
    assert [graph.url(page) for page in graph.links_from(graph.page("a"))] == ["y", "x", "z"]


def test_bad_names_are_counted_by_reason_and_cost_their_links_only() -> None:
    refused = Refused()
    pages = [
        Page("https://a.org/", ["mailto:me@a.org", "https://b.org/", "javascript:x", "\ud800"]),
        Page("gopher://old.org/", ["https://b.org/", "https://c.org/"]),
        Page("https://b.org/", ["x" * 9000]),
    ]
    store = build_in_memory(pages, Plan(Naming(), refused=refused))
    assert [store.url(page) for page in range(store.n_pages)] == [
        "https://a.org/",
        "https://b.org/",
        "https://c.org/",
    ]
    assert store.n_links == 1
    assert refused.total() == 6
    assert refused.counts["too long"] == 1
    assert refused.examples["not http"][0] == "mailto:me@a.org"


def test_progress_of_reading_is_reported_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_input, "REPORT_EVERY", 0.0)
    reports: list[tuple[str, int, int | None]] = []
    plan = Plan(Naming(), progress=lambda *report: reports.append(report))
    build_in_memory([Page("a", ["b", "c"]), Page("b", ["c"])], plan)
    assert reports[:2] == [("reading links", 2, None), ("reading links", 3, None)]
    assert ("numbering pages", 3, None) in reports


def test_a_long_list_of_names_becomes_several_runs_and_the_same_graph(tmp_path: Path) -> None:
    listed = [b"https://%d.org/%d" % (number * 7919 % 1000, number) for number in range(2000)]
    listed[30], listed[1500] = b"https://30.org/", b"HTTPS://30.ORG"  # one page
    listed[700] = b"http://bad host/"
    rng = np.random.default_rng(0)
    sources, targets = rng.integers(0, 2000, (2, 9000)).astype(np.uint32)
    titles = {5: "five", 30: "thirty", 1500: "not the first", 1999: "last"}
    read = np.array([7, 700, 1999], np.uint32)
    names = Names.of(listed)
    found = []
    for memory in (1 << 30, 1 << 16):
        half = [sources[:4000], targets[:4000]], [sources[4000:], targets[4000:]]
        stream = [
            NamedLinks(names, *half[0], titles=titles, read=read),
            NamedLinks(names, *half[1]),
        ]
        plan = Plan(Naming(), WriteOptions(memory=memory), columns={"titles": lambda page: None})
        store = build_on_disk(stream, tmp_path / f"{memory}.graph", plan)
        found.append((store.fingerprint, plan.refused.counts, store.manifest["read_pages"]))
    assert found[0] == found[1]
    assert found[0][1] != {}
