"""The page in a real browser: typed into, clicked through, without JavaScript, narrow and dark."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from importlib import resources
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree

import httpx
import pytest

from tests.apps.serve import PAPER, Client, serving
from tests.browser import chromium
from tests.waiting import PATIENCE
from whatsrelated.api import Graph, build
from whatsrelated.stream import Page

pytestmark = pytest.mark.needs_system("chromium")

SCRIPT = "<script>document.title='run'</script>"
HOSTILE = [
    ("https://a.example/<b>\"'&", "javascript:document.title='run'//"),
    ("https://a.example/<b>\"'&", SCRIPT),
    ("https://a.example/<b>\"'&", "tea"),
    ("{{ 7919 * 7907 }}", SCRIPT),
    ("{{ 7919 * 7907 }}", "tea"),
    ("{{ 7919 * 7907 }}", "https://b.example/"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


class Visit:
    """A page in the browser, and every error on it."""

    def __init__(self, browser: Any, base: str, **more: Any) -> None:
        self.context = browser.new_context(base_url=base, **more)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.base = base
        self.wrong: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._requested)
        self.page.on("dialog", lambda dialog: self.wrong.append(dialog.message))

    def _said(self, message: Any) -> None:
        readback = "getImageData" in message.text  # this test's own
        if message.type in ("error", "warning") and "404" not in message.text and not readback:
            self.wrong.append(message.text)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith(self.base):
            self.wrong.append(f"{request.url} was asked for")

    def close(self) -> None:
        self.context.close()
        assert self.wrong == []

    @property
    def fields(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.page.url).query)

    def titles(self) -> list[str]:
        found: list[str] = self.page.locator("ol.results > li h2").all_inner_texts()
        return found


def see(page: Any, place: str, text: str) -> None:
    """Wait until this text is there."""
    page.locator(place, has_text=text).first.wait_for()


@pytest.fixture
def visit(browser: Any, client: Client) -> Iterator[Visit]:
    visit = Visit(browser, str(client.base_url))
    yield visit
    visit.close()


def test_a_page_is_found_by_typing_a_part_of_its_title_and_back_leads_back(visit: Visit) -> None:
    page = visit.page
    page.goto("/")
    page.locator("#box").press_sequentially("york tim")
    page.locator("#suggestions[data-typed='york tim']").wait_for()
    assert page.get_by_role("option", name="The New York Times").first.is_visible()
    assert page.locator("#box").get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/?url=*")
    assert visit.fields == {"url": [PAPER]}, "empty fields say nothing"
    assert page.locator("h1").inner_text() == "Related to The New York Times"
    first = visit.titles()[0]
    page.get_by_role("link", name=first, exact=True).click()
    see(page, "h1", first)
    page.go_back()
    assert page.locator("h1").inner_text() == "Related to The New York Times"


def test_reasons_are_sentences_and_unfold_into_pictures_and_lists(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&limit=3")
    assert len(visit.titles()) == 3
    first = page.locator("ol.results > li").first
    told = first.locator(".why")
    assert told.inner_text().startswith(
        "26 of the 34 pages that link to The New York Times also link to The Washington Post, "
        "often side by side, for example Xaver sammelt Links."
    )
    strips = first.locator(".strips li svg")
    assert not strips.first.is_visible()
    first.get_by_label("Evidence for The Washington Post").click()
    assert strips.count() == 5
    assert "side by side, of 14 links" in first.inner_text()
    marks = [strips.first.locator(f".{mark}").get_attribute("x") for mark in ("one", "two")]
    assert [round(float(mark) * 14 / 100) for mark in marks] == [11, 10], "where the links stand"
    first.get_by_text("Data", exact=True).click()
    assert first.get_by_text("raw score").is_visible()
    told.get_by_role("link", name="Xaver sammelt Links").click()
    assert visit.fields == {"url": ["https://xaver.example/"], "limit": ["3"]}


def test_strengths_have_words_and_a_slider_hides_the_weak_ones(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&limit=5")
    words = page.locator(".score .word")
    assert words.all_inner_texts() == ["likely", "likely", "possible", "possible", "possible"]
    page.locator("#cut").fill("0.2")
    page.wait_for_url("**min_strength=0.2**")
    assert words.all_inner_texts() == ["likely", "likely"]
    assert page.locator("#cut").input_value() == "0.2"
    assert page.locator("output").inner_text() == "20%"


def test_methods_are_compared_in_one_table(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&by=cocitation")
    page.get_by_text("How: cocitation").click()
    page.get_by_role("checkbox", name="Compare with companion").check()
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**with=companion**")
    table = page.get_by_role("table", name="The position of each page")
    heads = table.get_by_role("columnheader").all_inner_texts()
    assert heads == ["page", "cocitation", "companion"]
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
    shared = [row for row in rows if "–" not in row]
    assert rows[0] in shared
    agreement = page.get_by_role("table", name="How well the methods agree")
    said = agreement.locator("tbody tr").inner_text()
    assert said.startswith(f"cocitation and companion\t{len(shared)} of 10\t")
    page.set_viewport_size({"width": 390, "height": 780})
    assert table.locator("tbody tr").first.locator("td").first.inner_text() == "cocitation 1"


def test_a_method_is_chosen_behind_one_control_and_forgets_the_others_options(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&by=cocitation&enough=3")
    page.get_by_text("How: cocitation (1 set)").click()
    page.get_by_role("radio", name="companion").check()
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**by=companion**")
    assert page.locator("summary", has_text="How: companion").count() == 1
    assert page.locator("summary", has_text="set)").count() == 0


def test_the_picture_draws_the_answer_and_is_tied_to_the_list(visit: Visit) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/?url={PAPER}")
    picture = page.get_by_role("group", name="The page in the middle")
    nodes = picture.locator("a.node.result")
    assert [nodes.nth(i).get_attribute("data-place") for i in range(10)] == [
        str(place) for place in range(1, 11)
    ]
    boxes = [label.bounding_box() for label in picture.locator(".label:not(:empty)").all()]
    assert len(boxes) == 11
    for one, two in combinations(boxes, 2):
        apart = one["x"] + one["width"] <= two["x"] or two["x"] + two["width"] <= one["x"]
        apart = apart or one["y"] + one["height"] <= two["y"] + 2
        assert apart or two["y"] + two["height"] <= one["y"] + 2, (one, two)
    third = page.locator("ol.results > li").nth(2)
    nodes.nth(2).focus()
    assert "lit" in third.get_attribute("class")
    third.get_by_role("link").first.focus()
    assert "lit" in nodes.nth(2).get_attribute("class")
    assert page.locator(".picture .edge.lit").count() > 0
    page.get_by_role("button", name="Zoom in").click()
    assert picture.get_attribute("viewBox").split()[2] == "576"
    page.get_by_role("button", name="Reset").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG").click()
    assert saved.value.suggested_filename == "related.png"
    with page.expect_download() as saved:
        page.get_by_role("link", name="SVG").click()
    assert saved.value.suggested_filename == "related.svg"
    name = third.locator("h2").inner_text()
    picture.get_by_role("link", name=f"3. {name}").press("Enter")
    page.locator(".chosen").get_by_role("link", name="Show its related pages").click()
    see(page, "h1", name)
    page.get_by_role("link", name="Hubs and authorities").click()
    assert page.get_by_role("group", name="Hubs on the left").locator("a.node.hub").count() > 5
    page.set_viewport_size({"width": 390, "height": 780})
    columns = page.get_by_role("group", name="Hubs on the left")
    frame = columns.bounding_box()
    for label in columns.locator(".label:not(:empty)").all():
        box = label.bounding_box()
        assert box["x"] >= frame["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]
    assert visit.fields["view"] == ["hubs"]


def test_the_map_is_enlarged_shows_names_and_is_saved(visit: Visit) -> None:
    page = visit.page
    page.goto("/map")
    drawn = page.locator(".maps .map")
    whole = drawn.get_attribute("viewBox").split()
    assert drawn.locator(".names text").count() == 0
    drawn.focus()
    for _ in range(6):
        page.keyboard.press("+")
    drawn.locator(".names text").first.wait_for()
    part = drawn.get_attribute("viewBox").split()
    assert float(part[2]) < float(whole[2]) / 3
    page.keyboard.press("ArrowRight")
    assert float(drawn.get_attribute("viewBox").split()[0]) > float(part[0])
    page.get_by_role("button", name="Reset").click()
    assert drawn.get_attribute("viewBox").split() == whole
    tools = page.locator(".picture-files")
    with page.expect_download() as saved:
        tools.get_by_role("button", name="JSON").click()
    pages = json.loads(Path(saved.value.path()).read_text())
    assert len(pages) == drawn.locator(".dot").count()
    assert {"page", "cluster", "x", "y"} == set(pages[0])
    with page.expect_download() as saved:
        tools.get_by_role("button", name="SVG").click()
    assert saved.value.suggested_filename == "map.svg"
    ElementTree.parse(saved.value.path())


POSITION = (
    """node => { const at = node.transform.baseVal.getItem(0).matrix; return [at.e, at.f]; }"""
)


def test_a_click_adds_the_related_pages_of_a_result_and_a_second_removes_them(
    visit: Visit,
) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/?url={PAPER}")
    fourth = page.locator(".sheet-of.wide .node[data-place='4']")
    before = page.locator(".sheet-of.wide .edge").count()
    fourth.click()
    see(page, ".chosen", "6 related pages added")
    added = page.locator(".sheet-of.wide .node.child")
    assert added.count() == 6
    middle = fourth.evaluate(POSITION)
    away = [
        hypot(x - middle[0], y - middle[1])
        for x, y in added.evaluate_all(f"all => all.map({POSITION})")
    ]
    assert away == sorted(away), "stronger is nearer here, too"
    frame = page.locator(".sheet-of.wide svg").bounding_box()
    boxes = page.locator(".sheet-of.wide .node:not(.crowded) .label:not(:empty)")
    for box in [label.bounding_box() for label in boxes.all()]:
        assert box["x"] >= frame["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    fourth.click()
    added.first.wait_for(state="detached")
    assert page.locator(".sheet-of.wide .edge").count() == before


def test_a_dragged_page_keeps_its_distance_from_the_middle(visit: Visit) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/?url={PAPER}")
    second = page.locator(".sheet-of.wide .node[data-place='2']")
    before = second.evaluate(POSITION)
    box = second.locator("circle").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 160, steps=6)
    other = page.locator(".sheet-of.wide .node[data-place='10']")
    there = other.locator("circle").bounding_box()
    page.mouse.move(there["x"] + 5, there["y"] + 5)
    assert page.locator(".results > li.lit").count() == 0, "it is dragged over others, not at them"
    page.mouse.move(box["x"] - 60, box["y"] + 160)
    page.mouse.up()
    after = second.evaluate(POSITION)
    assert hypot(after[0] - before[0], after[1] - before[1]) > 50
    near, far = (hypot(x - 360, y - 310) for x, y in (before, after))
    assert near == pytest.approx(far, abs=0.1)
    assert page.locator(".node.child").count() == 0, "dragging is not a click"


def test_a_missing_link_is_dismissed_in_place_and_stays_so(visit: Visit) -> None:
    page = visit.page
    page.goto("/gaps")
    assert page.locator(".tiles a").count() > 3
    assert page.locator("figure .map .cluster").count() > 3
    first = page.locator("li[data-source]").first
    line = "\t".join(first.get_attribute(f"data-{end}") for end in ("source", "target"))
    first.get_by_role("button", name="Dismiss").click()
    assert not first.is_visible()
    page.reload()
    assert not first.is_visible()
    assert page.get_by_label("Dismissed links").input_value() == line
    page.get_by_role("button", name="show them again").click()
    assert first.is_visible()


def test_several_pages_are_chips_and_have_common_neighbours(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}")
    page.get_by_role("link", name="Add another page").click()
    page.locator("#box").fill("www.wsj.com")
    page.keyboard.press("Enter")
    page.wait_for_url("**wsj**")
    assert page.get_by_role("list", name="Related to all of").get_by_role("listitem").count() == 2
    page.get_by_role("link", name="Link to most of these").click()
    assert len(visit.titles()) == 25
    page.get_by_role("link", name="Remove www.wsj.com").click()
    assert visit.fields["url"] == [PAPER]
    page.get_by_role("link", name="It links to 6").click()
    assert len(visit.titles()) == 6


def test_the_page_works_under_a_path(browser: Any, graph: Graph) -> None:
    with serving(graph, root_path="/tools/related") as client:
        assert client.get("/tools/related").headers["location"] == "/tools/related/"
        assert client.get("/openapi.json").json()["servers"] == [{"url": "/tools/related"}]
        visit = Visit(browser, str(client.base_url))
        page = visit.page
        page.goto("/tools/related/")
        page.locator("#box").press_sequentially("york tim")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url("**/tools/related/?url=*")
        assert len(visit.titles()) == 10
        for link in ("Ranks", "API"):
            page.get_by_role("link", name=link).click()
            page.wait_for_url(f"**/tools/related/{link.lower()}")
        visit.close()


def test_a_browser_at_an_unknown_path_gets_a_page_and_a_program_gets_json(client: Client) -> None:
    page = client.get("/nothing", headers={"accept": "text/html,*/*"})
    assert page.status_code == 404
    assert "<h1>Nothing is at this address</h1>" in page.text
    assert 'name="url"' in page.text, "one can search from there"
    for answer in (
        client.get("/nothing"),
        client.get("/api/nothing", headers={"accept": "text/html"}),
    ):
        assert answer.json()["error"]["status"] == 404


def test_pages_that_were_not_read_do_not_count_for_the_map() -> None:
    pages = [
        Page("tea", ["milk", "cup", *(f"https://{n}.example/" for n in range(20_000))]),
        Page("milk", ["tea", "cup"]),
        Page("cup", ["tea"]),
    ]
    with serving(Graph.from_pages(pages)) as client:
        assert '<a href="map">Map</a>' in client.get("/").text
        assert client.get("/map").text.count('<circle class="dot') == 3


def test_a_page_shows_its_graph_and_when_it_was_built(tmp_path: Path) -> None:
    build([Page("https://a.org/", ["https://b.org/", "https://c.org/"])], tmp_path / "my.graph")
    with serving(tmp_path / "my.graph") as client:
        for path in ("/", "/?url=b.org", "/graph"):
            foot = client.get(path).text.partition("<footer>")[2]
            assert re.search(r">my\.graph</bdi></a>, built 2\d\d\d-\d\d-\d\d \d\d:\d\d UTC", foot)


def test_the_first_page_offers_pages_with_strong_answers(client: Client) -> None:
    start = client.get("/").text.partition('class="examples"')[2].partition("</p>")[0]
    offered = re.findall(r"url=([^\"]+)", start)
    assert 3 <= len(offered) <= 6
    assert len({address.split("%2F")[2] for address in offered}) == len(offered), "different hosts"
    assert not [address for address in offered if "counter" in address or "webatlas" in address]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(browser: Any, client: Client, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visit = Visit(browser, str(client.base_url), color_scheme=scheme)
    found = {}
    for path in ("/", *ANSWERS, "/graph", "/map", "/pages", "/ranks", "/gaps"):
        visit.page.goto(path)
        for summary in visit.page.locator("main details:not(details details) > summary").all()[:2]:
            summary.click()
        answer = Axe().run(visit.page)
        if answer.violations_count:
            found[path] = answer.generate_report()
    visit.close()
    assert found == {}


def test_all_can_be_done_by_keyboard(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "box"
    page.keyboard.type("wall street")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Escape")
    assert not page.locator("#suggestions").is_visible()
    page.keyboard.press("ArrowDown")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    see(page, "h1", "Wall Street Journal")
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('input:not([type=hidden]), select, button')]"
        ".filter(e => !(e.labels && e.labels.length) && !e.textContent.trim()"
        " && !e.getAttribute('aria-label')).map(e => e.outerHTML)"
    )
    assert unnamed == []


def test_search_and_results_need_no_javascript(browser: Any, client: Client) -> None:
    visit = Visit(browser, str(client.base_url), java_script_enabled=False)
    page = visit.page
    page.goto("/")
    page.locator("#box").fill("nytimes.com")
    page.get_by_role("button", name="Find related").click()
    assert page.locator("h1").inner_text() == "Related to The New York Times"
    assert len(visit.titles()) == 10
    page.locator("details.evidence > summary").first.click()
    assert page.locator(".strips").first.is_visible()
    assert page.locator(".sheet-of.wide a.node.result").count() == 10, "the picture is there too"
    page.locator("#box").fill("no such newspaper")
    page.get_by_role("button", name="Find related").click()
    assert "No page" in page.locator("h1").inner_text()
    visit.close()


ANSWERS = (
    f"/?url={PAPER}",
    f"/?url={PAPER}&view=hubs",
    f"/?url={PAPER}&with=lli",
    f"/?url={PAPER}&url=https://www.wsj.com/",
    f"/?url={PAPER}&show=in",
)
PATHS = ("/", *ANSWERS, "/graph", "/map", "/pages", "/ranks?by=hits", "/api", "/?url=nowhere")


def test_the_bookmarklet_goes_to_the_answer_for_the_page_it_is_used_on(
    browser: Any, client: Client
) -> None:
    page = browser.new_page()
    page.goto(str(client.base_url))
    bookmark = page.get_by_role("link", name="What’s Related").nth(1)
    code = unquote(bookmark.get_attribute("href").removeprefix("javascript:"))
    assert "fetch" not in code
    page.route(f"{PAPER}**", lambda route: route.fulfill(body="A newspaper."))
    page.goto(f"{PAPER}#a&b")
    page.evaluate(code)
    page.wait_for_url(f"{client.base_url}**")
    assert parse_qs(urlsplit(page.url).query)["url"] == [f"{PAPER}#a&b"]
    page.get_by_text("The Washington Post").first.wait_for()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_shows_all_of_it_in_light_and_dark(
    browser: Any, client: Client, scheme: str
) -> None:
    size = {"width": 360, "height": 740}
    visit = Visit(browser, str(client.base_url), viewport=size, color_scheme=scheme)
    for path in PATHS:
        visit.page.goto(path)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360, path
        ground = visit.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        brightness = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
        assert (brightness < 60) == (scheme == "dark")
    visit.close()


def test_untrusted_names_and_titles_are_shown_as_text(browser: Any) -> None:
    graph = Graph.from_links(
        HOSTILE,
        titles={"tea": SCRIPT, "https://a.example/<b>\"'&": "</title>" + SCRIPT},
        urls="keep",
    )
    with serving(graph) as client:
        visit = Visit(browser, str(client.base_url))
        page = visit.page
        for path in (
            "/",
            "/?url=tea&view=hubs",
            "/map",
            "/pages",
            "/ranks",
            f"/?url={SCRIPT}",
            f"/?url=x{SCRIPT}",
        ):
            page.goto(path)
            page.wait_for_timeout(200)
            assert page.title() != "run"
            assert page.locator("main script:not([src])").count() == 0
            assert page.locator("b").count() == 0
        page.goto("/?url=tea")
        assert str(7919 * 7907) not in page.locator("main").inner_text()
        assert any("javascript:" in title for title in visit.titles())
        links = page.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        assert not [link for link in links if link.lower().startswith(("javascript:", "data:"))]
        outward = page.locator("a[href*='://']")
        assert outward.count() > 0
        for link in outward.all():
            assert {"noopener", "noreferrer"} <= set((link.get_attribute("rel") or "").split())
        page.locator("#box").fill("tea")
        page.get_by_role("option").first.wait_for()
        visit.close()


@pytest.mark.parametrize("path", ["/", f"/?url={PAPER}"])
def test_a_page_is_light_with_all_that_it_needs(client: Client, path: str) -> None:
    sent = 0
    text = client.get(path).text
    addresses = re.findall(r'(?:src|href)="(static/[^"]+)"', text)
    for each in [path, *(f"/{address}" for address in dict.fromkeys(addresses))]:
        with client.stream("GET", each) as answer:
            assert answer.status_code == 200
            sent += len(b"".join(answer.iter_raw()))
    assert sent < 60_000
    assert len(addresses) >= 3


def stylesheet(scheme: str) -> str:
    text = (resources.files("whatsrelated.contract") / "static" / "design.css").read_text()
    light, _, rest = text.partition("@media (prefers-color-scheme: dark)")
    return light if scheme == "light" else rest.partition("}")[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    color = dict(re.findall(r"--(\w+): (#\w{6})", stylesheet(scheme)))

    def light(name: str) -> float:
        parts = [int(color[name][place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for ground in ("ground", "sheet", "rail"):
        for text in ("ink", "soft", "link", "accent"):
            dark, bright = sorted((light(ground), light(text)))
            assert (bright + 0.05) / (dark + 0.05) >= 4.5, (text, ground)


def test_wrong_fields_of_the_page_are_reported_on_a_page(client: Client) -> None:
    for query, says in (("by=magic", "No method"), (f"url={PAPER}&limit=0", "limit must be")):
        answer = client.get(f"/?{query}")
        assert answer.status_code == 400
        assert answer.headers["content-type"].startswith("text/html")
        assert says in answer.text


def test_every_heading_is_in_order(client: Client) -> None:
    for path in PATHS:
        answer: httpx.Response = client.get(path)
        levels = [int(level) for level in re.findall(r"<h(\d)", answer.text)]
        assert levels[0] == 1
        assert all(b <= a + 1 for a, b in pairwise(levels)), path


def test_the_slider_is_a_form_field_without_scripts_and_only_there_for_strengths(
    client: Client,
) -> None:
    shown = client.get("/", params={"url": PAPER, "min_strength": "likely"}).text
    assert 'name="min_strength" type="range" min="0" max="0.8" step="0.05" value="0.2"' in shown
    assert shown.count('class="word">likely') == 2
    assert "possible</span>" not in shown
    assert 'id="cut"' not in client.get("/", params={"url": PAPER, "by": "companion"}).text
    none = client.get("/", params={"url": PAPER, "min_strength": "0.9"}).text
    assert "below min_strength 0.9" in none
    assert client.get("/", params={"url": PAPER, "min_strength": "2"}).status_code == 400


def test_the_page_shows_what_each_part_of_a_blend_gave(client: Client) -> None:
    text = client.get("/", params={"url": PAPER, "by": "blend", "limit": 1}).text
    part = client.get("/api/related", params={"url": PAPER, "by": "blend", "limit": 1, "why": 1})
    shares = [one["share"] for one in part.json()["results"][0]["evidence"]["parts"]]
    assert len(shares) == 3
    for share in shares:
        assert f">{100 * share:.0f}% of the strength" in text


def test_the_list_and_the_rank_that_are_shown_are_marked_for_readers_of_screens(
    client: Client,
) -> None:
    for path in (f"/?url={PAPER}", f"/?url={PAPER}&show=in", "/ranks"):
        marks = re.findall(r" aria-current=([^ >]+)", client.get(path).text)
        assert marks, path
        assert set(marks) == {"page"}, path


def test_a_long_name_breaks_after_its_slashes() -> None:
    pages = [Page(hub, ["tea", "https://x.org/a/long/path.html"]) for hub in ("a", "b")]
    with serving(Graph.from_pages(pages)) as client:
        shown = client.get("/?url=tea&by=cocitation").text
    assert "<bdi>x.org/<wbr>a/<wbr>long/<wbr>path.html</bdi>" in shown


def test_every_example_of_the_api_page_works(client: Client) -> None:
    check_examples(client)


def test_the_examples_of_the_api_page_work_on_a_graph_of_two_notes() -> None:
    with serving(Graph.from_links([("Tea", "Coffee"), ("Coffee", "Tea")])) as client:
        check_examples(client)


def check_examples(client: Client) -> None:
    """Every path has an example that is answered."""
    text = client.get("/api").text
    examples = re.findall(r'For example <a href="([^"]+)">', text)
    shown = {unescape(example).partition("?")[0] for example in examples}
    paths = client.get("/openapi.json").json()["paths"]
    assert shown == {
        path.removeprefix("/") for path in paths if "get" in paths[path] and "{" not in path
    }
    for example in examples:
        answer = client.get("/" + unescape(example))
        assert answer.status_code == 200, (example, answer.text)
        assert answer.content


def saved(visit: Visit, scope: str, kind: str) -> str:
    """The file that a button saves."""
    with visit.page.expect_download() as download:
        visit.page.locator(scope).get_by_role("button", name=kind, exact=True).click()
    return Path(download.value.path()).read_bytes().decode()


def test_a_table_sorts_filters_and_is_saved_as_it_is_shown(visit: Visit) -> None:
    page = visit.page
    page.goto("/pages")
    links = page.locator("#pages tbody tr:not(.filtered) td:nth-child(2)")
    page.get_by_role("button", name="links to it").click()
    assert links.first.inner_text() == "7"
    page.get_by_role("button", name="links to it").click()
    assert page.locator("#pages th[aria-sort=descending]").inner_text().startswith("links to it")
    assert links.first.inner_text() == "83"
    page.get_by_label("Filter the rows").fill("nytimes york")
    assert page.locator("#pages tbody tr:not(.filtered) th a").all_inner_texts() == [
        "The New York Times"
    ]
    csv = "url,links to it,links from it\r\nhttps://www.nytimes.com/,34,6\r\n"
    assert saved(visit, ".lead", "CSV") == csv
    row = {"url": "https://www.nytimes.com/", "links to it": 34, "links from it": 6}
    assert json.loads(saved(visit, ".lead", "JSON")) == [row]


def test_an_answer_is_saved_with_its_reasons(visit: Visit) -> None:
    visit.page.goto(f"/?url={PAPER}&limit=2")
    rows = json.loads(saved(visit, ".list", "JSON"))
    assert [row["place"] for row in rows] == [1, 2]
    assert rows[0]["url"] == "https://www.washingtonpost.com/"
    assert rows[0]["why"].startswith("26 of the 34 pages")


def test_the_map_is_searched_by_words(visit: Visit) -> None:
    page = visit.page
    page.goto("/map")
    page.get_by_label("Find on the map").fill("york times")
    page.locator("#matches a", has_text="The New York Times").first.wait_for()
    assert page.locator(".map .dot.lit").count() == page.locator("#matches a").count() > 0
    page.locator("#matches a", has_text="nytimes.com").first.click()
    see(page, "h1", "The New York Times")


def test_no_note_repeats_which_page_a_name_stands_for(client: Client) -> None:
    assert "Using https" not in client.get("/?url=www.nytimes.com").text
    assert "is not in the graph; using" in client.get("/?url=www.nytimes.com/no/page").text
