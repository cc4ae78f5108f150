"""A MediaWiki dump: its articles, and their links in reading order.

1. Each process reads a file of the dump, or part of one (`dump`). Pages go to a temporary file;
   redirects and counts are returned.
2. Once all redirects are known, the pages are yielded. A link to a redirect leads to its target.
3. With `links="all"`, the links of a template are inserted where a page includes it.

Redirects are kept in memory, as are the links of templates with `links="all"`.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING
from urllib.parse import quote

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.machine.resources import processors
from whatsrelated.names.canonical import BadName
from whatsrelated.options import option
from whatsrelated.sources import html
from whatsrelated.sources.folder import base_of
from whatsrelated.sources.mediawiki.dump import parts_of, site_of
from whatsrelated.sources.mediawiki.links import TRANSCLUDED
from whatsrelated.sources.mediawiki.parts import (
    DumpPart,
    ReadPart,
    WikiRecord,
    decode_part,
    records_of,
)
from whatsrelated.sources.mediawiki.redirects import Redirects, redirects_option
from whatsrelated.sources.mediawiki.titles import namespaces_option, wanted_namespaces
from whatsrelated.sources.page_reader import NAVIGATION, SectionReader, links_option
from whatsrelated.sources.reader import ReadContext
from whatsrelated.sources.recognition import root_element
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.machine.workers import Lost
    from whatsrelated.sources.files import File

PAGES_PER_LOOKUP = 1000
"""Number of pages whose redirects are resolved together."""
PART_SECONDS = 7 * 24 * 3600.0
"""Time limit for a part, in seconds. A whole dump in one bzip2 stream takes hours."""
DEEPEST = 40
"""Maximum nesting of templates, as on MediaWiki."""
SAFE = ";@$!*(),/~:"
"""Characters that MediaWiki does not escape in addresses."""


@dataclass(frozen=True)
class MediaWikiReader(SectionReader):
    """The articles of a wiki's dump, with the links that count."""

    name = "mediawiki"
    sentence = "a dump of a MediaWiki wiki in XML"
    guide = "how-to/wikis.md"
    contents = root_element(b"mediawiki")
    together = True

    namespaces: str = namespaces_option()
    links: str = links_option()
    redirects: str = redirects_option()
    disambiguation: str = option(
        "mark",
        "mark disambiguation pages in their titles, or drop them",
        choices=("mark", "drop"),
    )
    base_url: str | None = option(
        None,
        "URL where pages are served; auto takes it from the dump; without it, pages are named by "
        "title",
        only_read=True,
    )

    def reason_to_leave_out(self, marks: int) -> str:
        if self.links == "content" and marks & html.NAVIGATION:
            return NAVIGATION
        return super().reason_to_leave_out(marks)

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        return self.read_together([file], context)

    def read_together(self, files: Sequence[File], context: ReadContext) -> Iterator[Page]:
        """The pages of a dump in one or more files."""
        wanted_namespaces(self.name, self.namespaces)
        counts = context.counter(self.name)
        counts.update({"pages": 0, "links": 0})
        with tempfile.TemporaryDirectory(dir=context.temporary) as folder:
            redirects = Redirects()
            templates = Templates()
            spools = []
            for part in self._read_parts(files, folder, context):
                spools.append(part.spool)
                redirects.add(part.sources, part.targets)
                templates.links_of.update(part.templates)
                counts.update(part.counts)
                for reason, (count, examples) in part.refused.items():
                    context.refuse(reason, examples[0], count)
            redirects.close()
            if redirects.circles:
                counts["redirect loops"] += redirects.circles
            records = chain.from_iterable(map(records_of, spools))
            address = self._address(files[0])
            while batch := list(islice(records, PAGES_PER_LOOKUP)):
                yield from self._pages(batch, redirects, templates, address, counts)
                if context.progress is not None:
                    context.progress("resolving links", counts["pages"], None)
            if templates.missing:
                counts["templates missing from the dump"] += templates.missing

    def _read_parts(
        self, files: Sequence[File], folder: str, context: ReadContext
    ) -> Iterator[DumpPart]:
        """The parts of the dump in order, read by worker processes, or here if there is only
        one.
        """
        from whatsrelated.machine import workers

        work = ReadPart(self, folder, context.options)
        parts = [(file, *ends) for file in files for ends in parts_of(file)]
        if len(parts) == 1 or (self.workers or processors()) == 1:
            for number, (file, first, last) in enumerate(parts):
                yield work.read(file, first, last, number, context)
            return
        items = [
            f"{number} {first} {last} {file.path.absolute()}"
            for number, (file, first, last) in enumerate(parts)
        ]
        answers = workers.results(
            work, items, noun="the reader", workers=self.workers, seconds=PART_SECONDS
        )
        for number, (item, answer) in enumerate(answers):
            if isinstance(answer, workers.Lost):
                self._lose(item, answer, context)
                continue
            if context.progress is not None:
                context.progress("reading parts of the dump", number + 1, len(items))
            yield decode_part(answer)

    def _lose(self, item: str, lost: Lost, context: ReadContext) -> None:
        _, first, _, path = item.split(" ", 3)
        if lost.reason.startswith(path):
            raise ReadError(lost.reason)
        context.refuse(f"parts of a dump: {lost.reason}", f"{path} from byte {first}")

    def _address(self, file: File) -> Callable[[str], str]:
        """A function from titles to the names of pages."""
        if not self.base_url:
            return str
        url = site_of(file).base if self.base_url == "auto" else self.base_url
        try:
            base = base_of(url)
        except BadName as error:
            raise OptionError(
                f"{self.name}: base_url must be a URL such as https://en.wikipedia.org/wiki/, "
                f"got {url!r:.80} ({error.reason})."
            ) from None
        return lambda title: base + quote(title.replace(" ", "_"), SAFE)

    def _pages(
        self,
        batch: list[WikiRecord],
        redirects: Redirects,
        templates: Templates,
        address: Callable[[str], str],
        counts: Counter[str],
    ) -> Iterator[Page]:
        """Resolve the redirects of pages and insert the links of templates."""
        linked = [templates.fill_in(record.links) for record in batch]
        distinct = list(dict.fromkeys(chain.from_iterable(linked)))
        final = dict(zip(distinct, redirects.resolve(distinct), strict=True))
        for record, titles in zip(batch, linked, strict=True):
            texts = dict(zip(record.links, record.anchors, strict=False))
            links: dict[str, str] = {}
            for title in titles:
                target = final[title]
                if target != record.title and target not in links:
                    links[target] = texts.get(title, "")
            counts["pages"] += 1
            counts["links"] += len(links)
            title = f"{record.title} (disambiguation)" if record.disambiguation else record.title
            named = bool(self.base_url) or title != record.title
            yield Page(
                address(record.title),
                [address(target) for target in links],
                title if named else None,
                record.text or None,
                list(links.values()) if record.anchors else (),
            )


class Templates:
    """The links that templates add to the pages that include them."""

    def __init__(self) -> None:
        self.links_of: dict[str, list[str]] = {}
        """For each template, its links and the templates it includes."""
        self.missing = 0
        """Number of templates that pages include but the dump lacks."""
        self._whole: dict[str, list[str]] = {}

    def fill_in(self, links: list[str]) -> list[str]:
        """Replace each template among the links with the links it adds, without repeats."""
        return self._fill_in(links, 0)

    def _fill_in(self, links: list[str], depth: int) -> list[str]:
        filled: dict[str, None] = {}
        for title in links:
            if not title.startswith(TRANSCLUDED):
                filled[title] = None
            elif depth < DEEPEST:
                filled.update(dict.fromkeys(self._links_of(title[1:], depth + 1)))
        return list(filled)

    def _links_of(self, template: str, depth: int) -> list[str]:
        if template not in self._whole:
            if template not in self.links_of:
                self.missing += 1
            self._whole[template] = []  # stops a template that includes itself
            self._whole[template] = self._fill_in(self.links_of.get(template, []), depth)
        return self._whole[template]
