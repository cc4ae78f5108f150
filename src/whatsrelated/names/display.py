"""Names and titles come from anybody: what is made of them before a person sees them.

Control characters drive terminals, line separators break lines, and
bidirectional characters make a line read as another.
"""

from __future__ import annotations

import re

_LATER = r"\x7f-\x9f\u2028\u2029\ud800-\udfff"
_EMBEDDINGS = r"\u202a-\u202e\u2066-\u2069"
_MARKS = r"\u200e\u200f\u061c"
_HARMFUL = re.compile(rf"[\x00-\x1f{_LATER}{_EMBEDDINGS}]")
_MARK = re.compile(f"[{_MARKS}]")
_RAW = re.compile(f"[{_LATER}{_EMBEDDINGS}{_MARKS}]")
FORMULA = ("=", "+", "-", "@", "'")


def harmless(text: str) -> str:
    """A text for people: U+FFFD for controls and embeddings, without direction marks."""
    return _MARK.sub("", _HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text))


def cell(text: str) -> str:
    """A text for a spreadsheet: harmless, with an apostrophe before what would be a formula.

    One stands before an apostrophe too, so that a reader may take the first of any away.
    """
    text = harmless(text)
    return f"'{text}" if text.startswith(FORMULA) else text


def escape_json(text: str) -> str:
    """JSON with escapes for all that is harmful in it raw; it means the same."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
