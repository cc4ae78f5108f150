"""Read the front matter of a Markdown file: only the few keys that name a page.

Front matter is YAML between lines of `---`, or TOML between lines of `+++`. We need only a few
top-level strings. A full parser would be an attack surface and take most of the time spent on a
note, so this one reads those keys and skips the rest. It supports plain, quoted, folded and literal
scalars, and lists in brackets or with dashes. Nothing is expanded, nested or executed.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

MAX_LENGTH = 65_536
"""Maximum length of front matter in characters; anything longer is treated as text."""

NAMING_KEYS = ("title", "aliases", "alias", "slug", "permalink", "url", "id")

_START = re.compile(r"(---|\+\+\+)[ \t]*\r?\n")
_END = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.M),
    "+++": re.compile(r"^\+\+\+[ \t]*\r?(?:\n|\Z)", re.M),
}
_ITEM = re.compile(r"\s*-(?:\s+|$)(.*)")
_QUOTED = re.compile(r""""((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'""", re.S)
_FOLD, _JOINED = re.compile(r"(?<![ \t])[ \t]*+\n\s*+"), re.compile(r"\\\n[ \t]*")
_ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "_": "\xa0", "N": "\x85", "r": "\r"}
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.S)


class FrontMatter(NamedTuple):
    """The front matter of a file, and its body."""

    values: dict[str, list[str]]
    raw: str
    body: str
    broken: bool = False

    def first(self, *keys: str) -> str:
        """The first value of any of these keys, in order."""
        return next((value for key in keys for value in self.values.get(key, ()) if value), "")


def split_front_matter(text: str, more: tuple[str, ...] = ()) -> FrontMatter:
    """Split a file into front matter and body; `more` are further keys to read."""
    start = _START.match(text)
    if start is None:
        return FrontMatter({}, "", text)
    end = _END[start[1]].search(text, start.end(), start.end() + MAX_LENGTH)
    if end is None:
        return FrontMatter({}, "", text, broken=True)
    raw = text[start.end() : end.start()]
    return FrontMatter(_values(raw.splitlines(), _key(more)), raw, text[end.end() :])


@cache
def _key(more: tuple[str, ...]) -> re.Pattern[str]:
    """The start of a line with one of the keys."""
    keys = "|".join(map(re.escape, (*NAMING_KEYS, *more)))
    return re.compile(rf"""["']?({keys})["']?\s*[:=](?:\s+|$)(.*)""", re.I)


def _values(lines: list[str], pattern: re.Pattern[str]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for number, line in enumerate(lines):
        key = pattern.match(line)
        if key is None or key[1].lower() in values:
            continue
        if key[2].startswith("["):
            values[key[1].lower()] = _flow_list("\n".join([key[2], *lines[number + 1 :]]))
        else:
            values[key[1].lower()] = _value(key[2], _continuation(lines, number + 1))
    return values


def _continuation(lines: list[str], start: int) -> list[str]:
    """The lines that continue the one before: indented lines and list items."""
    end = start
    while end < len(lines) and (not lines[end] or lines[end][0] in " \t-"):
        end += 1
    return lines[start:end]


def _value(first: str, more: list[str]) -> list[str]:
    if first[:1] in (">", "|"):
        return [" ".join(line.strip() for line in more if line.strip())]
    if first[:1] in ('"', "'"):
        quoted = _QUOTED.match("\n".join([first, *more]))
        return [_unquote(quoted)] if quoted else []
    if not first or first.startswith("#"):
        items = [item[1] for line in more if (item := _ITEM.match(line))]
        if items:
            return [scalar for item in items if (scalar := _scalar(item))]
    text = _scalar(" ".join([first, *(line.strip() for line in more)]).strip())
    return [text] if text else []


def _flow_list(text: str) -> list[str]:
    """The strings of a list in brackets."""
    values: list[str] = []
    position, plain = 1, ""
    while position < len(text):
        quoted = _QUOTED.match(text, position) if not plain.strip() else None
        if quoted is not None:
            values.append(_unquote(quoted))
            position = quoted.end()
            continue
        character = text[position]
        if character in ",]":
            values += [_FOLD.sub(" ", plain).strip()] if plain.strip() else []
            plain = ""
            if character == "]":
                break
        else:
            plain += character
        position += 1
    return values


def _scalar(text: str) -> str:
    quoted = _QUOTED.match(text)
    if quoted is not None:
        return _unquote(quoted)
    plain = re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()
    return "" if plain in ("~", "null", "Null", "NULL") else plain


def _unquote(quoted: re.Match[str]) -> str:
    if quoted[1] is None:
        return _FOLD.sub(" ", quoted[2]).replace("''", "'")
    return _ESCAPE.sub(_unescape, _FOLD.sub(" ", _JOINED.sub("", quoted[1])))


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    return _ESCAPES.get(escape[4], escape[4])
