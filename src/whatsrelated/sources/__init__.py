"""Sources: each format has its own file and becomes a stream of pages and links.

`open_sources` recognises each file by its contents first and its name second, and returns one
stream over all of them, in the given order. Other packages add readers through entry points in the
group `whatsrelated.sources`, in the form of a line of the table below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from whatsrelated.errors import OptionError, ReadError
from whatsrelated.machine.remote import fetch, remote_url
from whatsrelated.names.titles import TitleEnds
from whatsrelated.options import Configured, configure, declared_options, divide
from whatsrelated.registry import Registry
from whatsrelated.sources.containers import TemporaryFolder, is_container, unpack
from whatsrelated.sources.data_folder import data_files
from whatsrelated.sources.files import File, no_file
from whatsrelated.sources.host_names import HostNames
from whatsrelated.sources.names import NamesFile, NumberNames
from whatsrelated.sources.rank_names import RankNames
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.reader import ReadOptions as ReadOptions
from whatsrelated.sources.recognition import (
    LISTS,
    is_page,
    reader_of,
    require_few_refused,
)
from whatsrelated.stream import Page, Progress, Refused

if TYPE_CHECKING:
    from whatsrelated.sources.parsed_files import ParsedFiles

C = TypeVar("C", bound=Configured)

READERS: Registry[type[Reader]] = Registry(
    "format",
    "whatsrelated.sources",
    {
        "parquet": "whatsrelated.sources.parquet:ParquetReader",
        "bvgraph": "whatsrelated.sources.bvgraph:BVGraphReader",
        "warc": "whatsrelated.sources.archive.reader:ArchiveReader",
        "warcs": "whatsrelated.sources.archive.reader:ArchiveFolder",
        "matrixmarket": "whatsrelated.sources.matrixmarket:MatrixMarketReader",
        "zim": "whatsrelated.sources.zim.reader:ZimReader",
        "wiki-sql": "whatsrelated.sources.mediawiki.sql:WikiTablesReader",
        "mediawiki": "whatsrelated.sources.mediawiki.reader:MediaWikiReader",
        "graphml": "whatsrelated.sources.graphml:GraphMLReader",
        "gml": "whatsrelated.sources.gml:GMLReader",
        "gexf": "whatsrelated.sources.exchange.gexf:GexfReader",
        "dot": "whatsrelated.sources.exchange.dot:DotReader",
        "pajek": "whatsrelated.sources.exchange.pajek:PajekReader",
        "ntriples": "whatsrelated.sources.exchange.ntriples:NTriplesReader",
        "sitemap": "whatsrelated.sources.outlines.sitemap:SitemapReader",
        "opml": "whatsrelated.sources.outlines.opml:OpmlReader",
        "bookmarks": "whatsrelated.sources.outlines.bookmarks:BookmarksReader",
        "works": "whatsrelated.sources.exchange.works:WorksReader",
        "bibliography": "whatsrelated.sources.bibliography:BibliographyReader",
        "wordpress": "whatsrelated.sources.exports.wordpress:WordPressReader",
        "confluence": "whatsrelated.sources.exports.confluence:ConfluenceReader",
        "ghost": "whatsrelated.sources.exports.ghost:GhostReader",
        "discourse": "whatsrelated.sources.exports.discourse:DiscourseReader",
        "stack-exchange": "whatsrelated.sources.exports.stack_exchange:StackExchangeReader",
        "roam": "whatsrelated.sources.exports.roam:RoamReader",
        "tiddlywiki": "whatsrelated.sources.tiddlywiki:TiddlyWikiReader",
        "node-link": "whatsrelated.sources.exchange.node_link:NodeLinkReader",
        "jsonl": "whatsrelated.sources.jsonl:JSONLinesReader",
        "wikispeedia": "whatsrelated.sources.wikispeedia:WikispeediaReader",
        "konect": "whatsrelated.sources.konect:KonectReader",
        "kleinberg": "whatsrelated.sources.kleinberg:KleinbergReader",
        "sqlite": "whatsrelated.sources.sqlite:SqliteReader",
        "rows": "whatsrelated.sources.rows:RowsReader",
        "columns": "whatsrelated.sources.columns:ColumnsReader",
        "npy": "whatsrelated.sources.arrays:ArraysReader",
        "dokuwiki": "whatsrelated.sources.dokuwiki:DokuWikiFolder",
        "notion": "whatsrelated.sources.notion:NotionExport",
        "joplin": "whatsrelated.sources.note_apps:JoplinExport",
        "textbundle": "whatsrelated.sources.note_apps:TextBundleFolder",
        "zettlr": "whatsrelated.sources.note_apps:ZettlrWorkspace",
        "github-wiki": "whatsrelated.sources.note_apps:GitHubWikiClone",
        "gemini": "whatsrelated.sources.note_apps:GeminiCapsule",
        "foam": "whatsrelated.sources.markdown_folder:FoamWorkspace",
        "mkdocs": "whatsrelated.sources.markdown_folder:MkDocsSources",
        "docusaurus": "whatsrelated.sources.markdown_folder:DocusaurusSources",
        "hugo": "whatsrelated.sources.markdown_folder:HugoSources",
        "vitepress": "whatsrelated.sources.generators:VitePressSources",
        "astro": "whatsrelated.sources.generators:AstroSources",
        "jekyll": "whatsrelated.sources.generators:JekyllSources",
        "nuxt": "whatsrelated.sources.generators:NuxtSources",
        "logseq": "whatsrelated.sources.generators:LogseqGraph",
        "rst": "whatsrelated.sources.markup:RstFolder",
        "asciidoc": "whatsrelated.sources.markup:AsciiDocFolder",
        "org": "whatsrelated.sources.markup:OrgFolder",
        "mdn": "whatsrelated.sources.markdown_folder:MdnContent",
        "obsidian": "whatsrelated.sources.markdown_folder:ObsidianVault",
        "html": "whatsrelated.sources.html_folder:HtmlFolder",
        "markdown": "whatsrelated.sources.markdown_folder:MarkdownFolder",
    },
)
"""The readers, in the order in which they are tried on a file."""


def readers() -> list[type[Reader]]:
    """Every reader; those of other packages come first and can override ours."""
    return sorted(READERS.values(), key=lambda reader: reader.name in READERS.ours)


def settings() -> list[type[Configured]]:
    """All classes whose options `open_sources` accepts."""
    return [*readers(), NamesFile]


class Sources:
    """One stream of pages and links over several files."""

    def __init__(
        self,
        parts: list[tuple[File, Reader]],
        names: NumberNames | HostNames | None,
        context: ReadContext,
        ordered: bool,
        guessed: bool,
    ) -> None:
        self.parts = parts
        self.guessed = guessed
        """Whether the formats were recognised rather than given by the user."""
        self.ordered = ordered and all(reader.is_ordered(file) for file, reader in parts)
        self.title_ends = TitleEnds()
        """The beginnings and endings of the titles read so far."""
        self._shared_ends: list[str] = []
        self._names = names
        self._context = context

    @property
    def names(self) -> NumberNames | HostNames | None:
        """The names behind the numbers, if the sources number their pages."""
        return self._names

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """The counts of each reader that counts: pages, links, and links left out."""
        return self._context.counts

    @property
    def provenance(self) -> dict[str, Any]:
        """The graph's record of its sources; complete once all have been read."""
        pairs = dict.fromkeys((file.origin, reader.name) for file, reader in self.parts)
        return {
            "sources": [origin for origin, _ in pairs],
            "formats": [name for _, name in pairs],
            "found": self.counts,
            "published": self._context.published,
            "title_ends": self._shared_ends,
            **({"site": True} if all(reader.is_site for _, reader in self.parts) else {}),
            **({"level": self._names.level} if isinstance(self._names, HostNames) else {}),
        }

    def __iter__(self) -> Iterator[Item]:
        for item in self._items():
            if isinstance(item, Page) and item.title:
                self.title_ends.add(item.title)
            yield item
        self.finish()
        if isinstance(self._names, RankNames):
            self._names.require_all()

    def finish(self, published: Iterable[str] = ()) -> None:
        """Complete the provenance once everything has been read, here or in another process."""
        self._context.published.extend(published)
        self._shared_ends[:] = self.title_ends.shared()

    def _items(self) -> Iterator[Item]:
        read: set[Reader] = set()
        for file, reader in self.parts:
            if not reader.together:
                yield from self.read_one(file, reader)
            elif reader not in read:
                read.add(reader)
                files = [file for file, other in self.parts if other == reader]
                yield from reader.read_together(files, self._context)

    def read_one(self, file: File, reader: Reader) -> Iterator[Item]:
        """The pages and links of one file."""
        items = reader.read(file, self._context)
        if self._names is not None:
            items = self._names.name_links(items, file.label, reader.first_number)
        empty = True
        before = dict(self._context.refused.counts)
        self._context.lines = self._context.bad_lines = 0
        for item in items:
            empty = False
            yield item
        if empty and file.label != file.origin:  # the others of its folder or archive may have some
            self._context.refuse("files without links", file.label)
        elif empty:
            raise ReadError(f"{file.label} has no links: {self._why_empty(reader, before)}.")
        if self.guessed and reader.name in LISTS:
            require_few_refused(file, reader, self._context.bad_lines, self._context.lines)

    def _why_empty(self, reader: Reader, before: Mapping[str, int]) -> str:
        """Why a file had no links; `before` are the counts of rejections before it."""
        refused = Counter(self._context.refused.counts)
        refused.subtract(before)
        if listed := ", ".join(f"{count:,} {why}" for why, count in refused.items() if count):
            return f"all of its {refused.total():,} lines were rejected ({listed})"
        counts = self._context.counter(reader.name).items()
        listed = ", ".join(f"{what}: {count:,}" for what, count in counts if "left out" in what)
        if listed and "where" in declared_options(type(reader)):
            listed += "; choose others with --where"
        return listed or "it is empty"


def open_sources(
    paths: Iterable[str | Path],
    reading: ReadOptions | None = None,
    *,
    refused: Refused | None = None,
    memory: int = 1 << 30,
    temporary: str | Path | None = None,
    progress: Progress | None = None,
    options: Mapping[str, Any] | None = None,
    defaults: Mapping[str, Any] | None = None,
    parsed: ParsedFiles | None = None,
) -> Sources:
    """One stream over all files, each read by the reader that recognises it.

    `reading` holds the options for every format, `options` those of the readers and of `NamesFile`.
    `defaults` apply to readers that have such an option. `memory` limits a batch of links. `parsed`
    holds the results of earlier reads of folders.
    """
    reading = reading or ReadOptions()
    folder = str(temporary) if temporary else None
    files = [_local(path, folder, progress) for path in paths]
    name_files = [_local(path, folder, progress) for path in reading.names_file]
    for file in [*files, *name_files]:
        _require(file)
    context = ReadContext(
        reading,
        Refused() if refused is None else refused,
        memory,
        numbers_only=bool(name_files),
        temporary=folder,
        progress=progress,
        parsed=parsed,
    )
    options = options or {}
    chosen = [pair for file in files for pair in _choose_readers(file, reading.format, context)]
    files, kinds = [file for file, _ in chosen], [kind for _, kind in chosen]
    if reading.format is None:
        _require_links(files, kinds)
    _check_options(options, [*kinds, *([NamesFile] if name_files else [])])

    def configured(kind: type[C]) -> C:
        before, now = (divide(values, kind)[0] for values in (defaults or {}, options))
        return configure(kind, {**before, **now})

    parts = [(file, configured(kind)) for file, kind in zip(files, kinds, strict=True)]
    numbered: NumberNames | HostNames | None = None
    if name_files:
        settings = configured(NamesFile)
        if not settings.names_columns and RankNames.takes(name_files):
            numbered = RankNames(name_files, context)
        elif not settings.names_columns and HostNames.takes(name_files):
            numbered = HostNames(name_files, context)
        else:
            numbered = NumberNames(name_files, settings, context)
    return Sources(parts, numbered, context, not reading.unordered, guessed=reading.format is None)


def _local(path: str | Path, temporary: str | None, progress: Progress | None) -> File:
    """A source; a remote one is copied to a temporary folder first."""
    url = None if Path(path).exists() else remote_url(path)
    if url is None:
        return File(path)
    holder = TemporaryFolder(temporary)
    site = f"to read a site over the network: related crawl {url}" if url[:4] == "http" else ""
    try:
        file = File(fetch(url, holder.path, progress))
    except ReadError as error:
        if not site:
            raise
        raise ReadError(f"{error}; {site}") from error
    file.label = file.origin = url
    file.holder = holder
    if site and is_page(file):
        raise ReadError(f"{url} is a page; {site}")
    return file


def _require(file: File) -> None:
    """Raise an error for a file that does not exist, before anything is read."""
    if not file.is_standard and not file.path.exists():
        raise no_file(file.origin)


def _choose_readers(
    file: File, format: str | None, context: ReadContext, inside: bool = False
) -> list[tuple[File, type[Reader]]]:
    """The reader of a file, or the readers of the files in an archive or a folder of data.

    `inside` is true for a file from one of these; nested archives are not opened.
    """
    holder: TemporaryFolder | None = None
    if not file.is_standard and file.path.is_dir():
        by_files = not inside and (format is None or not READERS[format].folders)
        parts = data_files(file, context.refused) if by_files else []
    elif _is_archive(file, format):
        holder = TemporaryFolder(context.temporary)
        folders = [reader for reader in readers() if reader.folders]
        parts = unpack(file, holder.path, lambda top: any(r.recognises(top) for r in folders))
    else:
        parts = []
    if not parts:
        return [(file, _choose_reader(file, format))]
    chosen: list[tuple[File, type[Reader]]] = []
    error: ReadError | None = None
    for part in parts:
        part.holder = holder
        try:
            if inside:
                chosen.append((part, _choose_reader(part, format)))
            else:
                chosen += _choose_readers(part, format, context, inside=True)
        except ReadError as other:
            error = error or other
            context.refuse("files without links", part.label)
        part.forget_sample()
    if error is not None and not chosen:
        raise error
    return chosen


def _is_archive(file: File, format: str | None) -> bool:
    """Whether a file is an archive that no reader reads directly."""
    if not is_container(file):
        return False
    known = [READERS[format]] if format else [r for r in readers() if not r.folders]
    return not any(reader.recognises(file) for reader in known if not reader.folders)


def _choose_reader(file: File, format: str | None) -> type[Reader]:
    if format is not None:
        return READERS[format]
    folder = not file.is_standard and file.path.is_dir()
    return reader_of(file, (reader for reader in readers() if reader.folders == folder))


def _require_links(files: list[File], kinds: list[type[Reader]]) -> None:
    """Raise an error if no source has links."""
    if kinds and all(kind.only_titles for kind in kinds):
        label = files[0].label
        raise ReadError(
            f"{label} is a bibliography, which has titles but no links; give it together with "
            f"the citations or notes: related build LINKS {label}"
        )


def _check_options(options: Mapping[str, Any], kinds: Iterable[type[Configured]]) -> None:
    listed = list({kind.name: kind for kind in kinds}.values())
    known = {name for kind in listed for name in declared_options(kind)}
    for name in options:
        if all(name in divide(options, kind)[1] for kind in listed):
            known_names = f"it has: {', '.join(sorted(known))}" if known else "it has none"
            formats = ", ".join(kind.name for kind in listed)
            raise OptionError(f"{formats} has no option {name!r:.80}; {known_names}.")
