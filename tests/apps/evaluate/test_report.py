"""The report is one self-contained page, whatever the names in it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import html5lib
import pytest

from tests.apps.evaluate.outcomes import OUTCOME
from tests.browser import chromium
from tests.graphs import graph_of
from whatsrelated.apps.evaluate import latent
from whatsrelated.apps.evaluate.experiment import Findings
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.report import cost_plots, report
from whatsrelated.apps.evaluate.trials import Trial

ABOUT: dict[str, Any] = {
    "graph": {"name": "web.graph", "pages": 9, "links": 30},
    "gold": "gold.tsv",
    "unlinked": False,
    "limit": 10,
    "refused": {"repeated": 2},
}
HOSTILE = '<script>alert("1")</script>\u202e'
GRAPH = graph_of("p -> u v w", "q -> u w x", "r -> u v x", "u -> k l", "v -> k", "x -> k l")


def page_of(outcome: Outcome) -> str:
    return report(Findings(outcome, ABOUT, latent=tuple(latent.of_queries(GRAPH, outcome, ["u"]))))


@pytest.fixture(scope="module")
def page() -> str:
    return page_of(OUTCOME)


def test_the_page_is_well_formed_and_asks_for_nothing(page: str) -> None:
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    for element in tree.iter():
        assert element.tag not in ("script", "link", "img", "iframe", "object", "base")
        assert element.get("href", "#").startswith("#")
        assert element.get("src") is None
    assert not re.search(r"url\(|@import", page)


def test_the_page_says_what_was_found(page: str) -> None:
    for said in (
        "y has the highest capped recall@10, 83%; x follows with 67%.",
        "2 repeated",
        "y: precision at 1 is 0.667",
        "z, 1 times, first on q3: too slow",
        "DH99&#39;s Table 4",
        "Table 8. u, lli by parents",
    ):
        assert said in page, said


def test_figure_2_is_time_against_what_was_read() -> None:
    trials = {
        "companion": [Trial("q1", ("a",), 2.5, pages=9, links=30), Trial("q2", (), 0.0)],
        "cocitation": [
            Trial("q1", ("a",), 1.5, links=44, siblings=12),
            Trial("q2", ("a",), 0.5, siblings=3),
        ],
    }
    outcome = Outcome({"q1": {"a": 1.0}, "q2": {"a": 0.0}}, trials)
    drawn = {label: plot.series[0].points for label, plot in cost_plots(outcome)}
    assert drawn == {"companion": [(30.0, 2.5)], "cocitation": [(12.0, 1.5), (3.0, 0.5)]}


def test_names_of_pages_and_runs_are_never_markup() -> None:
    hostile = Outcome({HOSTILE: {HOSTILE: 1.0}}, {HOSTILE: [Trial(HOSTILE, (), error=HOSTILE)]})
    written = report(Findings(hostile, {**ABOUT, "gold": HOSTILE}))
    assert "<script" not in written
    assert "&lt;script&gt;" in written
    assert "\u202e" not in written


def test_more_methods_than_colours_have_dashes() -> None:
    answers = {f"m{number}": [Trial("q", ("a",), 1.0, 1, 1)] for number in range(10)}
    outcome = Outcome({"q": {"a": 1.0}}, answers)
    written = report(Findings(outcome, ABOUT))
    assert 'class="series s1 dashed"' in written
    assert "not significantly higher than that of any other method" in written


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no browser")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_the_page_on_a_phone_in_light_and_dark(
    page: str, scheme: str, tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    file = tmp_path / "report.html"
    file.write_text(page)
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        shown = browser.new_page(
            viewport={"width": 360, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(file.as_uri())
        width = shown.evaluate("document.documentElement.scrollWidth")
        ink, paper = shown.evaluate(
            "(style => [style.color, style.backgroundColor])(getComputedStyle(document.body))"
        )
        browser.close()
    assert asked == [file.as_uri()]
    assert width == 360
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) > 384 for colour in (ink, paper)]
    assert light == ([True, False] if scheme == "dark" else [False, True])


@pytest.mark.needs_system("chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(page: str, scheme: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with chromium() as browser:
        shown = browser.new_context(color_scheme=scheme, bypass_csp=True).new_page()
        shown.set_content(page)
        for width in (1400, 390):
            shown.set_viewport_size({"width": width, "height": 900})
            found = Axe().run(shown)
            assert found.violations_count == 0, found.generate_report()
