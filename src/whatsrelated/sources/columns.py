"""One link per line, in two columns, separated by tabs, commas, semicolons or spaces.

1. From the first lines, find the delimiter, the number of columns, and whether the
   first line is a header (`src dst`, `FromNodeId ToNodeId` …).
2. Choose the two columns with the links (sources/tables).
3. Read the links as numbers up to the first name, then as names.

`#` starts a comment, and so does `%` unless it is an escape such as `%C3%81`. Files from SNAP and
Common Crawl have this format, and so does CSV.
"""

from __future__ import annotations

import csv
import os
import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.options import option
from whatsrelated.sources.files import File, only_names
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.tables import RowFilter, TableReader, columns_by_words, describe_filters
from whatsrelated.stream import NamedLinks, Names, NumberedLinks

DELIMITERS = {"tab": "\t", "comma": ",", "semicolon": ";", "space": " "}
SAMPLE_LINES = 200
NUMBERS_AT_ONCE = 1 << 23
MAX_COLUMNS = 256
RECORDS_AT_ONCE = 1 << 22
_VALUE = re.compile(r"[\d.,:/%+\s-]+|(?=.*\d{4})(?:\D{0,20}\d{1,4}){2,7}\D{0,9}")
"""A number, a date or a time in any language: a value, but not the name of a page."""


@dataclass(frozen=True)
class Layout:
    """Which columns of a file hold the links."""

    delimiter: str
    columns: int
    source: int
    target: int
    filters: tuple[RowFilter, ...] = ()
    header: tuple[str, ...] = ()
    start: int = 0
    """The first byte after the header."""
    line: int = 0
    """The header line."""
    records: bool = False
    """Whether a quoted field may contain a newline."""
    quoted: bool = False
    """Whether fields are quoted although tabs separate them, as in Ahrefs' exports."""

    @property
    def has_lines(self) -> bool:
        """Whether each line stands alone, so the file can be read in parts."""
        return not self.records and len(self.filters) < 2


@dataclass(frozen=True)
class ColumnsReader(TableReader):
    """One link per line, in two of its columns."""

    name = "columns"
    sentence = "one link per line, in two columns: TSV, CSV, SNAP, Common Crawl, SEO tools"

    suffixes = (".tsv", ".csv", ".txt", ".edges", ".edgelist")

    delimiter: str = option(
        "auto", "the character that separates columns", choices=("auto", *DELIMITERS)
    )
    header: str = option(
        "auto", "whether the first line names the columns", choices=("auto", "yes", "no")
    )

    @classmethod
    def recognises(cls, file: File) -> bool:
        if is_binary(file.sample):
            return False
        lines = first_lines(file)
        delimiter = best_delimiter(lines)
        rows = [split(line, delimiter) for line in lines]
        return sum(len(row) > 1 for row in rows) * 2 >= len(rows) > 0

    def about(self, file: File) -> str:
        layout = self.layout(file)
        names = {mark: name for name, mark in DELIMITERS.items()}
        which = [str(1 + layout.source), str(1 + layout.target)]
        if layout.header:
            which = [layout.header[layout.source], layout.header[layout.target]]
        return f"{names[layout.delimiter]} between columns, links from {which[0]} to {which[1]}"

    def layout(self, file: File) -> Layout:
        """Which columns hold the links, by the first lines and the options."""
        lines = first_lines(file)
        if not lines:
            raise ReadError(f"{file.label} has no links: it has only comments.")
        known = next((mark for mark in "\t,;" if _known_columns(split(lines[0], mark))), None)
        delimiter = DELIMITERS.get(self.delimiter) or known or best_delimiter(lines)
        rows = [split(line, delimiter) for line in lines]
        width = _usual_width(rows)
        if width < 2:
            raise only_names(file, "has one column, but a link needs two")
        quoted = delimiter == "\t" and all(map(_is_quoted, rows[0]))
        if quoted:
            rows = [[field.strip(b'"') for field in row] for row in rows]
        title = len(rows[0]) == 1 and len(rows) > 1 and self._header(rows[1:]) != ()
        header = self._header(rows[title:])
        if header:
            width = len(header)
        elif not self.columns:
            _require_two_names(file.label, rows, width)
        source, target = self.link_columns(file.label, header, width, rows[title])
        filters = tuple(self.row_filters(file.label, header, width, rows))
        start = line = 0
        if header:
            start, line = header_end(file, 1 + title)
        quoted = quoted and header != ()
        records = quoted or (delimiter in ",;" and has_open_quotes(lines))
        return Layout(
            delimiter, width, source, target, filters, header, start, line, records, quoted
        )

    def _header(self, rows: list[list[bytes]]) -> tuple[str, ...]:
        """The names of the columns, or nothing if the first line is a link."""
        first = tuple(field.decode(errors="replace").strip() for field in rows[0])
        if self.header == "no" or len(first) < 2 or len(first) > MAX_COLUMNS:
            return ()
        if self.header == "yes" or columns_by_words(first) is not None:
            return first
        wheres = [one.partition("=")[0] for one in (self.where or "").split("\n")]
        named_columns = (self.columns or "").split(",") + wheres
        if any(name and not name.isdigit() and name.strip() in first for name in named_columns):
            return first
        later = [row[:2] for row in rows[1:]]
        named = not any(_is_number(field) for field in rows[0][:2])
        is_header = named and later and (_all_numbers(later) or _only_later_urls(rows))
        return first if is_header else ()

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        layout = self.layout(file)
        if not layout.has_lines:
            return links_in_records(file, layout, context)
        if file.first:
            layout = replace(layout, start=0, line=0)
        return links_in(file, layout, context)


def _require_two_names(label: str, rows: list[list[bytes]], width: int) -> None:
    """Raise ReadError if only one column holds names, as in lists of backlinks with dates."""
    texts = [[field.decode(errors="replace") for field in row] for row in rows]
    if len(rows) < 2 or any(len(row) != width for row in rows):
        return
    values = [all(_VALUE.fullmatch(row[place]) for row in texts[1:]) for place in range(width)]
    if values.count(False) != 1:
        return
    name, value = values.index(False), values.index(True)
    has_header = len(rows) > 2 and _VALUE.fullmatch(texts[0][value]) is None
    if name < value and (has_header or all("://" in row[name] for row in texts[1:])):
        raise ReadError(
            f"{label} lists pages with dates or numbers, not with the pages they link to: column "
            f"{value + 1} has {texts[1][value]!r:.40}. If these are pages, add --columns "
            f"{name + 1},{value + 1}."
        )


def _is_quoted(field: bytes) -> bool:
    return len(field) > 1 and field.startswith(b'"') and field.endswith(b'"')


def links_in(file: File, layout: Layout, context: ReadContext) -> Iterator[Item]:
    """The links of a file of columns, as numbers up to the first name, then as names."""
    where, value = layout.filters[0] if layout.filters else (-1, b"")
    settings = (
        ord(layout.delimiter),
        layout.columns,
        layout.source,
        layout.target,
        where,
        value,
    )
    lines = kernels.link_lines.LinkLines(
        *settings,
        memory=min(context.memory, NUMBERS_AT_ONCE),
        line=layout.line,
    )
    numbers = True
    excluded = 0
    start = layout.start
    for piece in file.blocks():
        while start < len(piece):
            if numbers:
                start = lines.numbers(piece, start, context.numbers_only)
            else:
                start = lines.names(piece, start)
            context.refuse_lines(file, lines)
            if start < len(piece):
                full = lines.full
                if lines.links:
                    yield _take_batch(lines, numbers)
                if numbers and not full:
                    numbers = False
                    seed = int.from_bytes(os.urandom(8), "little")
                    excluded = lines.excluded
                    lines = kernels.link_lines.LinkLines(
                        *settings, memory=context.memory, line=lines.line, seed=seed
                    )
        start -= len(piece)
    if lines.links:
        yield _take_batch(lines, numbers)
    if excluded := excluded + lines.excluded:
        context.counter("columns")[describe_filters(layout.header, layout.filters)] += excluded


def links_in_records(file: File, layout: Layout, context: ReadContext) -> Iterator[Item]:
    """The links of a table read by the csv module, for multi-line fields or several filters."""
    excluded = describe_filters(layout.header, layout.filters)
    first = layout.line if layout.header else 0
    lines = islice(file.numbered_lines(), max(first - 1, 0), None)
    texts = (line.decode("utf-8", "replace") + "\n" for _, line in lines)
    if layout.delimiter == " ":
        texts = (" ".join(text.split()) + "\n" for text in texts)
    if layout.delimiter in ",;" or layout.quoted:
        rows = csv.reader(texts, delimiter=layout.delimiter)
    else:
        rows = csv.reader(texts, delimiter=layout.delimiter, quoting=csv.QUOTE_NONE)
    filters = [(place, value.decode()) for place, value in layout.filters]
    ids: dict[str, int] = {}
    ends = array("I")
    has_header = bool(layout.header)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            break
        except csv.Error:
            context.refuse("broken quotes", f"{file.label}:{rows.line_num}")
            continue
        if has_header:
            has_header = False
            continue
        if not row or (len(row) == 1 and not row[0].strip()) or row[0].startswith("#"):
            continue
        context.lines += 1
        if len(row) != layout.columns:
            context.bad_lines += 1
            context.refuse("mixed column counts", f"{file.label}:{rows.line_num}: {row[0]:.80}")
        elif all(row[place].strip() == value for place, value in filters):
            names = row[layout.source].strip(), row[layout.target].strip()
            if all(names):
                ends.extend(ids.setdefault(name, len(ids)) for name in names)
            else:
                context.bad_lines += 1
                context.refuse("empty name", f"{file.label}:{rows.line_num}")
            if len(ends) >= RECORDS_AT_ONCE:
                yield _named(ids, ends)
                ids, ends = {}, array("I")
        else:
            context.counter("columns")[excluded] += 1
    if ends:
        yield _named(ids, ends)


def _named(ids: dict[str, int], ends: array[int]) -> NamedLinks:
    """The links between these names; `ends` alternates sources and targets."""
    pairs = np.array(ends, np.uint32).reshape(-1, 2)
    names = Names.of(name.encode("utf-8", "replace") for name in ids)
    return NamedLinks(names, pairs[:, 0].copy(), pairs[:, 1].copy())


def has_open_quotes(lines: list[bytes]) -> bool:
    """Whether any line has an unclosed quote, that is, a field that continues on the next line."""
    return any(line.count(b'"') % 2 for line in lines)


def _take_batch(lines: kernels.link_lines.LinkLines, numbers: bool) -> NumberedLinks | NamedLinks:
    """Take the links that the kernel has read so far, as a batch."""
    if numbers:
        return NumberedLinks(*lines.take_numbers())
    blob, offsets, sources, targets = lines.take_names()
    return NamedLinks(Names(blob, offsets), sources, targets)


def first_lines(file: File) -> list[bytes]:
    """The first lines that are neither blank nor comments."""
    lines = file.sample.split(b"\n")
    if not file.is_short and len(lines) > 1:
        lines.pop()
    full = (line.rstrip(b"\r") for line in lines if line.strip() and not is_comment(line))
    return list(islice(full, SAMPLE_LINES))


def is_comment(line: bytes) -> bool:
    """Whether a line starts with `#`, or with a `%` that is not an escape.

    A `#` may also be the name of a table's first column, as in older exports of Ahrefs.
    """
    if (match := re.match(rb"#([\t,;])", line)) is not None:
        return not _known_columns(split(line, match[1].decode()))
    return re.match(rb"#|%(?![0-9A-Fa-f]{2})", line) is not None


def _known_columns(fields: list[bytes]) -> bool:
    """Whether a line is a header that names the columns of links."""
    names = [field.decode(errors="replace").strip(' "') for field in fields]
    return len(names) > 1 and columns_by_words(names) is not None


def is_binary(sample: bytes) -> bool:
    """Whether more than a tenth of the bytes never occur in text."""
    odd = len(sample.translate(None, bytes([9, 10, 13, *range(32, 256)])))
    return odd * 10 > len(sample)


def best_delimiter(lines: list[bytes]) -> str:
    """The delimiter that splits most lines into the same number of columns, at least two."""
    best, best_share = " ", 0.0
    for mark in DELIMITERS.values():
        widths = Counter(len(split(line, mark)) for line in lines)
        regular = max((count for width, count in widths.items() if width > 1), default=0)
        if regular > best_share * 1.1:
            best, best_share = mark, float(regular)
    return best


_QUOTED_FIELDS = {
    mark: re.compile(rb'(?:^|%b)([ \t]*"(?:[^"]|"")*"[ \t]*|[^%b]*)' % ((mark.encode(),) * 2))
    for mark in ",;"
}


def split(line: bytes, delimiter: str) -> list[bytes]:
    """The columns of a line as the kernel sees them; doubled quotes stay doubled."""
    if delimiter == " ":
        return re.split(rb"[ \t]+", line.strip(b" \t"))
    if delimiter in ",;" and b'"' in line:
        fields = _QUOTED_FIELDS[delimiter].findall(line)
        return [field.strip(b" \t").strip(b'"') for field in fields]
    return [field.strip(b" \t") for field in line.split(delimiter.encode())]


def _usual_width(rows: list[list[bytes]]) -> int:
    widths = Counter(len(row) for row in rows)
    return max(widths, key=lambda width: (widths[width], width == 2, width), default=0)


def _is_number(field: bytes) -> bool:
    return re.fullmatch(rb"[0-9]+", field) is not None


def _only_later_urls(rows: list[list[bytes]]) -> bool:
    """Whether at least two columns hold URLs in every row but the first, which has none."""
    columns = list(zip(*rows, strict=False))
    urls = [column for column in columns if all(b"://" in field for field in column[1:])]
    return len(urls) > 1 and not any(b"://" in field for field in rows[0])


def _all_numbers(rows: list[list[bytes]]) -> bool:
    return all(_is_number(field) for row in rows for field in row)


def header_end(file: File, lines: int = 1) -> tuple[int, int]:
    """The byte and line number after the first lines that are neither blank nor comments."""
    start = line = 0
    for text in file.sample.split(b"\n"):
        start += len(text) + 1
        line += 1
        lines -= bool(text.strip() and not is_comment(text))
        if not lines:
            break
    return start, line
