"""What an agent is sent: lines of text within a number of tokens.

An agent pays for every token that it reads, so a reply has a bound.  Tokenizers
differ; `tokens` is at or above what those of the large models count: a piece of at
most four letters or three digits is a token, so is every mark and run of blanks,
and any other character is two.

Titles and addresses come from anybody: each line is one line, without control
characters, and of a bounded length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from whatsrelated.names.display import harmless

MOST_TOKENS = 3900
"""Tokens of a reply, the line that says what was left out not counted."""
MOST_LETTERS = 400
"""Characters of one line."""
_PIECES = re.compile(r"[A-Za-z]{1,4}|[0-9]{1,3}|\s+|[!-/:-@\[-`{-~]")


def tokens(text: str) -> int:
    """About how many tokens a text has, rather more than fewer."""
    plain = _PIECES.findall(text)
    return len(plain) + 2 * (len(text) - sum(map(len, plain)))


def line(text: str) -> str:
    """A text as one line of bounded length, without control characters."""
    short = harmless(" ".join(text.split()))
    return short if len(short) <= MOST_LETTERS else short[: MOST_LETTERS - 1] + "…"


def page_line(url: str, title: str | None) -> str:
    """A page by its address, and its title where it tells more."""
    return line(url) if not title or title == url else f"{line(url)} ({line(title)})"


def reply(lines: Iterable[str], way_out: str) -> str:
    """The lines that there is room for; where some are left out, how many, and the way out."""
    listed = list(lines)
    left = MOST_TOKENS
    for number, each in enumerate(listed):
        left -= tokens(each) + 1
        if left < 0:
            return "\n".join(
                [*listed[:number], f"{len(listed) - number} lines left out; {way_out}"]
            )
    return "\n".join(listed)
