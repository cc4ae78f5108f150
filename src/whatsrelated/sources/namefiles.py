"""Names files: the names for the numbers of a source.

- one name per line;
- `id name`, separated by a tab, comma, semicolon or spaces, with or without a header; if there are
  more columns, the header identifies them (`id`, `url`, `title`), otherwise the first two count;
- Common Crawl's vertices (`id<TAB>com.example.www`): a reversed host is the page
  `http://www.example.com/`, which has a host and a domain;
- Toronto's `nodes`: blocks of `id (origid) [R]`, URL, title and degrees, latin-1.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.sources.columns import best_delimiter, first_lines, header_end, split
from whatsrelated.sources.reader import whole_number
from whatsrelated.sources.tables import columns_by_words, word_of
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import ReadContext

NAMES = ("url", "uri", "name", "host", "domain", "page", "title")
ALONE = (*NAMES, "label", "link")
_TORONTO = re.compile(rb"\s*+[0-9]++\s++[0-9]++ \([^)\n]*+\) \[[A-Z]\][^\S\n]*+\n")
_BLOCK = re.compile(
    r"^[ \t]*+([0-9]++) \([^)\n]*+\) \[[A-Z]\][^\n]*+\n([^\n]*+)\n([^\n]*+)\n", re.M
)
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*")


@dataclass(frozen=True, slots=True)
class NameList:
    """The names in one file, with their numbers and titles, if any."""

    names: Names
    numbers: NDArray[uint64] | None
    titles: dict[int, str]


@dataclass(frozen=True)
class NamesLayout:
    """The columns of numbers, names and titles; -1 if there is none."""

    delimiter: str = "\t"
    columns: int = 1
    number: int = -1
    name: int = 0
    title: int = -1
    has_header: bool = False


def read_names(file: File, context: ReadContext, columns: str | None = None) -> NameList:
    """The names in a file."""
    if _TORONTO.match(file.sample):
        return _read_toronto(file)
    layout = layout_of(file, columns)
    start, line = header_end(file) if layout.has_header else (0, 0)
    lines = kernels.name_lines.NameLines(
        ord(layout.delimiter), layout.columns, layout.number, layout.name, layout.title, line=line
    )
    for piece in file.blocks():
        if start < len(piece):
            lines.feed(piece, start)
            context.refuse_lines(file, lines)
        start = max(0, start - len(piece))
    blob, offsets, title_blob, title_offsets, numbers = lines.take()
    titles = {
        place: title.decode()
        for place, title in enumerate(Names(title_blob, title_offsets))
        if title
    }
    if layout.number < 0:
        return NameList(_without_trailing_blanks(Names(blob, offsets)), None, titles)
    return NameList(Names(blob, offsets), numbers, titles)


def is_host_list(file: File) -> bool:
    """Whether a file is Common Crawl's vertices: numbers and reversed hosts, no header."""
    if _TORONTO.match(file.sample) or not first_lines(file):
        return False
    layout = layout_of(file)
    numbered = layout.number >= 0 and not layout.has_header
    return numbered and _is_reversed(_rows(file, layout), layout.name)


def looks_like_names(file: File) -> bool:
    """Whether a source file is a list of numbered names without links."""
    if _TORONTO.match(file.sample):
        return True
    if not first_lines(file):
        return False
    layout = layout_of(file)
    rows = _rows(file, layout)
    header = split(first_lines(file)[0], layout.delimiter) if layout.has_header else []
    if columns_by_words([field.decode(errors="replace") for field in header]) is not None:
        return False
    if layout.number < 0 or not all(_is_numbered(row) for row in rows):
        return False
    numbers = [whole_number(row[0]) for row in rows]
    counted = all(a is not None and b == a + 1 for a, b in pairwise(numbers))
    return counted and len(rows) > 1 and not any(row[layout.name].isdigit() for row in rows)


def layout_of(file: File, columns: str | None = None) -> NamesLayout:
    """The layout of a names file, according to its first lines or the requested columns."""
    lines = first_lines(file)
    if not lines:
        raise ReadError(f"{file.label} contains no names.")
    delimiter = best_delimiter(lines)
    rows = [split(line, delimiter) for line in lines]
    first = [field.decode(errors="replace") for field in rows[0]]
    if columns:
        number, name = _requested_columns(file, columns, first)
        return NamesLayout(
            delimiter, len(first), number, name, has_header=not first[number].isdigit()
        )
    later = rows[1:] or rows
    if sum(map(_is_numbered, later)) * 2 <= len(later):
        alone = all(word_of(field) in ALONE for field in first) and len(rows) > 1
        return NamesLayout(has_header=alone)
    has_header = not first[0].isdigit()
    width = len(first) if has_header or delimiter != " " else 2
    words = [word_of(field) for field in first] if has_header else []
    name = next((place for word in NAMES for place in _places(words, word)), 1)
    title = next((place for place in _places(words, "title") if place != name), -1)
    return NamesLayout(delimiter, width, 0, name, title, has_header)


def _is_numbered(row: list[bytes]) -> bool:
    return len(row) > 1 and row[0].isdigit()


def _rows(file: File, layout: NamesLayout) -> list[list[bytes]]:
    return [split(line, layout.delimiter) for line in first_lines(file)[layout.has_header :]]


def _places(words: list[str], word: str) -> list[int]:
    return [place for place, other in enumerate(words) if place and other == word]


def _requested_columns(file: File, columns: str, header: list[str]) -> tuple[int, int]:
    """The requested columns of number and name, given by name or number."""
    places = [
        header.index(name) if name in header else (whole_number(name) or 0) - 1
        for name in (name.strip() for name in columns.split(","))
    ]
    if len(places) != 2 or not all(0 <= place < len(header) for place in places):
        raise ReadError(
            f"{file.label} has no columns {columns!r:.80} for number and name; "
            f"it has: {', '.join(header)}."
        )
    return places[0], places[1]


def _is_reversed(rows: list[list[bytes]], place: int) -> bool:
    """Whether most names are reversed hosts: `com.example.www`."""
    hosts = [row[place].decode(errors="replace") for row in rows if len(row) > place]
    labels = [host.split(".") for host in hosts if "." in host]
    if not labels or not all(map(_HOST.fullmatch, hosts)):
        return False
    first = sum(_is_top(parts[0]) for parts in labels)
    last = sum(_is_top(parts[-1]) for parts in labels)
    return len(labels) * 2 > len(hosts) and first > last


def _is_top(label: str) -> bool:
    top: str | None = _known_suffixes().publicsuffix(label)
    return top == label


@cache
def _known_suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)


def _read_toronto(file: File) -> NameList:
    blocks = _BLOCK.findall(file.read().decode("latin-1"))
    announced = whole_number(file.sample.split(None, 1)[0]) or 0
    numbers = [whole_number(block[0]) for block in blocks]
    if len(blocks) != announced or None in numbers:
        raise ReadError(
            f"{file.label} is cut short or damaged: it has {len(blocks):,} of {announced:,} pages."
        )
    titles = {
        place: html.unescape(title.strip())
        for place, (_, _, title) in enumerate(blocks)
        if title.strip()
    }
    names = Names.of(url.rstrip("\r").replace("\t", " ").encode() for _, url, _ in blocks)
    return NameList(names, np.array(numbers, np.uint64), titles)


def _without_trailing_blanks(names: Names) -> Names:
    used = np.flatnonzero(np.diff(names.offsets))
    return Names(names.blob, names.offsets[: int(used[-1]) + 2 if len(used) else 1])
