"""The report is one page that needs nothing but itself, whatever pages are called."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import html5lib
import pytest

from tests.evaluation.test_tables import OUTCOME
from tests.graphs import graph_of
from whatsrelated.evaluation import latent, plots, tables
from whatsrelated.evaluation.experiment import Asked
from whatsrelated.evaluation.outcome import Outcome
from whatsrelated.evaluation.report import report
from whatsrelated.evaluation.verdict import verdict

ABOUT: dict[str, Any] = {
    "graph": {"name": "web.graph", "pages": 9, "links": 30},
    "gold": "gold.tsv",
    "unlinked": False,
    "limit": 10,
    "refused": {"said before": 2},
}
HOSTILE = '<script>alert("1")</script>'
GRAPH = graph_of("p -> u v w", "q -> u w x", "r -> u v x", "u -> k l", "v -> k", "x -> k l")


def page_of(outcome: Outcome) -> str:
    halves = latent.chosen(GRAPH, outcome, ["u"])
    return report(outcome, ABOUT, tables.tests(outcome), halves)


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
        "y found 83% of the related pages that could be among its first 10 answers",
        "next is x with 67%",
        "2 said before",
        "y: precision at 1 is 0.667",
        "z on 1, the first q3: too slow",
        "DH99&#x27;s Table 4",
        "Table 8. u, by parents",
    ):
        assert said in page, said


def test_names_of_pages_and_runs_are_never_markup() -> None:
    hostile = Outcome({HOSTILE: {HOSTILE: 1.0}}, {HOSTILE: [Asked(HOSTILE, (), error=HOSTILE)]})
    written = report(hostile, {**ABOUT, "gold": HOSTILE}, [], [])
    assert "<script" not in written
    assert "&lt;script&gt;" in written


def test_more_methods_than_colours_have_dashes() -> None:
    answers = {f"m{number}": [Asked("q", ("a",), 1.0, 1, 1)] for number in range(10)}
    outcome = Outcome({"q": {"a": 1.0}}, answers)
    written = report(outcome, ABOUT, tables.tests(outcome), [])
    assert 'class="series s1 dashed"' in written
    assert "do not tell them apart" in written


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


def test_the_verdict_says_over_whom_it_is_more_than_luck() -> None:
    golds = {f"q{number}": {"a": 1.0} for number in range(20)}

    def answers(*urls: str) -> list[Asked]:
        return [Asked(query, urls) for query in golds]

    best, alike, worst = answers("a"), answers("a", "b"), answers("b", "c", "a")
    outcome = Outcome(golds, {"worst": worst, "best": best})
    assert verdict(outcome, tables.tests(outcome)) == [
        "best found 100% of the related pages that could be among its first 10 answers; "
        "next is worst with 100%.",
        "Its average precision is higher than that of worst by more than luck.",
    ]
    outcome = Outcome(golds, {"alike": alike, "best": best})
    assert verdict(outcome, tables.tests(outcome))[1] == (
        "In average precision it is better than none of the others by more than luck: "
        "20 queries do not tell them apart."
    )
    outcome = Outcome(golds, {"best": best, "alike": alike, "worst": worst})
    assert verdict(outcome, tables.tests(outcome))[1] == (
        "Its average precision is higher by more than luck than that of worst, "
        "not than that of alike."
    )
    nothing = Outcome(golds, {"one": answers("b")})
    assert verdict(nothing, []) == ["No related page was found by any method."]


def test_the_numbers_of_lli_are_those_of_its_evidence() -> None:
    back, forward = latent.halves(GRAPH, OUTCOME, "u")
    assert (back.by, forward.by) == ("parents", "children")
    shared = {point.url: point.bcp for point in back.points}
    assert shared == {"v": 2 / 3, "w": 2 / 3, "x": 2 / 3}
    assert {point.url: point.bcp for point in forward.points} == {"x": 1.0, "v": 0.5}
    # bd is 2 of 3 siblings for each parent: two of three parents leave a third.
    assert {round(point.dd, 9) for point in back.points} == {round(1 / 3, 9)}


def test_axes_end_at_round_numbers() -> None:
    assert plots.linear("", 0.57).ticks == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert plots.linear("", 30).ticks == (0, 5, 10, 15, 20, 25, 30)
    axis = plots.logarithmic("", [0.3, 40])
    assert (axis.low, axis.high) == pytest.approx((0.2, 50))
    assert axis.share(axis.low) == 0
    assert axis.share(axis.high) == pytest.approx(1)
    assert axis.share(10**0.5) == pytest.approx(0.5, abs=1e-6)
    assert [plots.short(value) for value in (0.05, 20.0, 3000.0, 2e6)] == ["0.05", "20", "3k", "2M"]
