"""Papers, with the papers they cite: OpenAlex, Crossref, Semantic Scholar, OpenCitations, AMiner.

Each object is a work: an identifier, a title and its references, under the names that the source
uses (`FIELDS`).  A file has one object per line, or is an array or a saved API response; AMiner's
older files have a line per field, and may begin with the number of works.  DOIs are
case-insensitive, so they are converted to lower case.  References without an identifier are
counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from whatsrelated.sources.json_objects import first_objects, json_objects
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import HOLDERS, begins
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


class Fields(NamedTuple):
    """A source's names for a work's identifier, its references, and the identifier of a
    reference.
    """

    source: str
    identifier: str
    references: str = ""
    cited: str = ""
    """The key of a reference that is an object; empty if it is the identifier itself."""
    signs: frozenset[str] = frozenset()
    """Keys of which at least one shows that it is this source."""


_PAPERS = frozenset({"n_citation", "venue", "doc_type", "fos"})

FIELDS = (
    Fields("OpenAlex", "id", "referenced_works"),
    Fields("Crossref", "DOI", "reference", "DOI"),
    Fields("Crossref, a work without references", "DOI", "", "", frozenset({"reference-count"})),
    Fields("Semantic Scholar", "paperId", "references", "paperId"),
    Fields("Semantic Scholar, before 2021", "id", "outCitations"),
    Fields("Semantic Scholar's citations", "citingcorpusid", "citedcorpusid"),
    Fields("Semantic Scholar's papers", "corpusid", "", "", frozenset({"title"})),
    Fields("OpenCitations", "citing", "cited", "", frozenset({"oci"})),
    Fields("AMiner and DBLP", "id", "references", "", _PAPERS),
    Fields("AMiner and DBLP, from version 13", "_id", "references", "", _PAPERS),
)
"""The sources, in the order in which they are tried."""

LINES = {"*": "title", "index": "id", "%": "references"}
"""The names of fields in AMiner's files with a line per field; each follows a `#`."""

TITLES = ("title", "display_name")

_LINE = re.compile(r"#(\*|index|%)[ \t]*+(.*)")
_IS_LINES = begins(rb"(?:\d+\s++)?+#(?:\*|index)[^\n]*+\n#")


class WorksReader(Reader):
    """Papers, each with the papers it cites."""

    name = "works"
    sentence = "papers in JSON with their references: OpenAlex, Crossref, Semantic Scholar …"

    @classmethod
    def recognises(cls, file: File) -> bool:
        return _IS_LINES(file) or any(map(_is_work, first_objects(file, *HOLDERS)))

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        works = _by_lines(file) if _IS_LINES(file) else json_objects(file, *HOLDERS)
        for place, work in works:
            page = self._page(work, counts)
            if page is None:
                context.refuse("not a work", place)
            else:
                yield page

    @staticmethod
    def _page(work: Any, counts: Counter[str]) -> Page | None:
        if not isinstance(work, dict):
            return None
        known = [one for one in FIELDS if _identifier(work.get(one.identifier))]
        if not known:
            return None
        fields = next((one for one in known if work.get(one.references)), known[0])
        references = work.get(fields.references) or []
        if not isinstance(references, list):
            references = [references]
        cited = [_identifier(_cited(one, fields)) for one in references]
        if missing := cited.count(""):
            counts["references without an identifier"] += missing
        counts["works"] += 1
        return Page(_identifier(work[fields.identifier]), list(filter(None, cited)), _title(work))


def _is_work(work: dict[str, Any]) -> bool:
    """Whether an object has the keys of one of the sources."""
    return any(
        {fields.identifier, fields.references or fields.identifier} <= work.keys()
        and not (fields.signs and fields.signs.isdisjoint(work))
        for fields in FIELDS
    )


def _by_lines(file: File) -> Iterator[tuple[str, Any]]:
    """The works of a file in which each field has a line, and an empty line ends a work."""
    work: dict[str, Any] = {}
    place = file.label
    for number, line in file.numbered_lines():
        field = _LINE.match(line.decode("utf-8", "replace").rstrip("\r"))
        if not line.strip() and work:
            yield place, work
            work = {}
        elif field is not None:
            place = file.place(number, line)
            name = LINES[field[1]]
            if name == "references":
                work.setdefault(name, []).append(field[2])
            else:
                work[name] = field[2]
    if work:
        yield place, work


def _cited(reference: Any, fields: Fields) -> Any:
    if isinstance(reference, dict):
        return reference.get(fields.cited or fields.identifier)
    return reference if not fields.cited else None


def _identifier(value: Any) -> str:
    """An identifier as a name; empty if it is not an identifier."""
    if isinstance(value, dict):  # MongoDB's {"$oid": …}
        value = next(iter(value.values()), None)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    name = str(value).strip()
    if "doi:" in name:  # OpenCitations: several identifiers of one work
        known = (one.removeprefix("doi:") for one in name.split() if one.startswith("doi:"))
        name = next(known, name)
    return name.lower() if name.startswith("10.") else name


def _title(work: dict[str, Any]) -> str | None:
    for key in TITLES:
        title = work.get(key)
        if isinstance(title, list):
            title = title[0] if title else None
        if isinstance(title, str) and title.strip():
            return title
    return None
