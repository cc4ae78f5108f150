"""Papers in JSON, with the papers they cite: OpenAlex, Crossref, Semantic Scholar, OpenCitations,
AMiner.

Each object is a work: an identifier, a title and its references, under the names that the source
uses (`FIELDS`).  A file has one object per line, or is an array or a saved API response. DOIs are
case-insensitive, so they are converted to lower case.  References without an identifier are
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from whatsrelated.sources.json_objects import json_objects
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


class Fields(NamedTuple):
    """A source's names for a work's identifier, its references, and the identifier of a
    reference.
    """

    source: str
    identifier: str
    references: str
    cited: str = ""
    """The key of a reference that is an object; empty if it is the identifier itself."""


FIELDS = (
    Fields("OpenAlex", "id", "referenced_works"),
    Fields("Crossref", "DOI", "reference", "DOI"),
    Fields("Semantic Scholar", "paperId", "references", "paperId"),
    Fields("Semantic Scholar, before 2021", "id", "outCitations"),
    Fields("Semantic Scholar's citations", "citingcorpusid", "citedcorpusid"),
    Fields("OpenCitations", "citing", "cited"),
    Fields("AMiner and DBLP", "id", "references"),
    Fields("AMiner's MongoDB export", "_id", "references"),
)
"""The sources, in the order in which they are tried."""

TITLES = ("title", "display_name")
LISTS = ("message", "results", "items", "data")
"""The keys that hold the works in an API response."""

_SIGNS = (b'"referenced_works"', b'"outCitations"', b'"citingcorpusid"', b'"oci"')
_TOGETHER = ((b'"DOI"', b'"reference"'), (b'"paperId"', b'"references"'))
_PAPERS = (b'"n_citation"', b'"venue"', b'"doc_type"', b'"fos"')


class WorksReader(Reader):
    """Papers, each with the papers it cites."""

    name = "works"
    sentence = "papers in JSON with their references: OpenAlex, Crossref, Semantic Scholar …"

    @classmethod
    def recognises(cls, file: File) -> bool:
        sample = file.sample
        if not sample.lstrip().startswith((b"{", b"[")):
            return False
        if any(sign in sample for sign in _SIGNS):
            return True
        if any(all(sign in sample for sign in signs) for signs in _TOGETHER):
            return True
        return b'"references"' in sample and any(sign in sample for sign in _PAPERS)

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        for place, work in json_objects(file, *LISTS):
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
