"""`related mentions`, and what `related gaps` does with the places of links."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.apps.mentions.sites import vault
from tests.cli.commands import related
from whatsrelated.apps.gaps.findings import LinkPlace, MissingLink
from whatsrelated.apps.mentions.actions import ask_for_each
from whatsrelated.apps.mentions.finder import Place


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    return vault(folder)


def test_a_page_has_its_unlinked_mentions_in_both_directions(site: Path) -> None:
    found = json.loads(related("mentions", "kettle.md", site, "--json").stdout)
    (one,) = [each for each in found["incoming"] if each["file"] == "plain.md"]
    assert (one["line"], one["column"], one["anchor"]) == (3, 10, "kettle")
    assert one["before"].endswith("Fill the ")
    outgoing = json.loads(related("mentions", "plain.md", site, "--json").stdout)["outgoing"]
    assert {each["target"] for each in outgoing} >= {"kettle.md", "teapot.md"}
    assert "sugar.md" not in {each["target"] for each in outgoing}


def test_the_text_of_a_mention_is_shown_with_its_words_marked(site: Path) -> None:
    shown = related("mentions", "kettle.md", site).stdout
    assert "plain.md:3:10" in shown
    assert "Fill the [kettle], then" in shown


def test_missing_links_have_their_place(site: Path) -> None:
    found = json.loads(related("gaps", site, "--places", "--json").stdout)["missing"]
    places = {(one["source"], one["target"]): one["place"] for one in found}
    place = places["plain.md", "kettle.md"]
    assert (place["file"], place["line"], place["column"], place["anchor"]) == (
        *("plain.md", 3, 10),
        "kettle",
    )


def test_lint_and_sarif_name_file_line_and_column(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "links.sarif"
    lines = related("gaps", site, "--lint", "--sarif", out).stdout.splitlines()
    assert any(line.startswith('plain.md:3:10: "kettle" could link to kettle.md') for line in lines)
    (run,) = json.loads(out.read_text())["runs"]
    regions = [
        each["locations"][0]["physicalLocation"]["region"]
        for each in run["results"]
        if each["ruleId"] == "missing-link"
    ]
    assert {"startLine": 3, "startColumn": 10, "snippet": {"text": "kettle"}} in regions


def test_a_patch_changes_no_file_and_apply_can_be_undone(site: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in site.iterdir()}
    related("gaps", site, "--patch", tmp_path / "links.patch", "--least-score", "0.4")
    assert b"+Fill the [kettle](kettle.md)" in (tmp_path / "links.patch").read_bytes()
    assert {path.name: path.read_bytes() for path in site.iterdir()} == before
    related("gaps", site, "--apply")
    assert (site / "plain.md").read_bytes() != before["plain.md"]
    related("gaps", site, "--undo")
    assert {path.name: path.read_bytes() for path in site.iterdir()} == before


def test_a_graph_does_not_choose_the_files_that_are_changed(site: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in site.iterdir()}
    related("build", site, "-o", tmp_path / "web.graph")
    done = related("gaps", tmp_path / "web.graph", "--apply")
    assert done.returncode == 2
    assert "name their folder: related gaps FOLDER --apply" in done.stderr
    assert {path.name: path.read_bytes() for path in site.iterdir()} == before


def test_a_review_keeps_what_is_accepted_and_remembers_what_is_rejected(tmp_path: Path) -> None:
    links = [
        MissingLink("a", None, to, None, 0.5, "", 0, 0, False, (), LinkPlace("a.md", 1, 1, to))
        for to in ("b", "c", "d", "e")
    ]
    ignore = tmp_path / "ignore.txt"
    answers = iter("ynvq")
    accepted = ask_for_each(links, str(ignore), lambda question: next(answers))
    assert [one.target for one in accepted] == ["b"]
    assert ignore.read_text() == "a\td\n"


def test_a_place_in_html_is_printed_without_its_tags() -> None:
    place = Place("a.html", 3, 5, "<code>a &lt; b</code>", 'pre">see <b>', "</b> and <spa", 0, 9)
    assert place.shown == LinkPlace("a.html", 3, 5, "a < b", "see ", " and ")
    assert replace(place, file="a.md").shown.anchor == "<code>a &lt; b</code>"
