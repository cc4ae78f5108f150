"""A page of a served folder can be opened, and nothing else of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

import whatsrelated as wr
from tests.apps.serve import serving

PAGES = {
    "index.html": "<title>Home</title><link rel=stylesheet href=a.css><a href=sub/tea.html>tea</a>",
    "sub/tea.html": "<title>Tea</title><p><a href=../index.html>home</a><p><a href=gone.html>x</a>",
    "a.css": "p { color: green }",
    "a.js": "alert(1)",
    ".hidden.html": "hidden",
    "notes.sqlite": "data",
}


@pytest.fixture
def graph(tmp_path: Path) -> wr.Graph:
    for name, text in PAGES.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(text)
    (tmp_path / "secret.html").write_text("secret")
    (tmp_path / "site/out.html").symlink_to(tmp_path / "secret.html")
    graph = wr.build([tmp_path / "site"], tmp_path / "site.graph")
    (tmp_path / "site/data.html").symlink_to("notes.sqlite")
    (tmp_path / "site/linked.html").symlink_to(".hidden.html")
    (tmp_path / "site/later.html").write_text("not a page of the graph")
    return graph


def test_the_page_links_to_the_file_and_its_scripts_do_not_run(graph: wr.Graph) -> None:
    with serving(graph) as client:
        page = client.get("/", params={"url": "sub/tea.html"}).text
        assert 'href="files/sub/tea.html"' in page
        file = client.get("/files/sub/tea.html")
        assert file.text == PAGES["sub/tea.html"]
        assert file.headers["content-type"] == "text/html; charset=utf-8"
        assert "script-src 'none'" in file.headers["content-security-policy"]
        assert client.get("/files/a.css").text == PAGES["a.css"]
        assert 'href="files/sub/tea.html"' in client.get("/gaps").text


@pytest.mark.parametrize(
    "path",
    [
        "a.js",
        ".hidden.html",
        "notes.sqlite",
        "out.html",
        "none.html",
        "..%2Fsecret.html",
        "%00.html",
        "data.html",
        "linked.html",
        "later.html",
        "x" * 5000 + ".html",
    ],
)
def test_no_other_file_is_shown(path: str, graph: wr.Graph) -> None:
    with serving(graph) as client:
        assert client.get(f"/files/{path}").status_code == 404


@pytest.mark.parametrize("settings", [{"hosts": "docs.example"}, {"root_path": "/docs"}])
def test_a_server_for_others_shows_no_files(settings: dict[str, str], graph: wr.Graph) -> None:
    with serving(graph, **settings) as client:
        root = settings.get("root_path", "")
        assert client.get(f"{root}/files/index.html").status_code == 404
        assert "files/" not in client.get(f"{root}/", params={"url": "index.html"}).text
        assert client.get(f"{root}/", params={"url": "index.html"}).status_code == 200


def test_pages_open_at_the_published_address_if_one_is_given(graph: wr.Graph) -> None:
    with serving(graph, open_with="https://docs.example/") as client:
        page = client.get("/", params={"url": "sub/tea.html"}).text
        assert 'href="https://docs.example/sub/tea.html"' in page
