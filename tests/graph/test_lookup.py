"""A page is found by any of its names; an ambiguous one is never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph, build
from whatsrelated.errors import PageNotFound
from whatsrelated.graph import lookup

NOTES = Graph.from_links(
    [
        ("en/Home", "en/Editing and formatting/Callouts"),
        ("en/Home", "Isaac_Newton"),
        ("en/Home", "Isaac"),
        ("en/Home", "Zebra"),
        ("en/Home", "Zürich"),
        ("en/Home", "library/email.message.html"),
        ("en/Home", "license.html"),
        ("en/Home", "bn/Example"),
        ("en/Home", "git-rebase.html"),
        ("bn/Home", "Zebra"),
        ("en/Home", "https://developer.mozilla.org/"),
        ("en/Home", "https://h.org/Some-Page/"),
    ],
    titles={"license.html": "History and License — Docs", "bn/Example": "Short titles"},
)


def found(text: str, graph: Graph = NOTES) -> str:
    return graph.url(graph.page(text))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Zebra", "Zebra"),
        ("zebra", "Zebra"),
        ("zurich", "Zürich"),
        ("Callouts", "en/Editing and formatting/Callouts"),
        ("editing-and-formatting/callouts", "en/Editing and formatting/Callouts"),
        ("Isaac Newton", "Isaac_Newton"),
        ("isaac", "Isaac"),
        ("email.message", "library/email.message.html"),
        ("git-rebase", "git-rebase.html"),
        ("git rebase", "git-rebase.html"),
        ("library/email.message.html#frag", "library/email.message.html"),
        ("./library/email.message.html", "library/email.message.html"),
        ("https://docs.python.org/3/library/email.message.html", "library/email.message.html"),
        ("short TITLES", "bn/Example"),
        ("newton", "Isaac_Newton"),
        ("formatting editing", "en/Editing and formatting/Callouts"),
        ("h.org/some_page", "https://h.org/Some-Page/"),
    ],
)
def test_a_page_is_found_as_people_call_it(typed: str, name: str) -> None:
    assert found(typed) == name


def test_several_matches_are_listed_by_in_degree_and_not_guessed() -> None:
    graph = graph_of("x -> b/Tea a/Tea", "y -> b/Tea", "z -> c/tea d/tea e/tea f/tea")
    with pytest.raises(PageNotFound, match=r"^tea may be one of several pages: b/Tea, ") as error:
        graph.page("tea")
    assert error.value.candidates == ["b/Tea", "a/Tea", "c/tea", "d/tea", "e/tea"]
    assert ", …; give more of its name." in str(error.value)
    assert found("b/tea", graph) == "b/Tea"


@pytest.mark.parametrize(
    "url",
    [
        "https://developer.mozilla.org/en-US/docs/Web/Array/map",
        "https://example.org/license.html",
        "https://example.org/about/Zebra",
    ],
)
def test_a_url_does_not_match_a_page_with_only_the_same_ending(url: str) -> None:
    with pytest.raises(PageNotFound):
        NOTES.page(url)


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("zebar", "Zebra"),
        ("Isac Newtn", "Isaac_Newton"),
        ("emial.mesage", "library/email.message.html"),
        ("callotus", "en/Editing and formatting/Callouts"),
        ("shrot titels", "bn/Example"),
    ],
)
def test_the_closest_page_is_closest_by_letters(typed: str, nearest: str) -> None:
    with pytest.raises(PageNotFound) as error:
        NOTES.page(typed)
    assert error.value.nearest == nearest
    assert str(error.value).endswith(f"; the nearest is {nearest}.")


def test_a_text_unlike_any_page_has_no_closest_page() -> None:
    with pytest.raises(PageNotFound, match=r"^No page quux in the graph\.$"):
        graph_of("tea -> milk").page("quux")


def test_a_file_of_the_folder_that_was_built_is_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    head = '<link rel="canonical" href="https://docs.example/3/{}">'
    for name, other in (("index.html", "sub/tea.html"), ("sub/tea.html", "../index.html")):
        text = f'{head.format(name)}<p><a href="{other}">x</a>'
        (folder / name).write_text(text, encoding="utf-8")
    graph = build([folder], tmp_path / "g")
    assert found(str(folder / "sub/tea.html"), graph) == "sub/tea.html"
    assert found(str(folder / "index.html"), graph) == "index.html"
    monkeypatch.chdir(tmp_path)
    assert found("site/sub/tea.html", graph) == "sub/tea.html"
    assert found("https://docs.example/3/", graph) == "index.html"
    assert found("https://docs.example/3/sub/tea", graph) == "sub/tea.html"
    with pytest.raises(PageNotFound):
        graph.page("https://other.example/index.html")


def test_without_an_index_the_exact_forms_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "BUILT_AT_ONCE", 0)
    graph = graph_of("https://a.org/x.html -> Zebra")
    assert found("a.org/x", graph) == "https://a.org/x.html"
    with pytest.raises(PageNotFound, match="related pages --index"):
        graph.page("zebra")
    graph.store.lookup.index(build=True)
    assert found("zebra", graph) == "Zebra"


@pytest.mark.parametrize("text", ["", " ", "/", "#", "\0", "\ud800", "%", "a" * 10_000, "../" * 99])
def test_no_text_does_harm(text: str) -> None:
    with pytest.raises(PageNotFound):
        NOTES.page(text)


def test_real_pages_are_found_in_real_graphs(shared: Path, tmp_path: Path) -> None:
    data = shared / "data/wikispeedia"
    graph = build([data / "articles.tsv", data / "links.tsv.gz"], tmp_path / "w", urls="keep")
    assert found("zebra", graph) == "Zebra"
    assert found("Isaac Newton", graph) == "Isaac_Newton"
    assert found("aland", graph) == "Åland"
    with pytest.raises(PageNotFound) as error:
        graph.page("Isac Newtn")
    assert error.value.nearest == "Isaac_Newton"


def test_notes_of_a_real_vault_are_found(shared: Path, tmp_path: Path) -> None:
    archive = shared / "data/obsidian_help/obsidian_help_en_markdown.tar.zst"
    graph = build([archive], tmp_path / "notes.graph")
    assert found("Callouts", graph).endswith("Editing and formatting/Callouts")
    assert found("internal links", graph).endswith("Internal links")


@pytest.mark.needs_system("python3-doc")
def test_pages_of_a_real_manual_are_found(tmp_path: Path) -> None:
    root = Path("/usr/share/doc/python3-doc/html")
    graph = build([root], tmp_path / "docs.graph", workers=2)
    page = "library/email.message.html"
    for typed in (
        "email.message",
        "library/email.message.html#email.message.EmailMessage",
        "./library/email.message.html",
        str(root / page),
        f"https://docs.python.org/3/{page}",
        "Library/Email.Message",
    ):
        assert found(typed, graph) == page, typed
    with pytest.raises(PageNotFound):
        found("https://developer.mozilla.org/en-US/docs/Web/JavaScript/Array/map", graph)


def test_a_look_up_in_a_vault_prefers_its_own_notes(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Graph view.md").write_text("[one](https://x.org/graph)")
    (tmp_path / "vault" / "Home.md").write_text("[[Graph view]] [two](https://x.org/zebra)")
    graph = build(tmp_path / "vault", tmp_path / "g")
    assert found("graph", graph) == "Graph view"
    assert found("zebra", graph) == "https://x.org/zebra"
    assert found("https://x.org/graph", graph) == "https://x.org/graph"
