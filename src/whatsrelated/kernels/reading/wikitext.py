"""Links, templates and headings in wikitext, by position, in plain Python.

1. `clean` removes comments and replaces tags whose contents are not wikitext (`nowiki`,
   `math` …) with a mark; an opening tag that is never closed is text.
2. Braces are matched first, regardless of what is between them: `{{` with `}}`, `{{{` with `}}}`,
   innermost first; unmatched braces are text.
3. `[[` is matched with the next `]]` inside the same braces.  Its target ends at `|` or
   `]]`; if a newline, `<`, `>`, a brace or a single `]` comes first, it is not a link.
4. A line that begins and ends with `=` is a heading.

The targets are not interpreted here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

LINK, TEMPLATE, HEADING = 0, 1, 2
"""The kind of a row.  For a link or template, the row continues with the start and end of the
target and of the label (equal if there is none), the row of the enclosing template (or -1), and
whether its label contains a link; for a heading, with the start and end of the text, its level
twice, and the enclosing template."""

OPAQUE = (
    *("nowiki", "pre", "math", "ce", "chem", "source", "syntaxhighlight", "score", "timeline"),
    *("hiero", "graph", "templatedata", "templatestyles", "mapframe", "maplink"),
)
"""Tags whose contents are not wikitext."""

MARK = b"\x7f"
LONGEST_TARGET = 1024
_TOKENS = re.compile(rb"\[{2,}|\]{2,}|\{{2,}|\}{2,}|(?:^|(?<=\n))=[^\n]*")
_TARGET = re.compile(rb"[^|\]\[{}<>\n\x7f]*")
_NAME = re.compile(rb"[^|\]\[{}<>\x7f]*")


def clean(text: bytes, hidden: bytes) -> bytes:
    """The text without comments and without the contents of opaque tags.

    `hidden` is one more such tag: `includeonly` for a page, `noinclude` for a template.
    """
    names = rb"|".join(re.escape(name) for name in (hidden, *(n.encode() for n in OPAQUE)))
    opening = re.compile(rb"<!--|<(%b)(?=[\s/>])" % names, re.I)
    parts = []
    done = at = 0
    unclosed: set[bytes] = set()
    while (tag := opening.search(text, at)) is not None:
        at = tag.end()
        if tag[1] is None:
            end = text.find(b"-->", at)
            parts.append(text[done : tag.start()])
            done = at = len(text) if end < 0 else end + 3
            continue
        name = tag[1].lower()
        if name in unclosed:
            continue
        start_end = text.find(b">", at)
        if start_end >= 0 and text[start_end - 1] == ord("/"):
            end = start_end + 1
        elif start_end < 0:
            end = -1
        else:
            closing = re.compile(rb"</%b\s*>" % re.escape(name), re.I).search(text, start_end)
            end = closing.end() if closing is not None else -1
        if end < 0:
            unclosed.add(name)
            continue
        parts += [text[done : tag.start()], MARK]
        done = at = end
    parts.append(text[done:])
    return b"".join(parts)


def scan(text: bytes) -> NDArray[int64]:
    """The rows of a cleaned text, in order; see `LINK`."""
    events = _events(text)
    rows: list[list[int]] = []
    closed: list[bool] = []
    template = -1
    levels: list[tuple[int, int]] = []
    links: list[int] = []
    base = 0
    for kind, at, more in events:
        if kind == _OPEN and more:
            levels.append((template, base))
            base = len(links)
            if more > 0:
                end = _NAME.match(text, at).end()  # type: ignore[union-attr]
                rows.append([TEMPLATE, at, end, end, more, template, 0])
                closed.append(True)
                template = len(rows) - 1
        elif kind == _CLOSE:
            del links[base:]
            template, base = levels.pop()
        elif kind == _LINK_OPEN:
            end = _target_end(text, at)
            if end >= 0:
                if len(links) > base and links[-1] >= 0:
                    rows[links[-1]][6] = 1
                label = end + 1 if text[end : end + 1] == b"|" else end
                rows.append([LINK, at, end, label, label, template, 0])
                closed.append(False)
            links.append(len(rows) - 1 if end >= 0 else -1)
        elif kind == _LINK_CLOSE and len(links) > base:
            link = links.pop()
            if link >= 0:
                closed[link] = True
                rows[link][4] = max(at, rows[link][3])
        elif kind == _HEADING:
            rows.append([HEADING, at, more >> 3, more & 7, more & 7, template, 0])
            closed.append(True)
    places = np.cumsum(closed, dtype=np.int64) - 1
    kept = [row for row, whole in zip(rows, closed, strict=True) if whole]
    for row in kept:
        row[5] = int(places[row[5]]) if row[5] >= 0 else -1
    return np.array(kept, np.int64).reshape(-1, 7)


_OPEN, _CLOSE, _LINK_OPEN, _LINK_CLOSE, _HEADING = range(5)


def _events(text: bytes) -> list[tuple[int, int, int]]:
    """Where braces, links and headings open and close, in order.

    Each opening brace has the position of its partner: 0 if it has none, negative for `{{{`.
    """
    events: list[tuple[int, int, int]] = []
    opened: list[tuple[int, int]] = []
    at = 0
    while (match := _TOKENS.search(text, at)) is not None:
        first, at = match.span()
        size = at - first
        kind = match[0][:1]
        if kind == b"=":
            heading = _heading(match[0])
            at = first + 1
            if heading is not None:
                start, end, level = heading
                events.append((_HEADING, first + start, (first + end) << 3 | level))
        elif kind == b"[":
            events.append((_LINK_OPEN, at, 0))
        elif kind == b"]":
            events += [(_LINK_CLOSE, first + 2 * pair, 0) for pair in range(size // 2)]
        elif kind == b"{":
            place = first
            for braces in _split(size):
                place += braces
                opened.append((len(events), braces))
                events.append((_OPEN, place, 0))
        else:
            place = first
            while size >= 2 and opened:
                event, braces = opened.pop()
                events[event] = _OPEN, events[event][1], place if braces == 2 else -1
                events.append((_CLOSE, place, 0))
                used = min(braces, size)
                place += used
                size -= used
    return events


def _split(size: int) -> list[int]:
    """Divide a run of opening braces into pairs and triples, with triples innermost."""
    twos = -size % 3
    return [2] * twos + [3] * ((size - 2 * twos) // 3)


def _target_end(text: bytes, at: int) -> int:
    """The end of the target that begins here; -1 if there is none."""
    match = _TARGET.match(text, at, at + LONGEST_TARGET)
    assert match is not None
    end = match.end()
    if end == at or not (text[end : end + 1] == b"|" or text[end : end + 2] == b"]]"):
        return -1
    return end


def _heading(line: bytes) -> tuple[int, int, int] | None:
    """The start and end of a heading's text in its line, and its level; None if it is not one."""
    whole = line.rstrip(b" \t\r\x7f")
    before = len(whole) - len(whole.lstrip(b"="))
    after = len(whole) - len(whole.rstrip(b"="))
    level = min(before, after, 6)
    if before == len(whole):
        level = min((before - 1) // 2, 6)
    if level < 1:
        return None
    return level, len(whole) - level, level
