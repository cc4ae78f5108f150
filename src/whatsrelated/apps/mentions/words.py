"""Words in any script, and the form in which phrases are compared.

A word is a run of letters, digits, marks and underscores. Scripts without spaces between words
(Chinese, Japanese, Thai, Lao, Khmer, Burmese) have no such boundary, so each of their characters
counts as a word. Two phrases are the same if they differ only in case and in the width of spaces.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from typing import NamedTuple

SINGLE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""The scripts without spaces."""

MAX_WORDS = 12
"""Maximum number of words in a phrase."""

PAIRS = {")": "(", "]": "[", "”": "“", "’": "‘", "»": "«"}
"""A bracket or quotation mark at the end belongs to the phrase if its partner is inside."""


@cache
def word_pattern() -> re.Pattern[str]:
    """Matches one word."""
    marks = _ranges([c for c in range(0x300, 0x20000) if unicodedata.category(chr(c))[0] == "M"])
    return re.compile(f"[{SINGLE}][{marks}]*|(?:[^\\W{SINGLE}]|[{marks}])+")


def _ranges(codes: list[int]) -> str:
    parts: list[list[int]] = []
    for code in codes:
        if parts and parts[-1][1] == code - 1:
            parts[-1][1] = code
        else:
            parts.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in parts)


class Phrase(NamedTuple):
    """A phrase in the form for look-ups: its words, and the punctuation that belongs to it on
    either side.

    "C++" is the word `c` with `++` after it, ".NET" the word `net` with `.` before it.
    """

    key: str
    before: str = ""
    after: str = ""
    words: int = 1


def fold(text: str) -> str:
    """The form in which text is compared."""
    return " ".join(text.split()).lower()


def phrase_of(text: str) -> Phrase | None:
    """The phrase in a title or in the words of a link; None if it has no words or too many."""
    text = fold(text)
    matches = list(word_pattern().finditer(text))
    if not matches or len(matches) > MAX_WORDS:
        return None
    start, end = matches[0].start(), matches[-1].end()
    words, before, after = text[start:end], text[:start], text[end:]
    if after and PAIRS.get(after[0], "\0") in words:
        after = after[0]
    elif " " in after or len(after) > 2 or after in ".,:;!?\"'”’)]…*_":
        after = ""
    if before and any(before[-1] == PAIRS[close] for close in PAIRS if close in words):
        before = before[-1]
    elif " " in before or len(before) > 2 or before in "\"'“‘([*_":
        before = ""
    return Phrase(sys.intern(words), before, after, len(matches))
