"""The sample Web is as large as promised, and the same each time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest

from tests.sample.web import EVERY_PAGE, LINKS, PAGES, TOPICS, cocited, host
from whatsrelated import sample
from whatsrelated.api import Graph


def test_it_is_as_large_as_promised() -> None:
    assert len(EVERY_PAGE) >= 400
    assert len({host(url) for url in EVERY_PAGE}) >= 80
    assert sum(len(links) for links in LINKS.values()) >= 3000


def test_each_page_is_given_once_and_has_a_title() -> None:
    assert len(PAGES) == len(LINKS)
    assert [page.url for page in PAGES if not page.title] == []


def test_the_new_york_times_is_among_american_and_british_papers() -> None:
    best = [url for url, _ in cocited("https://www.nytimes.com/").most_common(10)]
    papers = ["washingtonpost", "wsj", "usatoday", "latimes"]
    assert {f"https://www.{paper}.com/" for paper in papers} <= set(best)


@pytest.mark.parametrize(
    ("page", "topics", "least"),
    [
        ("https://www.nytimes.com/", ["newspapers", "broadcasters", "magazines"], 10),
        ("https://linas.org/linux/corba.html", ["orbs"], 9),
    ],
)
def test_companion_stays_on_the_topic_as_in_dh99s_tables_1_and_2(
    page: str, topics: list[str], least: int
) -> None:
    groups = [group for topic in topics for group in TOPICS[topic].groups]
    members = {site.url for group in groups for site in group.sites}
    answer = Graph.from_pages(PAGES).related(page, by="companion")
    assert len(answer) == 10
    assert sum(result.url in members for result in answer) >= least


def test_it_is_the_same_each_time_and_in_every_process() -> None:
    assert list(sample.pages()) == PAGES
    code = (
        "import hashlib; from whatsrelated import sample;"
        "print(hashlib.sha256(repr(list(sample.pages())).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {hashlib.sha256(repr(PAGES).encode()).hexdigest()}
