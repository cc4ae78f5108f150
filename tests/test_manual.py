"""The manual page lists today's verbs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from docs import manual
from tests.system import TOP


def test_the_page_is_generated_from_the_verbs() -> None:
    assert Path(TOP, manual.PAGE).read_text(encoding="utf-8") == manual.manual(), "make docs"


@pytest.mark.needs_system("man-db")
def test_man_shows_the_page_without_a_warning() -> None:
    done = subprocess.run(
        ["man", "--warnings=w", "--local-file", str(TOP / manual.PAGE)],
        capture_output=True,
        text=True,
        check=True,
        env={
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "MANWIDTH": "80",
            "MAN_KEEP_FORMATTING": "",
        },
    )
    assert done.stderr == ""
    for words in ("RELATED TO", "--limit INT", "RELATED_GRAPH"):
        assert words in done.stdout, words


def test_no_text_is_taken_for_a_request() -> None:
    assert manual.text(".so /etc/passwd") == r"\&.so /etc/passwd"
    assert manual.text("a\\fB") == r"a\efB"
