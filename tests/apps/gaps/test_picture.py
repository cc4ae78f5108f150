"""The map of a site: every page in one circle, and no overlaps."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.apps.gaps import picture
from whatsrelated.apps.gaps.picture import LABELS, map_of, place_labels
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.stream import Page

RINGS = [
    Page(f"{group}/{n}", [f"{group}/{(n + step) % 9}" for step in (1, 2, 3)], f"{group} <{n}>")
    for group in "abc"
    for n in range(9)
]


def test_every_page_is_in_one_circle_and_circles_do_not_overlap() -> None:
    graph = Graph.from_pages([*RINGS, Page("x", ["a/0", "b/0"]), Page("alone")])
    drawn = map_of(SiteStructure(graph.store))
    assert drawn is not None
    assert sorted(page for group in drawn.members for page in group.tolist()) == [
        *range(len(graph))
    ]
    assert drawn.names[-1] == "no links at all"
    assert drawn.names[1].startswith(("b: b", "c: c"))
    count = len(drawn.members)
    for one in range(count):
        for other in range(one):
            away = np.linalg.norm(drawn.centres[one] - drawn.centres[other])
            assert away > drawn.radii[one] + drawn.radii[other]
    root = ET.fromstring(drawn.svg())
    titles = [title.text for title in root.iter("title")]
    assert "a/0" in titles
    assert len([one for one in root.iter("circle") if "dot" in one.get("class", "")]) == len(graph)


def test_only_the_clusters_of_a_large_site_are_drawn(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(picture, "MAX_DOTS", 5)
    monkeypatch.setattr(picture, "MAX_CLUSTERS", 2)
    drawn = map_of(SiteStructure(Graph.from_pages(RINGS).store))
    assert drawn is not None
    assert [len(group) for group in drawn.members] == [9, 18]
    assert drawn.names[1] == "smaller clusters"
    assert "dot" not in drawn.svg()


def test_a_graph_without_pages_has_no_map() -> None:
    assert map_of(SiteStructure(Graph.from_pages([]).store)) is None
    one = map_of(SiteStructure(graph_of("a -> b").store))
    assert one is not None
    assert one.svg().count("<circle") == 2


def test_labels_overlap_no_other_label_and_are_inside_the_map() -> None:
    random = np.random.default_rng(5)
    for _ in range(20):
        corners = random.uniform(0, 900, (24, 2))
        circles = np.hstack([corners, corners + random.uniform(28, 160, (24, 1))])
        names = ["a long name of a cluster " * 2] * 12 + ["short"] * 12
        labels, boxes = place_labels(names, circles)
        for number, box in enumerate(boxes):
            others = np.delete(boxes, number, axis=0)
            clash = (box[:2] < others[:, 2:]) & (others[:, :2] < box[2:])
            assert not (clash.all(axis=1) & (box[2] > box[0])).any()
        written = [label["label"] for label in labels]
        assert sum(map(bool, written)) >= 20
        assert all(len(text) <= max(LABELS) for text in written)


def test_a_map_with_addresses_draws_and_links_every_page(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(picture, "MAX_DOTS", 5)
    drawn = map_of(SiteStructure(Graph.from_pages(RINGS).store))
    assert drawn is not None
    links = list(ET.fromstring(drawn.svg(lambda url: f"?{url}")).iter("a"))
    assert len(links) == len(RINGS)
    assert {link.get("href") for link in links} == {f"?{page.url}" for page in RINGS}
