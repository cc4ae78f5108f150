"""Tables with one link per row: find the columns with the links and the rows that count.

The two columns are recognised by their names (`src dst`, `FromNodeId ToNodeId` …) or requested by
name or number. If there are more than two columns, nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.options import option
from whatsrelated.sources.reader import Reader, whole_number

RowFilter = tuple[int, bytes]
"""A column and the value it must have."""

TOOLS = (
    ("Ahrefs", "Referring page URL", "Target URL"),
    ("Ahrefs, older", "Referring Page URL", "Link URL"),
    ("Majestic", "SourceURL", "TargetURL"),
    ("OnCrawl", "origin", "target"),
    ("OpenCitations", "citing", "cited"),
    ("related all", "url", "related_url"),
    ("Screaming Frog, in English and French", "Source", "Destination"),
    ("Screaming Frog, in German", "Quelle", "Ziel"),
    ("Screaming Frog, in Italian", "Origine", "Destinazione"),
    ("Screaming Frog, in Italian, older", "Sorgente", "Destinazione"),
    ("Screaming Frog, in Spanish", "Origen", "Destino"),
    ("Screaming Frog, in Spanish, older", "Fuente", "Destino"),
    ("Search Console's sample links", "Linking page", "Target page"),
    ("Semrush", "Source url", "Target url"),
    ("SISTRIX", "URL From", "URL To"),
    ("Sitebulb", "Referring URL", "Target URL"),
)
"""For each tool, its name and the columns that hold a page and the page it links to."""

CONTENT_ROWS = {
    "Type": ("Hyperlink", "Hyperlien", "AHREF"),
    "Typ": ("Hyperlink",),
    "Tipo": ("Hipervínculo", "Hiperenlace", "Collegamento ipertestuale", "Hyperlink"),
    "Link Position": ("Content",),
    "Position du lien": ("Contenu",),
    "Linkposition": ("Inhalt",),
    "Posición del enlace": ("Contenido",),
    "Posizione del link": ("Contenuto",),
}
"""The columns of Screaming Frog's tables that show which rows are links in the content, and the
values of these rows in each language."""

_ENDS = ("", "id", "url", "node", "nodeid", "host", "page")


def word_of(name: str) -> str:
    """The letters of a column's name, in lower case."""
    return re.sub(r"[\W\d_]", "", name.lower())


SOURCES = (
    {word + end for word in ("source", "src", "from", "start", "linksource") for end in _ENDS}
    | {"tail", "u"}
    | {word_of(source) for _, source, _ in TOOLS}
) - {"url"}
"""The words for a column of pages; `url` alone may also be the address of a row."""
TARGETS = (
    {word + end for word in ("target", "dst", "to", "end", "linktarget") for end in _ENDS}
    | {"head", "dest", "v"}
    | {word_of(target) for _, _, target in TOOLS}
)


@dataclass(frozen=True)
class TableReader(Reader):
    """One link per row, in two of its columns."""

    columns: str | None = option(
        None,
        "the two columns that hold the links, by name or number, such as src,dst or 1,3",
        common=True,
        only_read=True,
    )
    where: str | None = option(
        None,
        "read only rows with this value in this column: section=body; all conditions must hold",
        lines=True,
    )

    def link_columns(
        self, label: str, header: Sequence[str], width: int, row: Sequence[bytes] = ()
    ) -> tuple[int, int]:
        """The positions of the two columns with the links; `row` is the first, for errors."""
        if self.columns:
            requested = [name.strip() for name in self.columns.split(",")]
            if len(requested) != 2:
                raise OptionError(
                    f"columns: name two columns, such as src,dst or 1,3; got {self.columns!r:.80}."
                )
            first, second = (_place(label, name, header, width) for name in requested)
            return first, second
        named = columns_by_words(header)
        if named is None and width != 2:
            texts = [field.decode(errors="replace") for field in row]
            are_names = not any(re.fullmatch(r"[\d.,]*|.*://.*", text) for text in texts)
            shown = header or (texts if are_names else ())
            listed = f" ({', '.join(shown):.200})" if shown else ""
            raise ReadError(
                f"{label} has {width} columns{listed}; name the two that hold the links: --columns "
                "1,2."
            )
        return named or (0, 1)

    def row_filters(
        self, label: str, header: Sequence[str], width: int, rows: Sequence[Sequence[bytes]] = ()
    ) -> list[RowFilter]:
        """The positions of the columns that select rows, and their required values; `rows` are the
        first rows of the table.
        """
        filters = []
        conditions = self.where.split("\n") if self.where else default_filters(header, rows)
        for one in conditions:
            column, equals, value = one.partition("=")
            if not equals:
                raise OptionError(
                    f"where: give a column and its value, such as section=body; got {one!r:.80}."
                )
            place = _place(label, column.strip(), header, width)
            filters.append((place, value.strip().encode()))
        return filters


def default_filters(header: Sequence[str], rows: Sequence[Sequence[bytes]]) -> list[str]:
    """Default filters for Screaming Frog's tables: only links in the content.

    A value counts only if one of the first rows has it, because languages share headers; only the
    header of the English tables says enough.
    """
    filters = []
    english = "Link Position" in header
    for column, values in CONTENT_ROWS.items():
        if column in header:
            place = header.index(column)
            seen = {row[place].decode(errors="replace") for row in rows if len(row) > place}
            filters += [f"{column}={one}" for one in values if english or one in seen][:1]
    return filters if any(one.startswith("T") for one in filters) else []


def describe_filters(header: Sequence[str], filters: Sequence[RowFilter]) -> str:
    """A phrase for the rows that a table's filters leave out, for counts."""
    names = [header[place] if header else str(place + 1) for place, _ in filters]
    values = [value.decode(errors="replace") for _, value in filters]
    listed = " and ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))
    return f"rows without {listed} left out"


def columns_by_words(header: Sequence[str]) -> tuple[int, int] | None:
    """The two columns, if their names identify them."""
    words = [word_of(name) for name in header]
    for pair in TOOLS:
        ends = [words.index(word) for word in map(word_of, pair[1:]) if word in words]
        if len(ends) == 2:
            return ends[0], ends[1]
    source, target = (
        next((i for i, word in enumerate(words) if word in known or word.startswith(start)), None)
        for known, start in ((SOURCES, "citing"), (TARGETS, "cited"))
    )
    return None if source is None or target is None else (source, target)


def _place(label: str, column: str, header: Sequence[str], width: int) -> int:
    """The position of a column requested by name or number."""
    if column in header:
        return header.index(column)
    number = whole_number(column)
    if number is not None and 1 <= number <= width:
        return number - 1
    known = ", ".join(header) if header else f"1 to {width}"
    raise ReadError(f"{label} has no column {column!r:.80}; it has: {known}.")
