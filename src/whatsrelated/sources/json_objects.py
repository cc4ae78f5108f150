"""The objects of a JSON file: one per line, an array of them, or an array inside an object.

Lines are decoded one at a time, even in an array with one object per line, so memory holds a single
object.  Any other JSON is decoded as a whole, up to `MAX_WHOLE`; `NumberInt(1)`, as MongoDB's
shell writes numbers, is 1 there.

`first_objects` serves recognition: readers claim a file by the keys of its first objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import ReadError

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

LONGEST_LINE = 1 << 26
MAX_WHOLE = 1 << 30
"""Maximum size in bytes of JSON that does not have one object per line."""
SAMPLE_OBJECTS = 20
"""Maximum number of objects sampled to recognise a format."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\],]|[^{}\[\],"]++', re.DOTALL)
_SHELL_NUMBER = re.compile(rb"\bNumber(?:Int|Long)\((-?+\d++)\)")


def json_objects(file: File, *inside: str) -> Iterator[tuple[str, Any]]:
    """A file's objects with the place of each; None for a line that is not JSON.

    `inside` lists the keys that may hold the array, such as `results`.
    """
    pieces = _by_line(file) if _has_one_per_line(file) else _whole(file)
    for place, value in pieces:
        for key in inside:
            if isinstance(value, dict) and isinstance(value.get(key), dict | list):
                value = value[key]
        for one in value if isinstance(value, list) else [value]:
            yield place, one


def first_objects(file: File, *inside: str) -> list[dict[str, Any]]:
    """The first objects of a JSON file, as far as its sample goes; empty if it is not JSON.

    `inside` lists the keys that may hold the array.
    """
    objects: list[Any] = []
    for value in _beginning(file.sample):
        for key in inside:
            if isinstance(value, dict) and isinstance(value.get(key), dict | list):
                value = value[key]
        objects += value if isinstance(value, list) else [value]
    return [one for one in objects[:SAMPLE_OBJECTS] if isinstance(one, dict)]


@lru_cache(maxsize=4)
def _beginning(sample: bytes) -> list[Any]:
    """The values of the first lines, or the first value, closed where the sample ends."""
    import msgspec

    lines = [line for line in sample.split(b"\n") if line.strip()][: SAMPLE_OBJECTS + 1]
    values = []
    for line in lines if sample.lstrip().startswith(b"{") else ():
        try:
            values.append(msgspec.json.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            break
    if values:
        return values
    try:
        return [msgspec.json.decode(_closed(_without_shell_numbers(sample)))]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []


def _without_shell_numbers(data: bytes) -> bytes:
    return _SHELL_NUMBER.sub(rb"\1", data) if b"Number" in data else data


def _closed(sample: bytes) -> bytes:
    """The first value of a sample; if it is cut short, without its last element and closed."""
    start = len(sample) - len(sample.lstrip())
    open_ends: list[bytes] = []
    position = kept = start
    while token := _TOKEN.match(sample, position):
        position, first = token.end(), token[0][:1]
        if first in b"{[":
            open_ends.append(b"}" if first == b"{" else b"]")
        elif first in b"}]":
            del open_ends[-1:]
            if not open_ends:
                return sample[:position]
        elif first != b",":
            continue
        kept = token.start() if first == b"," else position
    return sample[:kept] + b"".join(reversed(open_ends))


def _has_one_per_line(file: File) -> bool:
    """Whether the first full line, or the one after an opening bracket, is an object."""
    import msgspec

    lines = (line for line in file.sample.split(b"\n") if line.strip(b"[, \t\r"))
    for line in islice(lines, 1):
        try:
            return isinstance(msgspec.json.decode(_bare(line)), dict)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            # An object that fills the sample is long; an indented one has many lines.
            return file.sample.count(b"\n") == 0 and not file.is_short and line[:1] == b"{"
    return False


def _bare(line: bytes) -> bytes:
    """A line without the brackets and commas of an array around its object."""
    return line.strip().lstrip(b"[,").rstrip(b",]").strip()


def _by_line(file: File) -> Iterator[tuple[str, Any]]:
    import msgspec

    decode = msgspec.json.Decoder().decode
    for number, line in file.numbered_lines(LONGEST_LINE):
        if not (bare := _bare(line)):
            continue
        try:
            value = decode(bare) if len(line) <= LONGEST_LINE else None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            value = None
        yield file.place(number, line), value


def _whole(file: File) -> Iterator[tuple[str, Any]]:
    import msgspec

    data = bytearray()
    for piece in file.pieces():
        data += piece
        if len(data) > MAX_WHOLE:
            raise ReadError(
                f"{file.label} is over {MAX_WHOLE >> 30} GB of JSON in one piece; "
                "write one object per line: jq -c '.[]'."
            )
    try:
        whole = _without_shell_numbers(bytes(data).removeprefix(b"\xef\xbb\xbf"))
        value = msgspec.json.decode(whole)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ReadError(f"{file.label} is not JSON, or cut short.") from None
    yield file.label, value
