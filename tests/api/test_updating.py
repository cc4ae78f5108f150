"""Updating a graph on disk from Python, with the options it was built with."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.hostile.graphs import sign
from whatsrelated.stream import Page

PAGES = [
    Page("https://tea.example/", ["https://tea.example/green", "https://cups.example/"]),
    Page("https://tea.example/green", ["https://tea.example/"], title="Green tea"),
    Page("https://cups.example/", ["https://tea.example/"]),
]
KILLS = int(os.environ.get("RELATED_KILLS", "8"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    wr.build(PAGES, tmp_path / "web.graph")
    return tmp_path / "web.graph"


def urls(graph: wr.Graph) -> list[str]:
    return [graph.url(page) for page in range(len(graph))]


def test_a_page_is_replaced_with_all_its_links(path: Path) -> None:
    graph = wr.update(path, [Page("https://tea.example/green", ["https://pots.example/"])])
    page = graph.page("https://tea.example/green")
    assert [graph.url(link) for link in graph.links_from(page)] == ["https://pots.example/"]
    assert graph.title(page) is None
    assert urls(wr.open(path)) == urls(graph)


def test_pages_are_deleted_by_any_form_of_their_name_and_by_pattern(path: Path) -> None:
    unknown: list[str] = []
    graph = wr.update(
        path, delete=["cups.example", "*/green", "nowhere", "*.nowhere/*"], unknown=unknown
    )
    assert urls(graph) == [
        "https://cups.example/",
        "https://tea.example/",
        "https://tea.example/green",
    ]
    assert graph.n_links == 2
    assert unknown == ["nowhere", "*.nowhere/*"]
    graph = wr.update(path, delete="https://tea.example/")
    assert urls(graph) == ["https://cups.example/", "https://tea.example/green"]
    assert urls(wr.update(path, delete="*")) == []


def test_pages_missing_from_the_sources_can_be_deleted(path: Path) -> None:
    kept = [page for page in PAGES if "cups" not in page.url]
    assert len(wr.update(path, kept)) == 3
    graph = wr.update(path, kept, missing="delete")
    assert not graph.store.is_read([graph.page("https://cups.example/")])[0]
    assert graph.n_links == 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"missing": "delete"}, "needs a source"),
        ({"missing": "burn"}, "missing must be one of keep, delete, got 'burn'"),
    ],
)
def test_an_update_that_would_empty_a_graph_is_rejected(
    path: Path, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(wr.OptionError, match=sentence):
        wr.update(path, **options)  # type: ignore[arg-type]


def test_names_and_pages_are_read_with_the_options_of_the_build(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.html").write_text("<title>A</title><a href=b.html>b</a>")
    (site / "b.html").write_text("<title>B</title><a href=a.html>a</a>")
    graph = wr.build(
        [site], tmp_path / "web.graph", base_url="http://x.example/", merge_scheme=True
    )
    (site / "b.html").write_text("<title>B</title><a href=a.html>a</a><a href=c.html>c</a>")
    (site / "c.html").write_text("<title>C</title><a href=a.html>a</a>")
    graph = wr.update(tmp_path / "web.graph", [site])
    assert urls(graph) == [f"https://x.example/{name}.html" for name in "abc"]
    again = wr.build(
        [site], tmp_path / "again.graph", base_url="http://x.example/", merge_scheme=True
    )
    assert graph.store.fingerprint == again.store.fingerprint


def test_a_graph_built_with_former_names_of_options_can_be_updated(tmp_path: Path) -> None:
    source, path = tmp_path / "sites.gml", tmp_path / "web.graph"
    node = 'node [ id {0} label "s{0}.org" at "h{0}.org" ]'
    source.write_text(f"graph [ {node.format(0)} {node.format(1)} edge [ source 0 target 1 ] ]")
    graph = wr.build(source, path, node_name="at", hosts_as_urls=True)
    assert urls(graph) == ["http://h0.org/", "http://h1.org/"]
    manifest = graph.store.manifest
    assert manifest["built"].pop("hosts_as_urls") is True
    assert manifest["built"]["options"] == {"node_name": "at"}
    manifest["built"] |= {"names": "host", "options": {"name_from": "at"}}
    sign(path, manifest)
    more = f"target 1 ] {node.format(2)} edge [ source 1 target 2 ]"
    source.write_text(source.read_text().replace("target 1 ]", more))
    assert urls(wr.update(path, source)) == [f"http://h{i}.org/" for i in range(3)]
    assert "http://s0.org/" in urls(wr.update(path, source, node_name="label"))


def test_the_requested_number_of_older_generations_is_kept(path: Path) -> None:
    wr.update(path, [Page("a", ["b"])], keep=2)
    wr.update(path, [Page("c", ["b"])])
    graph = wr.update(path, [Page("d", ["b"])])
    assert graph.store.generation == 4
    older = wr.open(path, generation=3)
    assert "d" not in urls(older)
    assert "c" in urls(older)
    with pytest.raises(wr.GraphFormatError, match="has no generation 1; it has 3, 4"):
        wr.open(path, generation=1)
    wr.update(path, delete="d", keep=1)
    with pytest.raises(wr.GraphFormatError, match="it has 5"):
        wr.open(path, generation=4)


def test_a_kill_at_any_moment_leaves_the_old_graph_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    pages = [Page(f"p{i}", [f"p{(i * 7 + j) % 900}" for j in range(9)]) for i in range(900)]
    known = {wr.build(pages, path).store.fingerprint}
    changed = [Page(f"p{i}", ["new", "p1"]) for i in range(0, 900, 3)]
    known.add(wr.update(path, changed).store.fingerprint)
    known.add(wr.update(path, pages).store.fingerprint)
    script = (
        "import sys, whatsrelated as wr; from whatsrelated.stream import Page\n"
        "wr.open(sys.argv[1]); print('ready', flush=True)\n"
        "kinds = [Page(f'p{i}', ['new', 'p1']) for i in range(0, 900, 3)], "
        "[Page(f'p{i}', [f'p{(i * 7 + j) % 900}' for j in range(9)]) for i in range(900)]\n"
        "for turn in range(10**6): wr.update(sys.argv[1], kinds[turn % 2])\n"
    )
    draw = random.Random(7)
    for _ in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        with process.stdout:
            assert process.stdout.readline() == "ready\n"
            time.sleep(draw.random() * 0.3)
            process.kill()
            process.wait()
        graph = wr.open(path, verify="full")
        assert graph.store.fingerprint in known
        assert graph.store.check() is None
    wr.update(path, [Page("p1", ["p2"])])
    assert sorted(entry.name for entry in path.iterdir() if entry.is_dir()) == [
        f"generation-{wr.open(path).store.generation:06}"
    ]


def test_ranks_start_from_those_before_the_update(tmp_path: Path) -> None:
    path = tmp_path / "web.graph"
    chance = random.Random(5)
    pages = [Page(f"p{i}", [f"p{chance.randrange(600)}" for _ in range(6)]) for i in range(600)]
    graph = wr.build(pages, path)
    rounds = graph.rank("pagerank", tolerance=1e-6).rounds
    graph = wr.update(path, [Page("p1", ["p2", "new"])])
    ranking = graph.rank("pagerank", tolerance=1e-6)
    fresh = wr.build(
        [*(page for page in pages if page.url != "p1"), Page("p1", ["p2", "new"])],
        tmp_path / "fresh.graph",
    ).rank("pagerank", tolerance=1e-6)
    assert ranking.rounds < rounds
    assert abs(ranking.scores - fresh.scores).sum() < 1e-5
    assert wr.open(path).rank("pagerank", tolerance=1e-6).rounds == ranking.rounds
