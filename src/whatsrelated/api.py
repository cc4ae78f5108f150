"""The public Graph: a store, and every question that can be asked of it."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated import urls
from whatsrelated.answer import Answer, Found, Result, joined
from whatsrelated.comparison import Comparison
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.filters import Filters, Sieve
from whatsrelated.graph import terms
from whatsrelated.graph.build import build_in_memory, build_on_disk
from whatsrelated.graph.reading import Column, Plan
from whatsrelated.graph.store import Store
from whatsrelated.methods import Method, method_named
from whatsrelated.options import Configured, chosen, configured, declared_options, option
from whatsrelated.ranks import Rank, rank_named
from whatsrelated.ranks.kept import ranked
from whatsrelated.sources import open_sources
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused
from whatsrelated.vicinity import Question

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.ranks.ranking import Ranking

DEFAULT_METHOD = "cocitation"
DEFAULT_RANK = "pagerank"


@dataclass(frozen=True)
class Basics(Configured):
    """What every method is told."""

    name: ClassVar[str] = "related"

    limit: int = option(10, "how many results are wanted", low=1)
    seed: int = option(0, "draws the sample of parents", low=0)
    site: str = option(
        "auto",
        "what counts as one site: auto decides from the graph",
        choices=("auto", "host", "domain", "page"),
    )
    stop: str | None = option(
        None, "pages without a topic: a file of URLs, or auto:N for the N most linked", kind=str
    )
    chop: bool | None = option(
        None, "whether to ask for the folder above where a page has no answer", kind=bool
    )


@dataclass(frozen=True)
class Request(Filters, Basics):
    """What is asked of every method, and what is left out of its answer."""


@dataclass(frozen=True)
class Naming(Configured):
    """How raw names become the names of pages."""

    name: ClassVar[str] = "build"

    urls: str = option(
        "canonical", "spell URLs one way, or keep names as they come", choices=("canonical", "keep")
    )
    names: str = option(
        "auto", "host: bare hosts are URLs, not plain names", choices=("auto", "host")
    )
    merge_scheme: bool = option(False, "http and https are one page")

    @property
    def plain_stays(self) -> bool:
        return self.names != "host" or self.urls == "keep"

    @property
    def http_stays(self) -> bool:
        return not self.merge_scheme or self.urls == "keep"

    def __call__(self, raw: str) -> str:
        if self.urls == "keep":
            return urls.kept(raw)
        if self.names == "host":
            return urls.as_host(raw, merge_scheme=self.merge_scheme)
        return urls.canonical(raw, merge_scheme=self.merge_scheme)


class Graph:
    """Pages and their links, and the questions that can be asked of them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._stop_lists: dict[str, NDArray[uint32]] = {}
        self._rankings: dict[Rank, Ranking] = {}
        self._ranking = threading.Lock()

    @classmethod
    def from_links(
        cls,
        links: Iterable[tuple[str, str]],
        *,
        pages: Iterable[str] = (),
        titles: Mapping[str, str] | None = None,
        ordered: bool = True,
        refused: Refused | None = None,
        **naming: Any,
    ) -> Graph:
        """The graph of pairs (page, page it links to), in page order, in memory.

        A name that cannot be a page is counted in `refused`; without it, it is an error.
        """
        counted = Refused() if refused is None else refused
        stream = _pages_of(links, pages, titles or {})
        graph = cls.from_pages(stream, ordered=ordered, refused=counted, **naming)
        if refused is None and counted.total():
            reason, examples = next(iter(counted.examples.items()))
            raise OptionError(f"from_links: {examples[0]!r:.80} cannot be a page: {reason}.")
        return graph

    @classmethod
    def from_pages(
        cls,
        pages: Iterable[Page | NamedLinks | NumberedLinks],
        *,
        ordered: bool = True,
        refused: Refused | None = None,
        text: bool = False,
        **naming: Any,
    ) -> Graph:
        """The graph of a stream of pages, in memory; `text` keeps their words too."""
        plan = Plan(
            configured(Naming, naming),
            ordered=ordered,
            columns=columns(configured(Naming, naming), text),
            refused=refused or Refused(),
        )
        return cls(build_in_memory(pages, plan))

    def __len__(self) -> int:
        return self.store.n_pages

    @property
    def n_links(self) -> int:
        return self.store.n_links

    def __repr__(self) -> str:
        where = f" in {self.store.path}" if self.store.path else ""
        return f"<Graph of {len(self):,} pages and {self.n_links:,} links{where}>"

    def page(self, url: str) -> int:
        """The page of that name, spelt as people spell it."""
        return self._looked_up(url)[0]

    def url(self, page: int) -> str:
        return self.store.url(self._checked(page))

    def title(self, page: int) -> str | None:
        return self.store.title(self._checked(page))

    def links_from(self, page: int) -> NDArray[uint32]:
        """The pages that a page links to, in page order."""
        return self.store.links_from(self._checked(page))

    def links_to(self, page: int) -> NDArray[uint32]:
        """The pages that link to a page, the most linked-to first."""
        return self.store.links_to(self._checked(page))

    def anchors(self, page: int) -> dict[str, str]:
        """The texts of a page's links by URL, in page order, where the graph has kept them."""
        kept = self.store.column("anchors")
        if kept is None:
            return {}
        lines = kept.get(self._checked(page)).decode().splitlines()
        return dict(line.split("\t", 1) for line in lines)

    def site(self, page: int, by: str = "host") -> str:
        """The host or the registrable domain of a page; a plain name is its own site."""
        name = self.url(page)
        host = urls.host_of(name)
        if host is None or by == "page":
            return name
        return host if by == "host" else urls.domain_of(host)

    def related(
        self,
        pages: str | Sequence[str],
        by: str | Method | None = None,
        *,
        deadline: float | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> Answer:
        """The pages related to a page, or to all of several.

        `options` are the method's own, and those of every method (`Request`);
        `stop` may also be a list of URLs.  After `deadline`, a `time.monotonic()`,
        a method that can stops with what it has.  `progress` is told of a rank that
        has to be computed first.
        """
        begun = time.perf_counter()
        common = declared_options(Request)
        stop = options.pop("stop", None)
        request = configured(Request, {k: v for k, v in options.items() if k in common})
        own = {name: value for name, value in options.items() if name not in common}
        method = self.method(by, own)
        asked: list[Any] = list(pages) if isinstance(pages, list | tuple) else [pages]
        if not asked:
            raise OptionError("related: no page was asked for; give at least one.")
        asking = _Asking(self, method, request, self.stop_pages(stop), deadline, progress)
        found, answered = asking.answer(asked)
        results = asking.results(found)
        return Answer(
            asked=asked,
            answered_for=[self.store.url(page) for page in answered],
            by=method,
            options={**method.settings(), **request.settings(), "stop": stop},
            results=results,
            vicinity={"pages": found.vicinity_pages, "links": found.vicinity_links},
            took_ms=round((time.perf_counter() - begun) * 1000, 3),
            notes=asking.notes + list(found.notes) + ([found.reason] if not len(found) else []),
            details=found.details,
        )

    def question(self, pages: Sequence[int], **options: Any) -> Question:
        """What a method is asked for these pages, for who looks at a vicinity himself."""
        stop = self.stop_pages(options.pop("stop", None))
        request = configured(Request, options)
        asking = _Asking(self, method_named(DEFAULT_METHOD)(), request, stop)
        known = tuple(self._checked(page) for page in pages)
        return asking.question(known, asking.site(*known))

    def compare(
        self, pages: str | Sequence[str], by: Sequence[str | Method], **options: Any
    ) -> Comparison:
        """The answers of several methods to one question, side by side.

        An option is given to every method of `by` that has it.
        """
        common = declared_options(Request)
        kinds = [method_named(one) if isinstance(one, str) else type(one) for one in by]
        if not kinds:
            raise OptionError("compare: no method was named; give at least one in by.")
        known = {name for kind in kinds for name in declared_options(kind)}
        for name in options:
            if name not in known | common.keys():
                listed = ", ".join(sorted(known | common.keys()))
                raise OptionError(f"compare has no option {name!r:.80}; it has: {listed}.")
        answers = []
        for method, kind in zip(by, kinds, strict=True):
            own = declared_options(kind) if isinstance(method, str) else {}
            fitting = {k: v for k, v in options.items() if k in common or k in own}
            answers.append(self.related(pages, by=method, **fitting))
        names = [str(answer.by.name) for answer in answers]
        if len(set(names)) < len(names):
            names = [repr(answer.by) for answer in answers]
        return Comparison(tuple(names), tuple(answers))

    def method(self, by: str | Method | None, options: Mapping[str, Any]) -> Method:
        """The method of that name with these options, or the value itself."""
        return chosen(by or DEFAULT_METHOD, method_named, options)

    def rank(
        self,
        by: str | Rank = DEFAULT_RANK,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
        **options: Any,
    ) -> Ranking:
        """A score for every page: as it was kept beside the graph, else computed and kept.

        `options` are the rank's own.  Scores that do not settle are an error, unless `accept`.
        """
        rank = chosen(by, rank_named, options)
        with self._ranking:
            if rank not in self._rankings:
                ranking = ranked(
                    self.store, rank, threads=threads, progress=progress, accept=accept
                )
                if not ranking.settled:
                    return ranking
                self._rankings[rank] = ranking
            return self._rankings[rank]

    def stop_pages(self, stop: str | Iterable[str] | None) -> NDArray[uint32]:
        """The pages of a stop list, ascending."""
        if stop is None:
            return np.empty(0, np.uint32)
        if not isinstance(stop, str):
            return self._pages_named(stop)
        configured(Request, {"stop": stop})
        if stop not in self._stop_lists:
            self._stop_lists[stop] = self._read_stop_list(stop)
        return self._stop_lists[stop]

    def _read_stop_list(self, stop: str) -> NDArray[uint32]:
        kind, _, number = stop.partition(":")
        if kind == "auto":
            if not number.isdigit():
                raise OptionError(f"related: stop must be a file or auto:N, got {stop!r:.80}.")
            sites = None if self.store.auto_site == "page" else self.store.hosts
            return most_linked(self.store, int(number), sites)
        try:
            lines = Path(stop).read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise OptionError(f"related: the stop list {stop} cannot be read: {error}.") from error
        return self._pages_named(line.strip() for line in lines if line.strip())

    def _pages_named(self, names: Iterable[str]) -> NDArray[uint32]:
        found = map(self.store.look_up, names)
        return np.unique(np.array([page for page in found if page is not None], np.uint32))

    def _looked_up(self, text: str) -> tuple[int, str | None]:
        """The page somebody means, and a note where it is spelt otherwise."""
        page = self.store.page(text)
        name = self.store.url(page)
        return page, None if name == text else f"{text} is here as {name}."

    def _checked(self, page: int) -> int:
        if not 0 <= page < len(self):
            raise PageNotFound(f"No page number {page} in a graph of {len(self):,} pages.")
        return int(page)


class _Asking:
    """One call of `related`: which page answers, and how its results are put in order."""

    def __init__(
        self,
        graph: Graph,
        method: Method,
        request: Request,
        stop: NDArray[uint32],
        deadline: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.graph = graph
        self.store = graph.store
        self.method = method
        self.request = request
        self.stop = stop
        self.deadline = deadline
        self.progress = progress
        self.notes: list[str] = []
        self.excluded: set[int] = set()
        if method.reads_order and not self.store.ordered:
            self.notes.append("The source had no link order: pages are read in the order given.")

    def answer(self, asked: list[str]) -> tuple[Found, list[int]]:
        """What the method finds, and the pages that it answered for."""
        attempts = [self._attempts(text) for text in asked]
        if self.method.joint and len(asked) > 1:
            pages = [attempt[0] for attempt in attempts]
            return self._find(tuple(pages)), pages
        answers = [self._first_enough(attempt) for attempt in attempts]
        if len(answers) == 1:
            return answers[0][0], [answers[0][1]]
        for text, (found, _) in zip(asked, answers, strict=True):
            if not len(found):
                self.notes.append(f"Nothing was found for {text}: {found.reason}.")
        return joined([found for found, _ in answers]), [page for _, page in answers]

    def results(self, found: Found) -> list[Result]:
        """The best of what was found, in order, without what the filters leave out."""
        sites = self.store.domains if self.request.site == "domain" else self.store.hosts
        sieve = Sieve(self.request, self.store, self.excluded, sites)
        places = sieve.chosen(found, self.request.limit)
        if len(places) < min(self.request.limit, len(found)):
            names = ", ".join(self.request.in_force())
            self.notes.append(
                f"Of {len(found):,} pages found, {len(places):,} passed the filters ({names})."
            )
        return [
            Result(page, self.store.url(page), self.store.title(page), score, found.evidence)
            for page, score in zip(
                found.pages[places].tolist(), found.scores[places].tolist(), strict=True
            )
        ]

    def _attempts(self, text: str) -> list[int]:
        """The pages to ask for, in order: the page itself, then its ancestors."""
        request = self.request
        try:
            page, note = self.graph._looked_up(text)
        except PageNotFound:
            above = self._above(urls.look_ups(text)) if request.chop is not False else []
            if not above:
                raise
            self.notes.append(f"{text} is no page of the graph; asked for {self._url(above[0])}.")
            self.excluded.update(above[:1])
            return above
        if note:
            self.notes.append(note)
        self.excluded.add(page)
        chop = request.chop
        if chop is None:
            chop = self.method.chops and self.site(page) != "page"
        return [page, *self._above([self._url(page)])] if chop else [page]

    def _above(self, names: Iterable[str]) -> list[int]:
        """The pages above a URL, nearest first; of several spellings, the first that has any."""
        for name in names:
            found: list[int] = []
            for higher in urls.chopped(name):
                twin = urls.slash_twin(higher)
                for spelt in (higher, twin) if twin else (higher,):
                    page = self.store.find(spelt)
                    if page is not None:
                        found.append(page)
                        break
            if found:
                return list(dict.fromkeys(found))
        return []

    def _first_enough(self, attempts: list[int]) -> tuple[Found, int]:
        """The first page whose answer is enough, else the first with any, else the first."""
        tried: list[tuple[Found, int]] = []
        for page in attempts:
            found = self._find((page,))
            if self.method.enough_found(found):
                break
            tried.append((found, page))
        else:
            found, page = next((pair for pair in tried if len(pair[0])), tried[0])
        self.excluded.add(page)
        if page != attempts[0]:
            self.notes.append(f"{self._url(attempts[0])} had too thin an answer; chopped.")
        return found, page

    def _find(self, pages: tuple[int, ...]) -> Found:
        self.excluded.update(pages)
        site = self.site(*pages)
        found = self.method.find(self.question(pages, site))
        if site == "page" != self.store.auto_site and self.request.site == "auto":
            note = "All links of the page are on its own site: every page counts as a site."
            found.notes = (*found.notes, note)
        return found.without(self.excluded)

    def question(self, pages: tuple[int, ...], site: str) -> Question:
        """What the method is asked for these pages."""
        return Question(
            store=self.store,
            pages=pages,
            sites=self._sites(site),
            stop=self._stop_for(pages),
            seed=self.request.seed,
            rank=partial(self.graph.rank, progress=self.progress),
            deadline=self.deadline,
        )

    def _stop_for(self, pages: tuple[int, ...]) -> NDArray[uint32]:
        """The stop list, empty where a query page is on it (DH99, sec. 2.1.1)."""
        listed = len(self.stop) and np.isin(pages, self.stop).any()
        return self.stop[:0] if listed else self.stop

    def site(self, *pages: int) -> str:
        """What a site is for these pages."""
        if self.request.site != "auto":
            return self.request.site
        if self.store.auto_site == "page":
            return "page"
        return "page" if all(map(self._is_inward, pages)) else self.store.auto_site

    def _is_inward(self, page: int) -> bool:
        """Whether a page has parents or children, all of them on its own host."""
        hosts, own = self.store.hosts, self.store.hosts[page]
        around = self.store.links_from(page), self.store.links_to(page)
        if not any(map(len, around)):
            return False
        # Most pages show it in their first links.
        return all((hosts[pages[:8]] == own).all() for pages in around) and all(
            bool((hosts[pages] == own).all()) for pages in around
        )

    def _sites(self, site: str) -> NDArray[uint32] | None:
        return {"page": None, "host": self.store.hosts, "domain": self.store.domains}[site]

    def _url(self, page: int) -> str:
        return self.store.url(page)


def open(path: str | Path) -> Graph:
    """The graph in a folder."""
    return Graph(Store.open(Path(path)))


def build(
    sources: str | Path | Iterable[str | Path] | Iterable[Page | NamedLinks | NumberedLinks],
    path: str | Path,
    *,
    format: str | None = None,
    names_file: str | Path | Iterable[str | Path] | None = None,
    ordered: bool = True,
    strict: bool = False,
    memory: int = 4 << 30,
    temporary: str | Path | None = None,
    refused: Refused | None = None,
    progress: Progress | None = None,
    told: Mapping[str, Any] | None = None,
    text: bool = False,
    **options: Any,
) -> Graph:
    """Build a graph from files, or from a stream of pages, and open it.

    `text` keeps the words of pages, for hubfinder's `like`.  `options` are those of
    `Naming` and, for files, of their readers.
    """
    naming = {name: options.pop(name) for name in declared_options(Naming) if name in options}
    counted = Refused() if refused is None else refused
    built = {**configured(Naming, naming).settings(), **(told or {})}
    if isinstance(sources, str | Path):
        sources = [sources]
    stream: Iterable[Any] = sources
    if isinstance(sources, list | tuple) and all(isinstance(each, str | Path) for each in sources):
        opened = open_sources(
            sources,
            format=format,
            names=names_file,
            ordered=ordered,
            strict=strict,
            refused=counted,
            memory=memory // 4,
            text=text,
            temporary=temporary,
            progress=progress,
            options=options,
        )
        stream, ordered = opened, opened.ordered
        built["sources"] = [str(each) for each in sources]
        built["found"] = opened.found
    elif options:
        listed = ", ".join(declared_options(Naming))
        raise OptionError(f"build has no option {next(iter(options))!r:.80}; it has: {listed}.")
    plan = Plan(
        configured(Naming, naming),
        ordered=ordered,
        memory=memory,
        temporary=Path(temporary) if temporary else None,
        columns=columns(configured(Naming, naming), text),
        told=built,
        refused=counted,
        progress=progress,
    )
    return Graph(build_on_disk(stream, Path(path), plan))


def columns(naming: Naming, text: bool = False) -> dict[str, Column]:
    """What is kept of a page besides its links."""

    def anchors_of(page: Page) -> bytes | None:
        """A line for each link that has a text: its URL, a tab, the text."""
        lines = []
        for link, text in zip(page.links, page.anchors, strict=bool(page.anchors)):
            with contextlib.suppress(urls.BadName):
                lines.append(f"{naming(link)}\t{' '.join(text.split())}" if text else "")
        return "\n".join(filter(None, lines)).encode("utf-8", "replace") or None

    kept: dict[str, Column] = {"titles": title_of, "anchors": anchors_of}
    return {**kept, terms.COLUMN: terms.terms_of} if text else kept


def title_of(page: Page) -> bytes | None:
    """A page's title as one line."""
    if page.title is None:
        return None
    return " ".join(page.title.split()).encode("utf-8", "replace")


def most_linked(store: Store, count: int, sites: NDArray[uint32] | None) -> NDArray[uint32]:
    """The pages that the most sites link to; a page is linked from no more sites than pages."""
    degrees = np.diff(store.in_offsets.astype(np.int64))
    best: list[tuple[int, int]] = []
    if not count:
        return np.empty(0, np.uint32)
    for page in np.argsort(-degrees, kind="stable").tolist():
        if len(best) >= count and degrees[page] < -best[count - 1][0]:
            break
        parents = store.links_to(page)
        linking = len(parents) if sites is None else len(np.unique(sites[parents]))
        best.append((-linking, page))
        best.sort()
        del best[count:]
    return np.unique(np.array([page for _, page in best], np.uint32))


def _pages_of(
    links: Iterable[tuple[str, str]], pages: Iterable[str], titles: Mapping[str, str]
) -> Iterator[Page]:
    for page in pages:
        yield Page(page)
    for page, title in titles.items():
        yield Page(page, title=title)
    for source, target in links:
        yield Page(source, (target,))
