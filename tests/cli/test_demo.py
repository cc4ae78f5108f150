"""`related demo`: a first answer, and what to try next."""

from __future__ import annotations

from tests.cli.commands import related


def test_the_demo_answers_with_reasons_and_says_what_to_try() -> None:
    done = related("demo")
    assert "The Washington Post" in done.stdout
    assert "also link to" in done.stdout
    assert "Try next:" in done.stdout
