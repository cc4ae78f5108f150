"""Make hostile names and titles safe to show.

Control characters drive terminals, line separators break lines, bidirectional
characters make a line read as another, and tag characters hide text from people.
"""

from __future__ import annotations

import re

_LATER = r"\x7f-\x9f\u2028\u2029\ud800-\udfff"
_EMBEDDINGS = r"\u202a-\u202e\u2066-\u2069"
_MARKS = r"\u200e\u200f\u061c"
_TAGS = r"\U000e0000-\U000e007f"
_HARMFUL = re.compile(rf"[\x00-\x1f{_LATER}{_EMBEDDINGS}]")
_MARK = re.compile(f"[{_MARKS}{_TAGS}]")
_RAW = re.compile(f"[{_LATER}{_EMBEDDINGS}{_MARKS}{_TAGS}]")
_FORMULA = re.compile(r"""[\s\u200b-\u200d\u2060\ufeff'"]*+[=+\-@\uff1d\uff0b\uff0d\uff20]|'""")
"""What a spreadsheet may take for a formula, even behind blanks, quotes or invisible letters."""


def harmless(text: str) -> str:
    """A text for people: U+FFFD for controls and embeddings, no direction marks and no tags."""
    return _MARK.sub("", _HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text))


def cell(text: str) -> str:
    """A text for a spreadsheet: harmless, with an apostrophe before what would be a formula.

    An apostrophe is escaped in the same way, so a reader can always remove the first one.
    """
    text = harmless(text)
    return f"'{text}" if _FORMULA.match(text) else text


def escape_json(text: str) -> str:
    """JSON with harmful characters escaped; its meaning stays the same."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _RAW.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
