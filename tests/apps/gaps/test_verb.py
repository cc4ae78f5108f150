"""`related gaps`: a folder or a graph, tables, JSON, CSV, a report, and a status for CI."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.cli.commands import related

PAGES = {
    "index": "green black",
    "green": "tea china kettle",
    "black": "tea china kettle milk",
    "white": "tea china kettle milk",
    "tea": "green black white",
    "china": "tea",
    "kettle": "tea gone",
    "milk": "",
    "lost": "tea",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, links in PAGES.items():
        body = "".join(f'<a href="{link}.html">{link}</a>\n' for link in links.split())
        (folder / f"{name}.html").write_text(f"<title>{name}</title>\n{body}")
    return folder


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "site.graph"
    wr.build([folder], path)
    return path


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return related("gaps", *map(str, words))


def test_a_folder_is_read_and_every_list_shown(folder: Path) -> None:
    result = run(folder)
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "9 pages, 19 links between them"
    assert "Orphans: no links to them: 1" in lines
    assert "Broken links: 1" in lines
    assert "gone.html\tno file\t1\tkettle.html:3" in lines
    assert "Links that redirect: 0" in lines
    assert any("\tgreen.html\tmilk.html\t" in line for line in lines)


def test_the_graph_is_also_named_as_for_other_commands(site: Path) -> None:
    assert run("-g", site, "--json").stdout == run(site, "--json").stdout


def test_json_and_csv_have_everything(site: Path) -> None:
    found = json.loads(run(site, "--json").stdout)
    assert [page["url"] for page in found["orphans"]] == ["lost.html"]
    gone = {"page": "kettle.html", "line": 3, "link": "gone.html", "status": None}
    assert found["broken"] == [gone]
    rows = list(csv.DictReader(io.StringIO(run(site, "--csv").stdout)))
    assert {"missing", "orphans", "broken", "dead_ends"} <= {row["kind"] for row in rows}
    assert sum(row["kind"] == "missing" for row in rows) == len(found["missing"])


def test_fail_on_sets_the_exit_status(site: Path) -> None:
    failed = run(site, "--fail-on", "broken,orphans", "--top", "0")
    assert failed.returncode == 1
    assert "Found 1 broken, 1 orphans (--fail-on)." in failed.stderr
    assert run(site, "--fail-on", "islands,duplicates").returncode == 0
    wrong = run(site, "--fail-on", "dragons")
    assert wrong.returncode == 2
    assert "fail-on cannot be 'dragons'" in wrong.stderr


def test_a_dismissed_suggestion_stays_dismissed(site: Path, tmp_path: Path) -> None:
    ignore = tmp_path / "gaps.ignore"
    pair = ("green.html", "milk.html")
    before = json.loads(run(site, "--json").stdout)["missing"]
    assert pair in [(one["source"], one["target"]) for one in before]
    run(site, "--ignore", ignore, "--dismiss", *pair)
    after = json.loads(run(site, "--json", "--ignore", ignore).stdout)
    assert pair not in [(one["source"], one["target"]) for one in after["missing"]]
    assert after["dismissed"] == 1
    refused = run(site, "--dismiss", *pair)
    assert refused.returncode == 2
    assert "name one with --ignore" in refused.stderr


def test_links_that_a_source_cannot_check_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("a\tb\nb\ta\n")
    related("build", tmp_path / "links.tsv", "-o", tmp_path / "web.graph")
    result = run(
        tmp_path / "web.graph", "--fail-on", "broken", "--report", tmp_path / "report.html"
    )
    assert result.returncode == 1
    assert "Broken links: unknown" in result.stdout.splitlines()
    assert "Could not be checked: broken (--fail-on)." in result.stderr
    assert "Unknown: the source does not say" in (tmp_path / "report.html").read_text()


def test_pages_are_chosen_and_lists_bounded(site: Path) -> None:
    found = json.loads(run(site, "--json", "--from", "green*", "--top", "1").stdout)
    assert [one["source"] for one in found["missing"]] == ["green.html"]
    found = json.loads(run(site, "--json", "--to", "milk.html").stdout)
    assert {one["target"] for one in found["missing"]} == {"milk.html"}


def test_a_report_is_written(site: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = run(site, "--report", page)
    assert result.returncode == 0
    text = page.read_text()
    assert "<svg" in text
    assert "http://" not in text, "it needs nothing else"
    nowhere = run(site, "--report", tmp_path / "no" / "report.html")
    assert nowhere.returncode == 2
    assert "cannot be written" in nowhere.stderr
