"""A published site, opened from a disk in a real browser, and checked file by file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.browser import chromium
from tests.cli.commands import related
from tests.graphs import graph_of
from tests.waiting import PATIENCE
from whatsrelated.api import Graph, build
from whatsrelated.apps.publish import run
from whatsrelated.apps.publish.files import ALLOWED, file_name
from whatsrelated.apps.publish.run import Publication, publish
from whatsrelated.errors import BuildError
from whatsrelated.stream import Page

DRINKS = ["tea", "coffee", "cocoa", "milk", "juice", "water", "cider", "beer"]
SCRIPT = "</script><script>document.title='run'</script>"


def pages() -> Iterator[Page]:
    """Lists of drinks, among them names that need care in files, HTML and scripts."""
    for number in range(12):
        listed = [DRINKS[(number + step) % len(DRINKS)] for step in range(5)]
        links = [f"https://{name}.example/" for name in listed]
        title = f"List {number}"
        yield Page(f"https://lists.example/{number}", [*links, "Käse/Ü?a=1&b"], title=title)
    yield Page("https://tea.example/", ["https://coffee.example/"], title=f"Tea {SCRIPT}")
    yield Page("Käse/Ü?a=1&b", ["https://tea.example/"], title="Käse & Brot")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return build(pages(), tmp_path_factory.mktemp("published") / "drinks.graph")


@pytest.fixture(scope="module")
def site(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of that graph, written by this process."""
    folder = tmp_path_factory.mktemp("published") / "site"
    publish(graph, folder, Publication(name="Drinks"), processes=1)
    return folder


def files(site: Path) -> dict[str, bytes]:
    """Every file of a site by its name."""
    found = (path for path in site.rglob("*") if path.is_file())
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in found}


def test_every_link_of_a_site_leads_to_one_of_its_files(graph: Graph, site: Path) -> None:
    written = files(site)
    assert all(map(ALLOWED.fullmatch, written))
    assert sum(name.startswith("page/") for name in written) == len(graph)
    for name, data in written.items():
        if not name.endswith(".html"):
            continue
        for link in re.findall(r'(?:href|src|action)="([^"]*)"', data.decode()):
            target = unquote(unescape(link)).partition("#")[0].partition("?")[0]
            if target and not target.startswith("https://"):
                assert (site / name).parent.joinpath(target).resolve().is_file(), (name, link)


def test_a_site_is_the_same_with_one_process_and_with_two(
    graph: Graph, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "CHUNK", 4)
    publish(graph, tmp_path / "again", Publication(name="Drinks"), processes=2)
    assert files(tmp_path / "again") == files(site)


def test_names_of_files_are_plain_short_and_different() -> None:
    names = ["Tea", "tea", "https://www.tea.example/", "ü" * 900, "a/../../b", "CON", "-", ""]
    found = [f"page/{file_name(name)}.html" for name in names]
    assert len(set(found)) == len(names)
    assert all(map(ALLOWED.fullmatch, found))


def test_a_graph_with_too_many_pages_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "MAX_PAGES", 3)
    with pytest.raises(BuildError, match=r"has 4 pages, and a site may have 3; use related serve"):
        publish(graph_of("a -> b c d"), tmp_path / "site", Publication())
    assert list(tmp_path.iterdir()) == []


def test_a_site_that_would_be_too_large_leaves_the_earlier_one(
    graph: Graph, site: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    publish(graph_of("a -> b c", "d -> b c"), folder, Publication())
    before = files(folder)
    with pytest.raises(BuildError, match=r"would take about .* GB for 21 pages.*--max-size"):
        publish(graph, folder, Publication(max_bytes=100_000), processes=1)
    assert files(folder) == before


def test_publishing_again_removes_old_pages_and_keeps_other_files(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(graph_of("a -> b c", "d -> b c"), folder, Publication())
    (folder / "CNAME").write_text("drinks.example")
    (folder / "page" / "notes.txt").write_text("mine")
    publish(graph_of("a -> b c", "e -> b c"), folder, Publication())
    found = files(folder)
    assert found["CNAME"] == b"drinks.example"
    assert found["page/notes.txt"] == b"mine"
    assert f"page/{file_name('d')}.html" not in found
    assert f"page/{file_name('e')}.html" in found


def test_the_search_data_and_the_results_match_the_graph(graph: Graph, site: Path) -> None:
    def arguments(name: str, function: str) -> Any:
        text = (site / "data" / name).read_text(encoding="ascii")
        data = text.removeprefix(f"published.{function}(").removesuffix(");\n")
        return json.loads(f"[{data}]")

    (names,) = arguments("pages.js", "pages")
    assert [name[0] for name in names] == [graph.url(page) for page in range(len(graph))]
    number, related = arguments("related-0.js", "related")
    assert number == 0
    tea = graph.page("https://tea.example/")
    found = [names[page][0] for page, _ in related[tea]]
    assert found == [one.url for one in graph.related("https://tea.example/", limit=30)]


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    graph = graph_of("a -> b c")
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BuildError, match=r"not empty \('thesis.tex'\).*choose a new folder"):
        publish(graph, tmp_path, Publication())
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(BuildError, match="not a folder"):
        publish(graph, tmp_path / "link", Publication())
    assert {path.name for path in tmp_path.iterdir()} == {"thesis.tex", "link"}


def test_the_command_publishes_a_graph_of_notes(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for name, text in (("tea", "[[honey]] [[lemon]]"), ("milk", "[[honey]] [[lemon]]")):
        (tmp_path / "notes" / f"{name}.md").write_text(text)
    done = related(
        "publish",
        "notes",
        "-o",
        "site",
        "--limit",
        "3",
        cwd=tmp_path,
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert done.stdout.strip() == str(Path("site", "index.html"))
    assert ">notes</bdi></a>" in (tmp_path / "site" / "index.html").read_text()
    written = [path.name for path in (tmp_path / "site" / "page").iterdir()]
    assert sorted(name.partition("-")[0] for name in written) == ["honey", "lemon", "milk", "tea"]


def test_the_command_rejects_an_invalid_size(tmp_path: Path) -> None:
    done = related("publish", "sample", "-o", "site", "--max-size", "huge", cwd=tmp_path)
    assert done.returncode == 2
    assert "max-size must be a size such as 500M, got 'huge'" in done.stderr


@pytest.mark.needs_system("chromium")
def test_a_site_is_searched_and_explored_from_a_disk(site: Path) -> None:
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda one: wrong.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda one: wrong.append(one.url) if "file:" not in one.url else None)
        page.goto((site / "index.html").as_uri())
        page.locator("#box").press_sequentially("tea.ex")
        page.get_by_role("option", name="tea.example").wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/page/{file_name('https://tea.example/')}.html")
        assert page.locator("h1").inner_text() == f"Related to Tea {SCRIPT}"
        assert page.locator("ol.results > li").count() >= 3
        page.get_by_text("Evidence", exact=True).first.click()
        assert page.locator(".strips").first.is_visible()
        nodes = page.locator(".sheet-of.wide .node")
        nodes.nth(1).click()
        page.locator(".chosen", has_text="related").wait_for()
        page.locator(".tabs").get_by_text("Link to it").click()
        page.wait_for_url("**/in/*.html")
        page.goto(f"{(site / 'index.html').as_uri()}?url=K%C3%A4se/%C3%9C?a=1%26b")
        page.wait_for_url(f"**/page/{file_name('Käse/Ü?a=1&b')}.html")
        page.goto((site / "map.html").as_uri())
        page.locator("#find").fill("list 7")
        page.locator("#matches a").click()
        page.wait_for_url("**/page/lists-example-7-*.html")
        context.close()
        assert wrong == []


@pytest.mark.needs_system("chromium")
def test_a_site_leads_everywhere_without_scripts(site: Path) -> None:
    with chromium() as browser:
        context = browser.new_context(java_script_enabled=False)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto((site / "index.html").as_uri())
        page.get_by_role("button", name="Find related").click()
        page.wait_for_url("**/pages.html*")
        page.get_by_role("link", name="List 7").click()
        assert page.locator("h1").inner_text() == "Related to List 7"
        context.close()
