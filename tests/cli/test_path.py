"""`related path`: chains of links as lines, JSON and CSV."""

from __future__ import annotations

import json

from tests.cli.commands import related

ENDS = ("www.nytimes.com", "www.louvre.fr", "--graph", "sample")
ANNA = "https://home.westfield.example/~anna/"


def test_the_chains_are_lines_with_arrows_and_sentences() -> None:
    done = related("path", *ENDS, "--steps", "--limit", "1")
    assert done.stdout == (
        "2 chains of 2 links connect “The New York Times” and “Musée du Louvre”.\n"
        f"1. https://www.nytimes.com/ <- {ANNA} -> https://www.louvre.fr/\n"
        "   “Anna's bookmarks” links to “The New York Times”.\n"
        "   “Anna's bookmarks” links to “Musée du Louvre”.\n"
    )
    assert "Showing 1 of 2 chains; use --limit to see more." in done.stderr
    assert done.returncode == 0


def test_the_chains_are_json_or_csv() -> None:
    reply = json.loads(related("path", *ENDS, "--json").stdout)
    assert (reply["version"], reply["way"], reply["paths"][0]["length"]) == (1, "either", 2)
    rows = related("path", *ENDS, "--csv").stdout.splitlines()
    assert rows[0] == "path,chain,step,from,way,to"
    assert rows[1:3] == [
        f"1,1,1,https://www.nytimes.com/,in,{ANNA}",
        f"1,1,2,{ANNA},out,https://www.louvre.fr/",
    ]


def test_without_a_chain_the_exit_status_is_1() -> None:
    done = related("path", *ENDS, "--way", "out")
    assert done.returncode == 1
    assert done.stdout.startswith("No chain of links leads from “The New York Times” to “Mus")
    assert related("path", "www.nytimes.com", "--graph", "sample").returncode == 2
