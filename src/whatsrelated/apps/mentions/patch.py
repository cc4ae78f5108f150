"""A unified diff of planned edits, which `git apply` and `patch -p1` accept."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from whatsrelated.apps.mentions.edits import Changes, FileChange

CONTEXT = 3
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def patch(changes: Changes) -> bytes:
    """The diff of all files, in bytes, since each file keeps its encoding."""
    return b"".join(part for change in changes.files for part in _file(change))


def _file(change: FileChange) -> Iterator[bytes]:
    path = change.text.path
    old, new = _name(f"a/{path}"), _name(f"b/{path}")
    yield f"diff --git {old} {new}\n--- {old}{_tab(old)}\n+++ {new}{_tab(new)}\n".encode(
        "utf-8", "surrogateescape"
    )
    before, after = _split(change.old), _split(change.new)
    for hunk in _hunks(_changed(change, before, after), len(before)):
        yield from _hunk(hunk, before, after)


def _split(data: bytes) -> list[bytes]:
    """Lines that end with a line feed, as git sees them."""
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


Block = tuple[int, int, int, int]
"""The first and last line in the old text, then in the new text."""


def _changed(change: FileChange, before: list[bytes], after: list[bytes]) -> Iterator[Block]:
    """The ranges of lines that differ, in order."""
    decoded = change.text.decoded
    text, shift = decoded.text, 0
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    blocks: list[list[int]] = []
    for edit in change.edits:
        first = len(decoded.encode(text[: edit.start]))
        last = len(decoded.encode(text[: edit.end]))
        a = min(bisect_right(starts, first) - 1, len(before) - 1)
        b = min(bisect_right(starts, max(last, first)) - 1, len(before) - 1) + 1
        grown = decoded.encode(edit.new).count(b"\n") - decoded.encode(
            text[edit.start : edit.end]
        ).count(b"\n")
        if blocks and a < blocks[-1][1]:
            blocks[-1][1] = max(blocks[-1][1], b)
            blocks[-1][2] += grown
        else:
            blocks.append([a, b, grown])
    for a, b, grown in blocks:
        yield a, b, a + shift, b + shift + grown
        shift += grown


def _hunks(blocks: Iterator[Block], lines: int) -> Iterator[list[Block]]:
    """Blocks that are close enough to share a hunk."""
    hunk: list[Block] = []
    for block in blocks:
        if hunk and block[0] - hunk[-1][1] > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(block)
    if hunk:
        yield hunk


def _hunk(blocks: list[Block], before: list[bytes], after: list[bytes]) -> Iterator[bytes]:
    start = max(blocks[0][0] - CONTEXT, 0)
    end = min(blocks[-1][1] + CONTEXT, len(before))
    new_start = blocks[0][2] - (blocks[0][0] - start)
    new_end = blocks[-1][3] + (end - blocks[-1][1])
    yield f"@@ -{start + 1},{end - start} +{new_start + 1},{new_end - new_start} @@\n".encode()
    place = start
    for a, b, c, d in blocks:
        yield from (_line(b" ", line) for line in before[place:a])
        yield from (_line(b"-", line) for line in before[a:b])
        yield from (_line(b"+", line) for line in after[c:d])
        place = b
    yield from (_line(b" ", line) for line in before[place:end])


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE


def _name(path: str) -> str:
    """A path as git writes it: quoted if it has control characters, quotes or backslashes."""
    if not any(letter < " " or letter in '"\\\x7f' for letter in path):
        return path
    escapes = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    inner = "".join(
        escapes.get(letter)
        or (f"\\{ord(letter):03o}" if letter < " " or letter == "\x7f" else letter)
        for letter in path
    )
    return f'"{inner}"'


def _tab(name: str) -> str:
    """The tab after a name with spaces, which marks its end."""
    return "\t" if " " in name and not name.startswith('"') else ""
