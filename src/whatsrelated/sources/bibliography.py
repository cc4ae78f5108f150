"""Bibliographies: the names and titles of works, from BibTeX, RIS or CSL-JSON.

A bibliography has no links, so it is read together with a graph of citations or a vault of notes,
and supplies the titles of their pages. A work is named by its DOI, as in citation data, or by its
key if it has none. With `--cite-by key`, it is named by its key as in notes, such as `@doe99`.

The BibTeX parser reads entries `@kind{key, field = {value}, …}`.  Strings and preambles are
skipped; a value that is not in braces or quotes, such as a string's name, is taken literally.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from whatsrelated.options import option
from whatsrelated.sources.json_objects import first_objects, json_objects
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import begins
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

LONGEST_VALUE = 1 << 16
"""Maximum length of a field; a longer one is cut."""

_ENTRY = re.compile(r"^[ \t]*@([A-Za-z]+)[ \t]*[{(][ \t\r\n]*([^\s,{}()]+)[ \t\r\n]*,", re.M)
_FIELD = re.compile(r"[,\s]*([A-Za-z][\w-]*)\s*=\s*")
_NOT_WORKS = frozenset({"string", "comment", "preamble"})
_COMMANDS = re.compile(r"\\[A-Za-z]+\s*|[{}\\]")
_TAG = re.compile(r"([A-Z][A-Z0-9])  ?- ?(.*)")
_DOI = re.compile(r"10\.\d{4,9}/\S+")

_IS_BIBTEX = begins(rb"(?:%[^\n]*+\n\s*+)*+@[a-z]++\s*+[{(]")
_IS_RIS = begins(rb"TY  - ")


class Work(NamedTuple):
    """A work of a bibliography."""

    key: str
    doi: str
    title: str


@dataclass(frozen=True)
class BibliographyReader(Reader):
    """The names and titles of works."""

    name = "bibliography"
    sentence = "the titles of works, in BibTeX, RIS or CSL-JSON; given together with links"
    suffixes = (".bib", ".ris")
    only_titles = True

    cite_by: str = option(
        "doi", "name works by DOI, or by key as in notes (@doe99)", choices=("doi", "key")
    )

    @classmethod
    def recognises(cls, file: File) -> bool:
        return _IS_BIBTEX(file) or _IS_RIS(file) or _is_csl(file)

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        for place, work in _works(file):
            key = f"@{work.key}" if work.key else ""
            name = key if self.cite_by == "key" and key else work.doi or key
            if not name:
                context.refuse("a work without DOI or key", place)
                continue
            counts["works"] += 1
            yield Page(name, (), work.title or None, read=False)


def _is_csl(file: File) -> bool:
    works = first_objects(file) if file.sample.lstrip().startswith(b"[") else []
    return any("issued" in work for work in works) and all(
        {"type", "title"} <= work.keys() for work in works
    )


def _works(file: File) -> Iterator[tuple[str, Work]]:
    if _is_csl(file):
        return _csl(file)
    return _ris(file) if _IS_RIS(file) else _bibtex(file)


def doi_of(text: str) -> str:
    """The DOI in text such as `https://doi.org/10.1000/1`, in lower case; empty if it has none."""
    match = _DOI.search(text)
    return match[0].rstrip(".,;").lower() if match else ""


def _csl(file: File) -> Iterator[tuple[str, Work]]:
    for place, one in json_objects(file):
        known = one if isinstance(one, dict) else {}
        texts = [known.get(field) for field in ("id", "DOI", "title")]
        key, doi, title = (text if isinstance(text, str) else "" for text in texts)
        yield place, Work(key, doi_of(doi), title)


def _ris(file: File) -> Iterator[tuple[str, Work]]:
    values: dict[str, str] = {}
    start = 0
    for number, line in file.numbered_lines():
        tag = _TAG.match(line.decode("utf-8", "replace").rstrip("\r"))
        if tag is None:
            continue
        if tag[1] == "TY":
            values, start = {}, number
        elif tag[1] == "ER":
            title = values.get("TI") or values.get("T1", "")
            work = Work(values.get("ID", ""), doi_of(values.get("DO", "")), title)
            yield f"{file.label}:{start}", work
            values = {}
        else:
            values.setdefault(tag[1], tag[2].strip()[:LONGEST_VALUE])


def _bibtex(file: File) -> Iterator[tuple[str, Work]]:
    text = file.read().decode("utf-8", "replace")
    line = place = 0
    for entry in _ENTRY.finditer(text):
        line += text.count("\n", place, entry.start())
        place = entry.start()
        if entry[1].lower() not in _NOT_WORKS:
            fields = dict(_fields(text, entry.end()))
            work = Work(entry[2], doi_of(fields.get("doi", "")), _plain(fields.get("title", "")))
            yield f"{file.label}:{line + 1}", work


def _fields(text: str, place: int) -> Iterator[tuple[str, str]]:
    """The fields of an entry, up to its end."""
    while (field := _FIELD.match(text, place)) is not None:
        value, place = _value(text, field.end())
        yield field[1].lower(), value


def _value(text: str, start: int) -> tuple[str, int]:
    """A value in braces or quotes, or up to the next comma, and its end."""
    if text[start : start + 1] not in ("{", '"'):
        end = re.compile(r"[,}\n]|\Z").search(text, start)
        assert end is not None
        return text[start : end.start()].strip(), end.start()
    closing, depth = ("}" if text[start] == "{" else '"'), 0
    for mark in re.compile(r'\\.|[{}"]', re.S).finditer(text, start + 1, start + LONGEST_VALUE):
        if mark[0] == closing and depth == 0:
            return text[start + 1 : mark.start()], mark.end()
        depth += (mark[0] == "{") - (mark[0] == "}")
    return "", min(len(text), start + LONGEST_VALUE)


def _plain(title: str) -> str:
    """A title without braces or commands."""
    return " ".join(_COMMANDS.sub("", title).split())
