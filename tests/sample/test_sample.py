"""The sample Web is as large as promised, and the same each time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

from tests.sample.web import EVERY_PAGE, LINKS, PAGES, cocited, host
from whatsrelated import sample


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
