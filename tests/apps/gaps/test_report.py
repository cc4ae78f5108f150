"""The report: everything in one file, names harmless, tables that sort, lines to dismiss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import chromium
from whatsrelated.api import Graph
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.gaps.report import MAX_ROWS, report
from whatsrelated.stream import CheckedLinks, DeadLink, Page

EVIL = "<script>alert(1)</script>\u202e"
SITE = Graph.from_pages(
    [
        Page("green", ["tea", "china"], EVIL, navigation=0),
        Page(
            "black",
            ["tea", "china", "milk"],
            navigation=0,
            checked=CheckedLinks([DeadLink(2, f'"{EVIL}')]),
        ),
        Page("white", ["tea", "china", "milk", "green"], navigation=2),
        Page("https://a.org/x", ["tea", "china", "black"], navigation=0),
        *(Page(name, navigation=0) for name in ("tea", "china", "milk")),
    ]
)


def test_names_and_titles_are_text() -> None:
    text = report(SITE.store, gaps_of(SITE), EVIL)
    assert "\u202e" not in text
    assert text.count("<script>") == 1
    assert "&lt;script&gt;alert(1)" in text
    assert '<a href="https://a.org/x">' in text
    assert 'src="' not in text


def test_a_long_table_says_what_it_leaves_out() -> None:
    checked = CheckedLinks([DeadLink(n, f"x{n}") for n in range(MAX_ROWS + 2)])
    graph = Graph.from_pages([Page("a", ["b"], checked=checked), Page("b", ["a"])])
    assert "And 2 more; use --json for all." in report(graph.store, gaps_of(graph), "a")


@pytest.mark.needs_system("chromium")
def test_tables_sort_and_ticks_become_lines(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(SITE.store, gaps_of(SITE), "tea"), encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(file.as_uri())
        cells = "#dead_ends tbody td:first-child"
        assert page.locator(cells).all_inner_texts() == ["china", "milk", "tea"]
        page.click("#dead_ends th:first-child button")
        page.click("#dead_ends th:first-child button")
        assert page.locator(cells).all_inner_texts() == ["tea", "milk", "china"]
        assert page.locator(".dismiss").is_hidden()
        page.locator("input[data-line]").first.check()
        lines = page.locator(".dismiss textarea").input_value().split("\n")
        assert len(lines) == 1
        assert lines[0].count("\t") == 1
        assert not faults
