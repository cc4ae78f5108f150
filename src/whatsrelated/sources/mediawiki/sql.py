"""The links of a wiki from its database tables page, pagelinks, linktarget and redirect.

This is fast, since the wiki has already expanded its templates and nothing is parsed. But the links
are unordered and include those of templates, even navigation boxes. Since 2024, `pagelinks` refers
to a row of `linktarget` instead of a title. Both variants are read, depending on the columns.

1. `page`: titles by number.  `redirect`: the target of each redirect.
2. `linktarget`: for each number, the position of a title among all names.
3. `pagelinks`: numbers become positions, one line of the dump at a time. Without `linktarget`,
  titles become positions, one batch at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.errors import ReadError
from whatsrelated.sources.mediawiki.languages import CANONICAL
from whatsrelated.sources.mediawiki.redirects import Redirects, pack_lines, redirects_option
from whatsrelated.sources.mediawiki.tables import DumpTable, text_of
from whatsrelated.sources.mediawiki.titles import namespaces_option, wanted_namespaces
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import NamedLinks, Names, Page

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File

KNOWN = ("page", "pagelinks", "linktarget", "redirect")
NONE = 0xFFFFFFFF
DENSE = 64
"""Maximum number of table entries per number; a table is faster than a search."""
ROWS_PER_BATCH = 1 << 18


@dataclass(frozen=True)
class WikiTablesReader(Reader):
    """The links of a wiki, from dumps of its tables."""

    name = "wiki-sql"
    sentence = "tables of a MediaWiki database: page, pagelinks, linktarget …"
    guide = "how-to/wikis.md#database-tables"
    together = True
    ordered = False

    namespaces: str = namespaces_option()
    redirects: str = redirects_option()

    @classmethod
    def recognises(cls, file: File) -> bool:
        return b"CREATE TABLE" in file.sample and DumpTable(file).name in KNOWN

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        return self.read_together([file], context)

    def read_together(self, files: Sequence[File], context: ReadContext) -> Iterator[Item]:
        """The links in several tables, read together."""
        tables = {table.name: table for table in map(DumpTable, files)}
        needed = ["page", "pagelinks"]
        if "pagelinks" in tables and "pl_target_id" in tables["pagelinks"].columns:
            needed.append("linktarget")
        missing = [name for name in needed if name not in tables]
        if missing:
            raise ReadError(
                f"{files[0].label} needs the table{'s'[: len(missing) - 1]} "
                f"{' and '.join(missing)} too; give the dumps together."
            )
        namespaces = wanted_namespaces(self.name, self.namespaces)
        wiki = _Wiki(tables, namespaces, context, self.redirects == "fold")
        counts = context.counter(self.name)
        wiki.read_pages(counts)
        if "linktarget" in needed:
            yield from wiki.numbered_links(counts)
        else:
            yield from wiki.titled_links(counts)


class _Wiki:
    """The tables of one wiki."""

    def __init__(
        self,
        tables: dict[str, DumpTable],
        namespaces: frozenset[int] | None,
        context: ReadContext,
        fold: bool,
    ) -> None:
        self._tables = tables
        self._namespaces = namespaces
        self._context = context
        self._fold = fold
        self._titles: dict[int, str] = {}
        self._redirects = Redirects()

    def read_pages(self, counts: Counter[str]) -> None:
        """Read the pages and the targets of redirects."""
        columns = ("page_id", "page_namespace", "page_title", "page_is_redirect")
        redirecting: dict[int, str] = {}
        for number, space, title, is_redirect in self._tables["page"].rows(columns, self._context):
            name = self._name(space, title)
            if name is None:
                continue
            if self._fold and int(is_redirect):
                redirecting[int(number)] = name
            else:
                self._titles[int(number)] = name
        counts["pages"] = len(self._titles)
        counts["redirects"] = len(redirecting)
        if self._fold and "redirect" in self._tables:
            self._read_redirects(redirecting)
        self._redirects.close()

    def _read_redirects(self, redirecting: dict[int, str]) -> None:
        columns = ("rd_from", "rd_namespace", "rd_title")
        sources, targets = [], []
        for number, space, title in self._tables["redirect"].rows(columns, self._context):
            source, target = redirecting.get(int(number)), self._name(space, title)
            if source is not None and target is not None:
                sources.append(source)
                targets.append(target)
        self._redirects.add(pack_lines(sources), pack_lines(targets))

    def _name(self, space: bytes, title: bytes) -> str | None:
        """The name of a page; None if its namespace is excluded."""
        number = int(space)
        if self._namespaces is not None and number not in self._namespaces:
            return None
        name = text_of(title).replace("_", " ")
        if not number:
            return name
        return f"{CANONICAL.get(number, str(number)).capitalize()}:{name}"

    def numbered_links(self, counts: Counter[str]) -> Iterator[Item]:
        """The links, if their targets are rows of `linktarget`."""
        places = {name: place for place, name in enumerate(self._titles.values())}
        by_page = _PlacesByNumber(self._titles, range(len(self._titles)))
        targets: dict[int, int] = {}
        columns = ("lt_id", "lt_namespace", "lt_title")
        rows = self._tables["linktarget"].rows(columns, self._context)
        while batch := list(islice(rows, ROWS_PER_BATCH)):
            named = [(int(row[0]), self._name(row[1], row[2])) for row in batch]
            titles = [name for _, name in named if name is not None]
            final = iter(self._redirects.resolve(titles))
            for number, name in named:
                if name is not None:
                    targets[number] = places.setdefault(next(final), len(places))
        by_target = _PlacesByNumber(targets, targets.values())
        names = Names.of(name.encode("utf-8", "replace") for name in places)
        del places, targets
        read = np.arange(len(self._titles), dtype=np.uint32)
        link_columns = ("pl_from", "pl_target_id")
        for pages, linked in self._tables["pagelinks"].numbers(link_columns, self._context):
            ends = by_page.of(pages), by_target.of(linked)
            good = (ends[0] != NONE) & (ends[1] != NONE) & (ends[0] != ends[1])
            counts["links"] += int(good.sum())
            yield NamedLinks(names, ends[0][good], ends[1][good], read=read)
            read = read[:0]

    def titled_links(self, counts: Counter[str]) -> Iterator[Item]:
        """The links, if their targets are titles; the links of a page may not be adjacent."""
        yield from (Page(title) for title in self._titles.values())
        columns = ("pl_from", "pl_namespace", "pl_title")
        rows = self._tables["pagelinks"].rows(columns, self._context)
        while batch := list(islice(rows, ROWS_PER_BATCH)):
            pairs = [
                (source, target)
                for number, space, title in batch
                if (source := self._titles.get(int(number))) is not None
                and (target := self._name(space, title)) is not None
            ]
            final = self._redirects.resolve([target for _, target in pairs])
            for (source, _), target in zip(pairs, final, strict=True):
                if source != target:
                    counts["links"] += 1
                    yield Page(source, [target])


class _PlacesByNumber:
    """Maps numbers to positions, with a table if the numbers are dense, as in a wiki."""

    def __init__(self, numbers: Collection[int], places: Iterable[int]) -> None:
        listed = np.fromiter(numbers, np.int64, len(numbers))
        self._places = np.fromiter(places, np.uint32, len(numbers))
        low, high = min(numbers, default=0), max(numbers, default=0)
        self._dense = low >= 0 and high < max(DENSE * len(listed), 1 << 20)
        if self._dense:
            table = np.full(high + 1, NONE, np.uint32)
            table[listed] = self._places
            self._places = table
        else:
            order = np.argsort(listed)
            self._numbers, self._places = listed[order], self._places[order]

    def of(self, numbers: NDArray[np.int64]) -> NDArray[uint32]:
        """The position of each number, or NONE."""
        positions = np.full(len(numbers), NONE, np.uint32)
        if self._dense:
            known = (numbers >= 0) & (numbers < len(self._places))
            positions[known] = self._places[numbers[known]]
        else:
            nearest = np.minimum(np.searchsorted(self._numbers, numbers), len(self._numbers) - 1)
            known = self._numbers[nearest] == numbers
            positions[known] = self._places[nearest[known]]
        return positions
