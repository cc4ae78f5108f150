"""Make hostile names and titles safe to show.

Control characters drive terminals, and line separators break lines. Bidirectional characters can
make one line look like another, and tag characters hide text from people.
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
_INVISIBLE = (
    r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\u206a-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc"
)
"""Characters that Unicode allows programs to hide, besides those that `harmless` removes."""
_SIGNS = r"=+\-@\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
"""The signs that begin a formula, also as small and full-width forms."""
_FORMULA = re.compile(rf"""[\s{_INVISIBLE}'"]*+[{_SIGNS}]|'""")
"""Text that a spreadsheet may take for a formula, even after spaces, quotes or invisible
characters.
"""


def harmless(text: str) -> str:
    """Text made safe to show: U+FFFD replaces controls and embeddings; direction marks and tags
    are removed.
    """
    return _MARK.sub("", _HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text))


def cell(text: str) -> str:
    """Text made safe for a spreadsheet: anything that looks like a formula is prefixed with an
    apostrophe.

    A leading apostrophe is escaped in the same way, so a program can always remove the first one.
    """
    text = harmless(text)
    return f"'{text}" if _FORMULA.match(text) else text


def escape_json(text: str) -> str:
    """JSON with harmful characters escaped; its meaning does not change."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _RAW.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def shorten_address(address: str, limit: int, *, host: bool) -> str:
    """Cut an address in the middle of its path to `limit` characters; a host is never cut.

    The cut is made between folders or words if it can be.
    With `host`, the address begins with a host, or with a scheme, which is dropped first.
    """
    if len(address) > limit and host:
        address = address.rpartition("://")[2]
    if len(address) <= limit:
        return address
    name, slash, path = address.partition("/") if host else ("", "", address)
    room = max(limit - len(name + slash) - 1, 0)
    begin, end = path[: room // 3], path[len(path) - (room - room // 3) :]
    begin = begin[: begin.rfind("/") + 1] or begin
    cuts = (end.find(mark) for mark in "/-+_")
    end = end[next((at for at in cuts if 0 < at <= len(end) // 2), 0) :]
    return f"{name}{slash}{begin}…{end}" if path else address
