"""The picture over HTTP: as data and as a file."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.apps.serve import PAPER, Client, serving
from whatsrelated.api import Graph


def test_the_picture_is_json_and_svg_with_the_same_pages(client: Client) -> None:
    drawn = client.get("/api/picture", params={"url": PAPER, "limit": 5}).json()
    kinds = [node["kind"] for node in drawn["nodes"]]
    assert kinds.count("result") == 5
    answer = client.related(PAPER, limit=5)
    shown = [node["url"] for node in drawn["nodes"] if node["kind"] == "result"]
    assert shown == [result["url"] for result in answer["results"]]
    svg = client.get("/picture.svg", params={"url": PAPER, "limit": 5})
    assert svg.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(svg.text)
    circles = root.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(circles) == len(drawn["nodes"]) + len(drawn["rings"])
    hubs = client.get(
        "/api/picture", params={"url": PAPER, "view": "hubs", "frame": "narrow"}
    ).json()
    assert {node["kind"] for node in hubs["nodes"]} == {"query", "hub", "authority"}


def test_names_in_a_saved_picture_are_text() -> None:
    script = "<script>alert(1)</script>"
    graph = Graph.from_links(
        [("p", "tea"), ("p", "milk"), ("q", "tea"), ("q", "milk")],
        titles={"tea": script, "milk": '"/><a xlink:href="x">'},
    )
    with serving(graph) as client:
        text = client.get("/picture.svg?url=tea").text
        assert "<script" not in text
        ElementTree.fromstring(text)
