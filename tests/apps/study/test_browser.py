"""Two judges in a real browser: one by keys, one without JavaScript on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.apps.study import serving_study
from tests.browser import chromium
from tests.waiting import PATIENCE, eventually
from whatsrelated import sample
from whatsrelated.api import Graph
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.study.journal import Journal
from whatsrelated.apps.study.own import OwnPages
from whatsrelated.apps.study.plan import plan_study
from whatsrelated.apps.study.results import StudyResults

pytestmark = pytest.mark.needs_system("chromium")

READY = "html[data-keys=ready]"
"""Where key presses are handled."""
QUERIES = ["https://www.bmw.com/", "https://www.debian.org/"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    graph = Graph.from_pages(sample.pages())
    plan = plan_study(graph, "sample", QUERIES, contenders("companion,cocitation"), depth=2)
    with Journal.create(tmp_path / "my.study", plan) as journal:
        journal.add_judges(["ann", "bob"])
        yield journal


def open_page(browser: Any, client: httpx.Client, journal: Journal, name: str, **more: Any) -> Any:
    """The first page of a judge; whatever goes wrong there is listed on it."""
    page = browser.new_context(base_url=str(client.base_url), **more).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda said: page.wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"/j/{journal.judges[name].token}")
    return page


def test_two_judges_rate_everything_and_change_their_minds(browser: Any, journal: Journal) -> None:
    total = sum(len(pool.pages) for pool in journal.plan.pools)
    with serving_study(journal) as client:
        ann = open_page(browser, client, journal, "ann")
        ann.get_by_role("link", name="Begin").click()
        ann.locator(".candidate").wait_for()
        link = ann.locator(".candidate h2 a")
        assert link.get_attribute("target") == "_blank"
        for done in range(total):
            ann.locator(f"{READY} #progress[value='{done}']").wait_for()
            ann.keyboard.press("1" if done % 2 else "2")
        ann.get_by_text("Everything has been rated").wait_for()
        before = dict(journal.ratings)
        ann.locator(".queries a").first.click()
        ann.locator(f"{READY} #list").wait_for()
        assert ann.locator(":checked").count() == len(journal.plan.pools[0].pages)
        ann.keyboard.press("j")
        ann.keyboard.press("3")
        eventually(lambda: ann.locator("#saved").inner_text() == "Saved")
        changed = {key for key in before if journal.ratings[key] != before[key]}
        assert len(changed) == 1
        assert journal.ratings[changed.pop()] == -1

        phone = {"viewport": {"width": 390, "height": 800}, "java_script_enabled": False}
        bob = open_page(browser, client, journal, "bob", **phone)
        assert bob.locator("#done").inner_text() == "0"
        bob.locator(".queries a").first.click()
        for group in bob.locator("fieldset").all():
            group.get_by_label("Related", exact=True).check()
        bob.get_by_role("button", name="Save and continue").click()
        bob.get_by_text("Query 2 of 2").wait_for()
        bob.get_by_role("link", name="one by one").click()
        bob.get_by_role("button", name="Could not open").click()
        bob.get_by_role("link", name="All queries").click()
        first = len(journal.plan.pools[0].pages)
        assert bob.locator("#done").inner_text() == str(first + 1)
        assert ann.wrong == bob.wrong == []
    results = StudyResults(journal)
    assert results.progress == {"ann": total, "bob": first + 1}
    assert results.pairs()[0][2] == first + 1


@pytest.mark.parametrize("script", [True, False])
def test_a_judge_brings_pages_and_rates_what_was_found_for_them(
    browser: Any, tmp_path: Path, script: bool
) -> None:
    graph = Graph.from_pages(sample.pages())
    plan = plan_study(graph, "sample", [], contenders("companion,cocitation"), depth=2, owners={})
    phone = {"viewport": {"width": 390, "height": 800}, "java_script_enabled": script}
    with Journal.create(tmp_path / "own.study", plan) as journal:
        journal.add_judges(["ann", "bob"])
        with serving_study(journal, own_pages=OwnPages(graph, plan)) as client:
            ann = open_page(browser, client, journal, "ann", **phone)
            box = ann.get_by_label("Your pages")
            box.fill("www.bmw.com\nwww.nowhere.example")
            ann.get_by_role("button", name="Find related pages").click()
            assert "www.nowhere.example" in ann.get_by_role("alert").inner_text()
            assert box.input_value() == "www.bmw.com\nwww.nowhere.example"
            assert ann.evaluate("document.documentElement.scrollWidth") <= 390
            box.fill("www.bmw.com\nwww.debian.org")
            ann.get_by_role("button", name="Find related pages").click()
            ann.get_by_role("link", name="Begin").click()
            ann.get_by_role("button", name="Could not open").click()
            ann.get_by_role("link", name="All queries").click()
            assert ann.locator(".queries li").count() == 2
            bob = open_page(browser, client, journal, "bob", **phone)
            assert bob.locator(".queries li").count() == 0
            rejected = [line for line in ann.wrong if "400 (Bad Request)" not in line]
            assert rejected == bob.wrong == []
    assert journal.own_queries == {"ann": QUERIES}
    assert list(journal.ratings.values()) == [-1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_is_wider_than_the_screen(
    browser: Any, journal: Journal, width: int, scheme: str
) -> None:
    look = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with serving_study(journal) as client:
        page = open_page(browser, client, journal, "ann", **look)
        for path in ("", "/1", "/1/1"):
            page.goto(f"/j/{journal.judges['ann'].token}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.wrong == []
