"""The public Graph: a store, and every question that can be asked of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.graph.build import build_in_memory, build_on_disk
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan
from whatsrelated.graph.store import Store
from whatsrelated.methods import Method, method_named
from whatsrelated.names.hosts import domain_of, host_of
from whatsrelated.names.naming import Naming
from whatsrelated.options import chosen, configured, declared_options
from whatsrelated.query.answer import Answer
from whatsrelated.query.ask import Asking, most_linked
from whatsrelated.query.comparison import Comparison
from whatsrelated.query.question import Question
from whatsrelated.query.request import DEFAULT_METHOD, Request
from whatsrelated.query.similarity import DEFAULT_MEASURE, Comparing, Similarity, compared, of_two
from whatsrelated.ranks import Rank, rank_named
from whatsrelated.ranks.cache import ranking_of
from whatsrelated.sources import open_sources
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.ranks.ranking import Ranking

DEFAULT_RANK = "pagerank"


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
        return self.store.page(url)

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
        host = host_of(name)
        if host is None or by == "page":
            return name
        return host if by == "host" else domain_of(host)

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
        asking = Asking(
            self.store,
            method,
            request,
            self.stop_pages(stop),
            rank=partial(self.rank, progress=progress),
            deadline=deadline,
        )
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
        asking = Asking(self.store, method_named(DEFAULT_METHOD)(), request, stop, rank=self.rank)
        known = tuple(self._checked(page) for page in pages)
        return asking.question(known, asking.site(*known))

    def compare(
        self,
        pages: str | Sequence[str],
        by: Sequence[str | Method],
        *,
        progress: Progress | None = None,
        **options: Any,
    ) -> Comparison:
        """The answers of several methods to one question, side by side.

        An option is given to every method of `by` that has it.  `progress` is told of a
        rank that has to be computed first.
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
            answers.append(self.related(pages, by=method, progress=progress, **fitting))
        names = [str(answer.by.name) for answer in answers]
        if len(set(names)) < len(names):
            names = [repr(answer.by) for answer in answers]
        return Comparison(tuple(names), tuple(answers))

    @overload
    def similarity(
        self, pages: str, other: str, by: str | Method = ..., **options: Any
    ) -> float: ...

    @overload
    def similarity(
        self, pages: Sequence[str], *, by: str | Method = ..., **options: Any
    ) -> Similarity: ...

    def similarity(
        self,
        pages: str | Sequence[str],
        other: str | None = None,
        by: str | Method = DEFAULT_MEASURE,
        *,
        deadline: float | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> float | Similarity:
        """How alike two pages are: a number; or a matrix for a list of pages.

        It is the score that the whole list of the first gives the other.  `options` are the
        method's own, and `seed` and `site`.
        """
        asked = [pages] if isinstance(pages, str) else list(pages)
        if other is not None:
            asked.append(other)
        if len(asked) < 2:
            raise OptionError("similarity: two pages are needed at least, or a list of them.")
        common = declared_options(Comparing)
        comparing = configured(Comparing, {k: v for k, v in options.items() if k in common})
        method = self.method(by, {k: v for k, v in options.items() if k not in common})
        rank = partial(self.rank, progress=progress)
        if other is None:
            return compared(self.store, asked, method, comparing, rank, deadline)
        return of_two(self.store, asked, method, comparing, rank, deadline)

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
        """A score for every page: from the cache beside the graph, else computed and cached.

        `options` are the rank's own.  Scores that do not converge are an error, unless `accept`.
        """
        rank = chosen(by, rank_named, options)
        with self._ranking:
            if rank not in self._rankings:
                ranking = ranking_of(
                    self.store, rank, threads=threads, progress=progress, accept=accept
                )
                if not ranking.converged:
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

    def _checked(self, page: int) -> int:
        if not 0 <= page < len(self):
            raise PageNotFound(f"No page number {page} in a graph of {len(self):,} pages.")
        return int(page)


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
        provenance=built,
        refused=counted,
        progress=progress,
    )
    return Graph(build_on_disk(stream, Path(path), plan))


def _pages_of(
    links: Iterable[tuple[str, str]], pages: Iterable[str], titles: Mapping[str, str]
) -> Iterator[Page]:
    for page in pages:
        yield Page(page)
    for page, title in titles.items():
        yield Page(page, title=title)
    for source, target in links:
        yield Page(source, (target,))
