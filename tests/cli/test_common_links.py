"""`related common`: common neighbours as a table, JSON and CSV."""

from __future__ import annotations

import json

from tests.cli.commands import related

PAPERS = ("www.nytimes.com", "www.wsj.com", "--graph", "sample")


def test_common_neighbours_are_a_table_json_or_csv() -> None:
    done = related("common", *PAPERS, "--limit", "2")
    assert done.stdout == (
        "shared\tin\tout\tpage\ttitle\n"
        "2\t2\t12\thttps://inkandpaper.example/american-dailies.html\t"
        "Ink and paper: American dailies\n"
        "2\t0\t14\thttps://xaver.example/\tXaver sammelt Links\n"
    )
    assert "Showing 2 of 25 pages; use --limit to see more." in done.stderr
    reply = json.loads(related("common", *PAPERS, "--out", "--json").stdout)
    assert (reply["version"], reply["way"]) == (1, "out")
    assert [page["url"] for page in reply["pages"]] == ["https://apnews.com/"]
    assert related("common", *PAPERS, "--csv").stdout.startswith("shared,in,out,url,title\n2,2,12,")


def test_pages_that_already_link_here_are_left_out() -> None:
    every = json.loads(related("common", *PAPERS, "--json", "--limit", "100").stdout)["pages"]
    me = ("--without-links-to", "www.theguardian.com")
    others = json.loads(related("common", *PAPERS, *me, "--json").stdout)["pages"]
    assert 0 < len(others) < len(every)
    assert [page for page in every if page in others] == others


def test_nothing_in_common_is_exit_1_and_both_ways_are_refused() -> None:
    done = related("common", "www.nytimes.com", "www.bmw.com", "--graph", "sample", "--out")
    assert (done.returncode, done.stdout) == (1, "")
    done = related("common", *PAPERS, "--in", "--out")
    assert (done.returncode, done.stderr) == (2, "related: common: use --in or --out, not both.\n")
