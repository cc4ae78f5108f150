"""Replies to agents stay within a token budget, with one line per page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.mcp.replies import MAX_LETTERS, MAX_TOKENS, line, page_line, reply, tokens


def test_tokens_are_counted_from_above() -> None:
    assert tokens("") == 0
    assert tokens("tea") == 1
    assert tokens("tea, milk") == 4
    assert tokens("https://a.org/1234") == 11
    assert tokens("茶") == 2
    assert all(
        tokens(text) >= len(text.encode()) / 4 for text in ("tea" * 50, "茶" * 50, "42" * 50)
    )


@given(st.text())
def test_a_line_is_one_short_line_without_control_characters(text: str) -> None:
    made = line(text)
    assert len(made) <= MAX_LETTERS
    assert made.splitlines() in ([], [made])
    assert made.isprintable() or any(char.isspace() or not char.isascii() for char in made)
    assert line("a\nb\x1b[2J‮c") == "a b�[2J�c"


def test_a_page_is_named_by_its_title_if_that_is_more_informative() -> None:
    assert page_line("Tea", "Tea") == "Tea"
    assert page_line("https://a.org/", "Tea\ntime") == "https://a.org/ (Tea time)"


@given(st.lists(st.text(alphabet="ab 1/-é茶", max_size=400), max_size=60))
def test_a_reply_has_the_first_lines_that_fit(lines: list[str]) -> None:
    made = reply(lines, "ask for less.")
    assert tokens(made) < MAX_TOKENS + 20 < 4000
    if made != "\n".join(lines):
        *kept, last = made.split("\n")
        assert kept == lines[: len(kept)]
        assert last == f"{len(lines) - len(kept)} lines left out; ask for less."
        assert tokens("\n".join(lines[: len(kept) + 1])) > MAX_TOKENS - len(lines)
