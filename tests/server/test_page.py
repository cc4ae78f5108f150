"""The page in a real browser: typed into, clicked through, without JavaScript, narrow and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.browser import chromium
from tests.server import PAPER, PATIENCE, Client, serving
from whatsrelated.api import Graph
from whatsrelated.query.request import DEFAULT_METHOD

pytestmark = pytest.mark.needs_system("chromium")

SCRIPT = "<script>document.title='run'</script>"
HOSTILE = [
    ("https://a.example/<b>\"'&", "javascript:document.title='run'//"),
    ("https://a.example/<b>\"'&", SCRIPT),
    ("https://a.example/<b>\"'&", "tea"),
    ("{{ 7 * 7 }}", SCRIPT),
    ("{{ 7 * 7 }}", "tea"),
    ("{{ 7 * 7 }}", "https://b.example/"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


class Visit:
    """A page of the browser, and all that went wrong on it."""

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

    def titles(self, column: int = 0) -> list[str]:
        lists = self.page.locator("ol.results").nth(column)
        found: list[str] = lists.locator("h3").all_inner_texts()
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
    page.keyboard.type("york tim")
    page.locator("#suggestions[data-typed='york tim']").wait_for()
    assert page.get_by_role("option", name="The New York Times").first.is_visible()
    assert page.locator("#box").get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/?url=*")
    assert visit.fields == {"url": [PAPER], "by": [DEFAULT_METHOD]}, "empty fields say nothing"
    assert page.locator("h1").inner_text() == "Related to The New York Times"
    first = visit.titles()[0]
    page.get_by_role("link", name=first, exact=True).click()
    see(page, "h1", first)
    page.go_back()
    assert page.locator("h1").inner_text() == "Related to The New York Times"


def test_reasons_unfold_and_lead_on(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&by=cocitation&limit=3")
    assert len(visit.titles()) == 3
    reasons = page.locator("details.why").first
    assert re.search(r"link to this one too", reasons.inner_text())
    assert not reasons.locator("table").is_visible()
    reasons.locator("summary").click()
    assert reasons.locator("table tbody tr").count() >= 3
    reasons.locator("table a").first.click()
    assert visit.fields["url"][0].startswith("https://")
    assert visit.fields["limit"] == ["3"]


def test_methods_stand_side_by_side(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&by=cocitation")
    page.get_by_text("Compare with", exact=True).click()
    page.get_by_role("checkbox", name="companion").check()
    page.get_by_role("button", name="Find related").click()
    page.wait_for_url("**with=companion**")
    assert page.locator("h2").filter(has_text="By companion").count() == 1
    boxes = [page.locator("ol.results").nth(column).bounding_box() for column in (0, 1)]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"], "beside, not below"
    shared = set(visit.titles(0)) & set(visit.titles(1))
    assert shared
    said = page.locator("section", has_text="How far they agree").first.inner_text()
    assert f"cocitation and companion share {len(shared)} of 10 pages" in said
    assert page.locator(".also", has_text=re.compile(r"\d+ in companion")).count() >= len(shared)


def test_choosing_a_method_asks_again_and_forgets_the_other_ones_options(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}&by=cocitation&enough=3")
    assert page.locator("summary", has_text="Options (1 set)").count() == 1
    page.locator("select[name=by]").select_option("companion")
    page.wait_for_url("**by=companion**")
    assert page.locator("h2", has_text="By companion").count() == 1
    assert page.locator("summary", has_text="set)").count() == 0


PAINTED = """color => {
  const wanted = [1, 3, 5].map(place => parseInt(color.slice(place, place + 2), 16));
  let count = 0;
  for (const canvas of document.querySelectorAll("#picture canvas")) {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    for (let at = 0; at < pixels.length; at += 4)
      count += pixels[at + 3] > 200
        && wanted.every((part, i) => Math.abs(part - pixels[at + i]) < 12);
  }
  return count;
}"""


def test_the_picture_is_drawn_and_can_be_walked(visit: Visit) -> None:
    page = visit.page
    page.goto(f"/?url={PAPER}")
    page.get_by_role("link", name="Draw the pages around it").click()
    told = page.locator("#picture-status")
    see(page, "#picture-status", "links between")
    palette = dict(re.findall(r"--(\w+): (#\w{6})", stylesheet("light")))
    for kind in ("hub", "authority", "ink"):
        assert page.evaluate(PAINTED, palette[kind]) > 300, kind
    assert page.evaluate(PAINTED, "#12ef12") == 0
    where = page.evaluate(
        "() => { const g = document.querySelector('.picture').cytoscape;"
        " const n = g.nodes('[kind=\"authority\"]').first(); const p = n.renderedPosition();"
        " return [p.x, p.y, n.data('label')]; }"
    )
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + where[0], box["y"] + where[1])
    see(page, "#picture-status", "·")
    assert told.inner_text().startswith(where[2])
    page.mouse.click(box["x"] + where[0], box["y"] + where[1])
    see(page, "h1", where[2])
    assert visit.fields["picture"] == ["1"]
    page.locator("#picture-list a").nth(10).wait_for(state="attached")  # the same without a mouse


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
    page.locator("details.why summary").first.click()
    assert page.locator("details.why table").first.is_visible()
    page.locator("#box").fill("no such newspaper")
    page.get_by_role("button", name="Find related").click()
    assert "No page" in page.locator("h1").inner_text()
    visit.close()


PATHS = ("/", f"/?url={PAPER}&why=1&with=lli&picture=1", "/ranks?by=hits", "/api", "/?url=nowhere")


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


def test_names_and_titles_from_anybody_are_text(browser: Any) -> None:
    graph = Graph.from_links(
        HOSTILE,
        titles={"tea": SCRIPT, "https://a.example/<b>\"'&": "</title>" + SCRIPT},
        urls="keep",
    )
    with serving(graph) as client:
        visit = Visit(browser, str(client.base_url))
        page = visit.page
        for path in ("/", "/?url=tea&picture=1", "/ranks", f"/?url={SCRIPT}", f"/?url=x{SCRIPT}"):
            page.goto(path)
            page.wait_for_timeout(200)
            assert page.title() != "run"
            assert page.locator("main script:not([src])").count() == 0
            assert page.locator("b").count() == 0
        page.goto("/?url=tea")
        assert "49" not in page.locator("main").inner_text()
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


def test_the_first_page_is_light(client: Client) -> None:
    sent = 0
    html = client.get("/")
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', html.text)
    for path in ["/", *dict.fromkeys(addresses)]:
        with client.stream("GET", path) as answer:
            assert answer.status_code == 200
            sent += len(b"".join(answer.iter_raw()))
    assert sent < 100_000
    assert len(addresses) >= 3


def stylesheet(scheme: str) -> str:
    text = (resources.files("whatsrelated.server") / "static" / "page.css").read_text()
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


def test_wrong_fields_of_the_page_are_told_as_a_page(client: Client) -> None:
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


def test_the_page_tells_what_each_part_of_a_blend_gave(client: Client) -> None:
    text = client.get("/", params={"url": PAPER, "by": "blend", "limit": 1}).text
    part = client.get("/api/related", params={"url": PAPER, "by": "blend", "limit": 1, "why": 1})
    first = part.json()["results"][0]["evidence"]["parts"][0]
    assert f"<h4>{first['by']}: {100 * first['share']:.0f} % of the score</h4>" in text
    assert "<dt>shared parents</dt>" in text
    assert "<dt>share</dt>" not in text
