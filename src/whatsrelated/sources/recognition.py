"""Find the reader for a file, or raise an error that names its format and suggests what to do.

1. Readers check the contents first, then the name.
2. Nearly any text could pass for a list of columns. Before a file is read as one, it is therefore
   compared with `FOREIGN`: known formats that are not lists of links or have no reader yet.
3. A list is rejected if its columns look like markup, or if more than a tenth of its lines could
   not be read (`require_few_refused`), unless `--format` names its format.

When a format gets a reader, remove its line from `FOREIGN`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.sources.files import File, only_names
from whatsrelated.sources.json_objects import first_objects
from whatsrelated.sources.namefiles import looks_like_names
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.sources.reader import Reader

LISTS = ("rows", "columns")
"""Formats that nearly any text could be mistaken for."""

HOLDERS = ("message", "results", "items", "data")
"""The keys that hold the objects in an API's response."""

SAMPLE_IN_FOLDER = 50
"""Number of files of a folder without pages that are tried on the readers of files."""

MAX_REFUSED = 0.1
"""Maximum share of a list's lines that may be rejected."""

Test = Callable[["File"], bool]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A format without a reader: its test, its name and advice."""

    test: Test
    what: str
    way: str


def starts(*magic: bytes, at: int = 0) -> Test:
    """Tests whether a file has one of these magic numbers."""
    return lambda file: file.sample[at:].startswith(magic)


def begins(expression: bytes) -> Test:
    """Tests whether a file begins with this expression, ignoring case and leading white space."""
    compiled = re.compile(rb"\s*+(?:" + expression + rb")", re.IGNORECASE)
    return lambda file: compiled.match(file.sample) is not None


def holds(opening: bytes, mark: bytes) -> Test:
    """Whether a file begins with `opening`, after white space, and has `mark` near its
    beginning."""
    return lambda file: file.sample.lstrip().startswith(opening) and mark in file.sample


def has_line(expression: bytes) -> Test:
    """Tests whether one of the first lines begins with this expression."""
    compiled = re.compile(rb"^(?:" + expression + rb")", re.MULTILINE | re.IGNORECASE)
    return lambda file: compiled.search(file.sample) is not None


def root_element(*names: bytes) -> Test:
    """Tests whether a file is XML whose root element has one of these names."""
    return begins(_PROLOGUE + rb"<(?:\w+:)?(?:" + b"|".join(names) + rb")[\s/>]")


_COMMENTS = rb"(?:(?s:<\?.*?\?>|<!--.*?-->)\s*+)*+"
_PROLOGUE = _COMMENTS + rb"(?:<!DOCTYPE[^>\[]*+>\s*+)*+" + _COMMENTS


def is_page(file: File) -> bool:
    """Whether a source file is a single page, such as HTML or Markdown."""
    return _IS_HTML(file) or file.stem.endswith((".md", ".rst", ".adoc", ".org"))


_IS_HTML = begins(_COMMENTS + rb"<(?:!doctype html|html|head|body)\b")

_CONVERT = "convert its links to two columns or JSON Lines"
_ARCHIVE = "extract its pages into a folder and build that: related build FOLDER"
_DUMP = "export its links as two columns (from, to) and build those"

FOREIGN = (
    Foreign(begins(rb"CDX [a-zA-Z]( [a-zA-Z])+"), "an index of a web archive (CDX)", _ARCHIVE),
    Foreign(
        has_line(rb"(?:create table|insert into) [`\"]?\w+"), "an SQL dump", "load it and " + _DUMP
    ),
    Foreign(starts(b"Rar!"), "an archive", "unpack it and build from the files"),
    Foreign(starts(b"ARROW1", b"ORC", b"Obj\x01"), "Arrow, ORC or Avro", "convert it to Parquet"),
    Foreign(starts(b"\x89HDF\r\n\x1a\n"), "HDF5", _CONVERT),
    Foreign(starts(b"\xd0\xcf\x11\xe0"), "an old Office document", "save its table as CSV"),
    Foreign(starts(b"%PDF-", b"%!PS"), "PDF or PostScript", "give the pages as HTML or text"),
    Foreign(
        starts(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF"), "a picture", "give a list of links"
    ),
    Foreign(starts(b"\x7fELF", b"MZ\x90"), "a program", "give a list of links"),
    Foreign(
        begins(rb"FN \w|PT J\b|PMID- "),
        "a Web of Science or PubMed bibliography",
        "export it as BibTeX or RIS",
    ),
    Foreign(begins(rb"\\documentclass|\\begin\{"), "LaTeX", "give the pages as HTML"),
    Foreign(begins(rb"@prefix|@base|PREFIX \w*:"), "Turtle", "convert it to N-Triples: rapper"),
    Foreign(root_element(b"rss", b"feed"), "a feed, which lists pages but no links", _CONVERT),
    Foreign(
        root_element(b"dblp"),
        "DBLP's XML, which has few citations",
        "use AMiner's citation network of DBLP",
    ),
    Foreign(
        root_element(
            *(b"posts", b"users", b"comments", b"votes", b"badges", b"tags", b"posthistory")
        ),
        "a Stack Exchange table without links between posts",
        "extract PostLinks.xml from the dump and build that",
    ),
    Foreign(root_element(b"rdf"), "RDF in XML", "convert it to N-Triples: rapper"),
    Foreign(has_line(rb'\S+ \S+ \S+ \[[^\]\n]+\] "(?:GET|POST|HEAD) '), "a server's log", _CONVERT),
    Foreign(begins(rb"From \S+ .*\n[\w-]+: "), "a mailbox", "give a list of links"),
)
"""Formats that are recognised but not read, in the order of the tests."""


def reader_of(file: File, known: Iterable[type[Reader]]) -> type[Reader]:
    """The reader for a file or folder; if there is none, the error names the format."""
    known = list(known)
    folder = not file.is_standard and file.path.is_dir()
    if not folder and not file.sample:
        raise ReadError(f"{file.label} is empty.")
    by_contents = next((reader for reader in known if reader.recognises(file)), None)
    by_name = (reader for reader in known if reader.knows_name(file.stem))
    reader = by_contents or next(by_name, None)
    if not folder and (by_contents is None or by_contents.name in LISTS):
        _refuse_json(file)
    if not folder and (reader is None or reader.name in LISTS):
        _refuse_foreign(file)
        if (reader is None or reader.name == "columns") and looks_like_names(file):
            raise only_names(file, "is a list of names, not of links")
    if reader is None and folder:
        raise _no_pages(file)
    if reader is None:
        raise ReadError(
            f"{file.label} is not in a known format ({', '.join(r.name for r in known)}); "
            f"if it is one of these, name it: related build {file.label} --format NAME"
        )
    return reader


def _no_pages(folder: File) -> ReadError:
    """The error for a folder without pages, which names the files in it that can be read."""
    from whatsrelated.sources import readers
    from whatsrelated.sources.folder import files

    error = f"{folder.label} has no pages or notes, such as HTML or Markdown files"
    kinds = [one for one in readers() if not one.folders and one.name not in LISTS]
    inner = files(str(folder.path), lambda path: True, Refused())
    for path in islice(inner, SAMPLE_IN_FOLDER):
        file = File(Path(folder.path, path))
        with suppress(ReadError):
            if any(kind.recognises(file) for kind in kinds):
                return ReadError(f"{error}, but files of links: related build {file.path}")
    return ReadError(f"{error}; give the folder that has them, or a file of links.")


def sureness(file: File, reader: Reader, format: str | None) -> str:
    """The confidence in a file's format, and the reason for it."""
    if format is not None:
        return "chosen by --format"
    if reader.name in LISTS:
        return "likely: no other format matches its first lines"
    if reader.recognises(file):
        return "sure: recognised by its contents"
    return "likely: recognised by its name"


def _refuse_json(file: File) -> None:
    """Raise ReadError if a file is JSON, which no reader has recognised."""
    if objects := first_objects(file, *HOLDERS):
        keys = ", ".join(list(dict.fromkeys(chain.from_iterable(objects)))[:8])
        raise ReadError(
            f"{file.label} is JSON in an unknown format, with the keys {keys:.200}; write one "
            'page per line: {"url": …, "links": […]}.'
        )


def _refuse_foreign(file: File) -> None:
    """Raise ReadError if a file is something other than a list of links."""
    for format in FOREIGN:
        if format.test(file):
            raise ReadError(f"{file.label} is {format.what}, not a list of links; {format.way}.")
    if is_page(file):
        raise ReadError(
            f"{file.label} is a single page, not a list of links; give the folder that holds it: "
            f"related build {file.path.parent}"
        )
    seen = _markup(file)
    if seen:
        raise ReadError(
            f"{file.label} is not a list of links: it has markup such as {seen!r:.60}; to read it "
            "anyway, use --format columns."
        )


EXPORTED = (b"source\ttarget\n", b"source,target\n")
"""The first lines of lists exported from a graph; their names may contain anything."""

_MARKUP = re.compile(
    rb"""</?[a-zA-Z!?][^>\s]*>?  # a tag
    | [\[{(]$ | ^[\]})]+[;,]?$    # what opens or closes a block
    | ^"[^"]*"\s*:                # a field of JSON
    | ^\\[a-zA-Z]+\{              # a command of LaTeX
    | ^(?:if|for|while|def|class|import|return|function|const|let|var|\#include)\b.*[(:;{]$
    """,
    re.VERBOSE,
)


def _markup(file: File) -> str:
    """The first line with markup, if more than a tenth of the lines have some; otherwise empty."""
    if file.sample.startswith(EXPORTED):
        return ""
    lines = [line.strip() for line in file.sample.split(b"\n")[:200]]
    lines = [line for line in lines if line and not line.startswith((b"#", b"%"))]
    markup_lines = [line for line in lines if _MARKUP.search(line)]
    if len(markup_lines) <= MAX_REFUSED * len(lines):
        return ""
    return markup_lines[0].decode(errors="replace")


def require_few_refused(file: File, reader: Reader, refused: int, lines: int) -> None:
    """Raise ReadError if more than a tenth of the lines of a list were rejected."""
    if refused > MAX_REFUSED * lines:
        raise ReadError(
            f"{file.label} does not look like a list of links: {refused:,} of its {lines:,} lines "
            f"were rejected; to read it anyway, use --format {reader.name}."
        )
