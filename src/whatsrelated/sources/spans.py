"""Find pieces of text between two marks, such as code and comments, in one pass.

A pattern such as `<!--.*?-->` reads to the end of the text for every unclosed mark, so many such
marks take quadratic time. Here, a closing mark that was not found once is not searched for again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import AnyStr


def spans(
    text: AnyStr, opening: re.Pattern[AnyStr], closing: Callable[[re.Match[AnyStr]], AnyStr]
) -> Iterator[tuple[int, int, int, int]]:
    """The start and end of each piece and of its contents: `<!--`, ` a `, `-->`.

    `closing` returns the mark that closes an opening mark, or nothing if none is needed. An
    unclosed piece is skipped.
    """
    missing: set[AnyStr] = set()
    place = 0
    while (opened := opening.search(text, place)) is not None:
        place = opened.end()
        mark = closing(opened)
        end = -1 if mark in missing else text.find(mark, place)
        if end < 0:
            missing.add(mark)
        else:
            yield opened.start(), place, end, end + len(mark)
            place = end + len(mark)


def without_spans(
    text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], str]
) -> str:
    """The text with these pieces replaced by spaces; everything else keeps its position."""
    kept: list[str] = []
    place = 0
    for start, _, _, end in spans(text, opening, closing):
        kept += text[place:start], " " * (end - start)
        place = end
    return "".join([*kept, text[place:]])
