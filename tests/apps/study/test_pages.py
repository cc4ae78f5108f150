"""What a judge sees: not which method found a page, and no markup from names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.study import small_study
from whatsrelated.apps.study.journal import Rating
from whatsrelated.apps.study.pages import JudgesView

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def view(tmp_path: Path) -> JudgesView:
    run = tmp_path / "run.tsv"
    run.write_text(
        f"tea\t1\tjavascript:alert(1)\ntea\t2\thttps://x.org/{SCRIPT}\ntea\t3\tgnp\u202e\n"
    )
    with small_study(tmp_path / "a.study", "ann", "bob", runs=[f"spam={run}"]) as journal:
        return JudgesView(journal, journal.judges["ann"])


def text(view: JudgesView) -> str:
    pages = [view.overview(), view.query(1), *(view.query(1, place) for place in range(1, 7))]
    return "".join(page.body.decode() for page in pages)


def test_no_page_reveals_which_method_found_a_result(view: JudgesView) -> None:
    for label in ("cocitation", "cpa", "spam", "companion", "score"):
        assert label not in text(view)


def test_names_are_escaped_and_only_addresses_of_the_web_are_links(view: JudgesView) -> None:
    shown = text(view)
    assert "<script>alert" not in shown
    assert 'href="javascript:' not in shown
    assert "&lt;script&gt;" in shown
    assert "gnp" in shown
    assert "\u202e" not in shown, "it would turn the rest of the line round"
    assert 'target="_blank" rel="noopener noreferrer"' in shown


def test_the_instructions_are_those_of_dh99_wherever_pages_are_rated(view: JudgesView) -> None:
    for page in (view.overview(), view.query(1), view.query(1, 1)):
        shown = page.body.decode()
        assert "both relevant to the topic" in shown
        assert "of high quality" in shown
        assert "Ignore the order" in shown
        assert "as if you had not seen the earlier one" in shown
        assert "<strong>could not open</strong>" in shown


def test_a_judge_resumes_at_the_first_unrated_page(view: JudgesView) -> None:
    view.journal.ratings.clear()
    assert view.go_on() == f"{view.home}/1/1"
    first = view.pages(view.pools[0])
    view.journal.ratings[view.judge.name, "tea", first[0].url] = 1
    view.journal.ratings[view.judge.name, "tea", first[2].url] = 1
    assert view.go_on() == f"{view.home}/1/2"
    assert view.go_on(after=1, one_by_one=False) == f"{view.home}/2"
    for pool in view.pools:
        for page in pool.pages:
            view.journal.ratings[view.judge.name, pool.query.url, page.url] = 0
    assert view.go_on() == view.home
    assert "Everything has been rated" in view.overview().body.decode()
    bob = JudgesView(view.journal, view.journal.judges["bob"])
    assert (bob.done, view.done) == (0, sum(len(pool.pages) for pool in view.pools))


def test_a_second_grade_is_offered_if_the_study_has_one(tmp_path: Path) -> None:
    for second in (False, True):
        path = tmp_path / f"{second}.study"
        with small_study(path, "ann", second_grade=second) as journal:
            journal.rate([Rating("ann", "tea", "cup", 1)])
            shown = JudgesView(journal, journal.judges["ann"]).query(1).body.decode()
        assert ("Closely related" in shown) == second
        assert shown.count(" checked") == 1
