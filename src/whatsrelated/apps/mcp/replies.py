"""Replies to agents: lines of text within a token limit.

An agent pays for every token it reads, so replies are limited. Tokenizers differ; `tokens` counts
at least as many tokens as large models do. A piece of up to four letters or three digits is one
token, as is every punctuation mark and run of spaces. Any other character is two tokens.

Titles and URLs are untrusted: each becomes one line of limited length, without control
characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from whatsrelated.names.display import harmless

MAX_TOKENS = 3900
"""Maximum number of tokens in a reply, not counting the line about omitted lines."""
MAX_LETTERS = 400
"""Maximum number of characters per line."""
MAX_ERROR_LETTERS = 2000
"""Maximum number of characters in an error, which may quote the agent's input."""
_PIECES = re.compile(r"[A-Za-z]{1,4}|[0-9]{1,3}|\s+|[!-/:-@\[-`{-~]")


def tokens(text: str) -> int:
    """An upper estimate of the number of tokens in a string."""
    plain = _PIECES.findall(text)
    return len(plain) + 2 * (len(text) - sum(map(len, plain)))


def line(text: str) -> str:
    """Text as one line of limited length, without control characters."""
    short = harmless(" ".join(text.split()))
    return short if len(short) <= MAX_LETTERS else short[: MAX_LETTERS - 1] + "…"


def error_lines(text: str) -> str:
    """An error of limited length, without control characters."""
    short = text if len(text) <= MAX_ERROR_LETTERS else text[: MAX_ERROR_LETTERS - 1] + "…"
    return "\n".join(map(harmless, short.split("\n")))


def page_line(url: str, title: str | None) -> str:
    """A page's URL, and its title if that adds information."""
    return line(url) if not title or title == url else f"{line(url)} ({line(title)})"


def excerpt(before: str, words: str, after: str) -> str:
    """A sentence with some of its words in brackets."""
    return "  " + line(f"{before}[{words}]{after}")


def indented(text: str) -> str:
    """A line that keeps its indentation."""
    return text[: len(text) - len(text.lstrip())] + line(text)


def part_shown(shown: list[int], first: int, total: int) -> str:
    """The range of pages listed; empty if all are."""
    whole = len(shown) == total
    return "" if whole else f", {first + 1:,} to {first + len(shown):,} of them"


def reply(lines: Iterable[str], remedy: str) -> str:
    """The lines that fit.

    If some do not, a last line gives their number and `remedy`, which says how to see them.
    """
    listed = list(lines)
    room = MAX_TOKENS
    for number, each in enumerate(listed):
        room -= tokens(each) + 1
        if room < 0:
            return "\n".join([*listed[:number], f"{len(listed) - number} lines left out; {remedy}"])
    return "\n".join(listed)
