"""The public Graph: a store and all its queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, overload

from whatsrelated.api.arguments import (
    folder_named,
    listed,
    require_iterable,
    require_limits,
    require_refused,
    require_whole,
    stream_of_links,
    stream_of_pages,
)
from whatsrelated.api.batches import Batches
from whatsrelated.api.contents import Contents
from whatsrelated.contract.question import Question
from whatsrelated.errors import GraphFormatError, OptionError
from whatsrelated.graph.build import build_in_memory
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan
from whatsrelated.graph.saving import save
from whatsrelated.graph.store import Store
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.methods import METHODS, Method
from whatsrelated.names.naming import Naming
from whatsrelated.options import choose, configure
from whatsrelated.query.answer import Answer
from whatsrelated.query.ask import Asker, require_strengths
from whatsrelated.query.comparison import Comparison, options_for_each
from whatsrelated.query.neighbours import Common, common_neighbours
from whatsrelated.query.paths import LinkPaths, PathRequest, find_paths
from whatsrelated.query.rankings import DEFAULT_RANK, Rankings, ReportedRankings
from whatsrelated.query.request import DEFAULT_METHOD, Request, SimilarityRequest, split_options
from whatsrelated.query.similarity import DEFAULT_MEASURE, Similarity, pair_score, similarity_matrix
from whatsrelated.query.stop_lists import StopLists
from whatsrelated.query.weights import Weights
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused

if TYPE_CHECKING:
    from whatsrelated.ranks import Rank
    from whatsrelated.ranks.ranking import Ranking


SAMPLE = "sample"
"""The name of the sample Web, which is not in a folder."""


class Graph(Contents, Batches):
    """Pages and their links, with methods to query them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._stop_lists = StopLists(store)
        self.rankings = Rankings(store)

    def close(self) -> None:
        """Release the files once running queries have finished; later queries raise OptionError."""
        closed: Any = _Closed()
        self.store, self._stop_lists, self.rankings = closed, closed, closed

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """A graph on disk is pickled as its path, a graph in memory with all its arrays."""
        store = self.store
        if store.path is None:
            return _in_memory, (store.arrays, store.manifest)
        return _open_again, (store.path.absolute(), store.generation, store.fingerprint)

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
        """A graph in memory from pairs (page, page it links to), in page order.

        A name that cannot be a page is counted in `refused`; if that is not given, it raises an
        error.
        """
        require_refused("from_links", refused)
        counts = Refused() if refused is None else refused
        stream = stream_of_links(links, pages, {} if titles is None else titles)
        graph = cls.from_pages(stream, ordered=ordered, refused=counts, **naming)
        if refused is None and counts.total():
            reason, examples = next(iter(counts.examples.items()))
            example = examples[0] if examples else ""
            raise OptionError(f"from_links: {example!r:.80} cannot be a page: {reason}.")
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
        """A graph in memory from a stream of pages; with `text`, their words are kept too."""
        require_refused("from_pages", refused)
        names = configure(Naming, naming)
        plan = Plan(
            names, ordered=ordered, columns=columns(names, text), refused=refused or Refused()
        )
        return cls(build_in_memory(stream_of_pages("from_pages", pages), plan))

    def __repr__(self) -> str:
        if isinstance(self.store, _Closed):
            return "<Graph, closed>"
        where = f" in {self.store.path}" if self.store.path else ""
        return f"<Graph of {len(self):,} pages and {self.n_links:,} links{where}>"

    def save(self, path: str | Path) -> Graph:
        """Write the graph to a folder, replacing any graph there, and open it."""
        self.store.require_mapped()
        return Graph(save(self.store, folder_named(path)))

    def related(
        self,
        pages: str | Sequence[str] | Mapping[str, float],
        by: str | Method | type[Method] | None = None,
        *,
        unlike: str | Sequence[str] | Mapping[str, float] = (),
        deadline: float | None = None,
        memory: int = QUESTION_MEMORY,
        progress: Progress | None = None,
        **options: Any,
    ) -> Answer:
        """The pages related to a page, or to several pages together.

        Pages may have weights, as in `{"tea": 1, "milk": 0.5}`; results move away from those in
        `unlike`. `options` takes the options of the method and of every request (`Request`); `stop`
        may also be a list of URLs. After `deadline`, a `time.monotonic()` value, a method returns
        what it has found so far if it can, and otherwise raises OutOfTime. Pages and links that do
        not fit in `memory` bytes are left out, with a note. `progress` is called while the method
        computes a rank.
        """
        require_limits("related", deadline, memory, progress)
        asker = self.asker(by, progress=progress, **options)
        weights = Weights.of(pages, unlike)
        names = listed(pages) if weights is None else list(weights.pages)
        if not names:
            raise OptionError("related: no pages given; name at least one.")
        with keep_within(question_limits(deadline, memory)) as limits:
            return asker.answer(names, limits, weights)

    def asker(
        self,
        by: str | Method | type[Method] | None = None,
        *,
        progress: Progress | None = None,
        **options: Any,
    ) -> Asker:
        """A method with its options, for querying many pages by number (`Asker.best`)."""
        request, method_options = split_options(options, Request)
        stop = self._stop_lists.get(request.stop)
        known = self._stop_lists.known(request.known)
        chosen = self._stop_lists.chosen(request.pairs)
        method, ranks = (
            self.method(by, method_options, Request),
            ReportedRankings(self.rankings, progress),
        )
        require_strengths(method, request)
        self.store.require_mapped()
        return Asker(self.store, method, request, stop, known, ranks, chosen)

    def question(self, pages: Sequence[int], **options: Any) -> Question:
        """The question that a method receives for these pages, for inspecting a vicinity."""
        require_iterable("question", "pages", pages)
        self.store.require_mapped()
        request = configure(Request, options)
        return Question.about(
            self.store,
            tuple(self.require(page) for page in pages),
            site=request.site,
            stop=self._stop_lists.get(request.stop).pages,
            seed=request.seed,
            ranks=self.rankings,
        )

    def compare(
        self,
        pages: str | Sequence[str] | Mapping[str, float],
        by: Sequence[str | Method | type[Method]],
        *,
        deadline: float | None = None,
        memory: int = QUESTION_MEMORY,
        progress: Progress | None = None,
        **options: Any,
    ) -> Comparison:
        """The answers of several methods to one query, side by side.

        An option applies to every method in `by` that has it. All other options work as in
        `related`.
        """
        how: dict[str, Any] = {"deadline": deadline, "memory": memory, "progress": progress}
        each = options_for_each(by, options)
        return Comparison.of(
            [
                self.related(pages, by=method, **how, **method_options)
                for method, method_options in zip(by, each, strict=True)
            ]
        )

    @overload
    def similarity(
        self, pages: str, other: str, by: str | Method | type[Method] = ..., **options: Any
    ) -> float: ...

    @overload
    def similarity(
        self, pages: Sequence[str], *, by: str | Method | type[Method] = ..., **options: Any
    ) -> Similarity: ...

    def similarity(
        self,
        pages: str | Sequence[str],
        other: str | None = None,
        by: str | Method | type[Method] = DEFAULT_MEASURE,
        *,
        deadline: float | None = None,
        memory: int = QUESTION_MEMORY,
        progress: Progress | None = None,
        **options: Any,
    ) -> float | Similarity:
        """The similarity of two pages as a number, or of a list of pages as a matrix.

        It is the score of the other page in the first page's full list. `options` are the method's
        options, `seed` and `site`; `deadline` and `memory` work as in `related`.
        """
        require_limits("similarity", deadline, memory, progress)
        names = listed(pages)
        if other is not None:
            names.append(other)
        if len(names) < 2:
            raise OptionError("similarity: pass two pages, or a list of at least two.")
        request, method_options = split_options(options, SimilarityRequest)
        self.store.require_mapped()
        measure = similarity_matrix if other is None else pair_score
        with keep_within(question_limits(deadline, memory)) as limits:
            return measure(
                self.store,
                names,
                self.method(by, method_options, SimilarityRequest),
                request,
                ranks=ReportedRankings(self.rankings, progress),
                limits=limits,
            )

    def common(
        self,
        pages: str | Sequence[str],
        way: str = "in",
        *,
        without: str | Sequence[str] = (),
        least: int = 0,
        limit: int = 100,
    ) -> Common:
        """The pages that link to most of these pages (`in`), or that most of them link to (`out`).

        `least` is the minimum number of these pages, by default more than half. Pages that link to
        a page in `without` are left out.
        """
        self.store.require_mapped()
        return common_neighbours(
            self.store,
            listed(pages),
            way,
            without=listed(without),
            least=least,
            limit=limit,
        )

    def path(
        self,
        *pages: str,
        deadline: float | None = None,
        memory: int = QUESTION_MEMORY,
        **options: Any,
    ) -> LinkPaths:
        """The shortest chains of links from each of these pages to the next, rare links first.

        `options` takes the options of `PathRequest`: `limit`, `way` and `longest`; `deadline` and
        `memory` are as for `related`, but after the deadline OutOfTime is raised.
        """
        require_limits("path", deadline, memory, None)
        self.store.require_mapped()
        with keep_within(question_limits(deadline, memory)) as limits:
            return find_paths(self.store, pages, configure(PathRequest, options), limits)

    def method(
        self,
        by: str | Method | type[Method] | None,
        options: Mapping[str, Any],
        beside: type | None = None,
    ) -> Method:
        """The method with this name or class and these options, or the given instance.

        `beside` holds the other options of the call, for the error message.
        """
        chosen = DEFAULT_METHOD if by is None else by
        method = choose(chosen, METHODS.__getitem__, options, beside)
        if not isinstance(method, Method):
            raise OptionError(f"by must be a method, got {method!r:.80}.")
        return method

    def rank(
        self,
        by: str | Rank | type[Rank] = DEFAULT_RANK,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
        **options: Any,
    ) -> Ranking:
        """A score for every page, read if it is stored, otherwise computed and stored.

        `options` are the rank's own. Scores that did not converge are an error, unless `accept` is
        set.
        """
        if threads is not None:
            require_whole("rank", "threads", threads, 1)
        self.store.require_mapped()
        return self.rankings.ranking(
            by, threads=threads, progress=progress, accept=accept, **options
        )


class _Closed:
    """Stands in for the store of a closed graph."""

    def __getattr__(self, name: str) -> NoReturn:
        raise OptionError("The graph is closed; open it again.")


def open(path: str | Path, *, verify: str = "lazy", generation: int | None = None) -> Graph:
    """Open the graph in a folder, or an older `generation` of it; `sample` is the sample Web.

    `verify` controls when checksums are verified: `full` verifies now; `lazy` only if that takes
    milliseconds or a file has changed; `none` never.
    """
    if path == SAMPLE and not Path(SAMPLE).exists():
        from whatsrelated import sample

        names = Naming()
        plan = Plan(
            names, columns=columns(names, False), provenance={"sources": ["the sample Web"]}
        )
        return Graph(build_in_memory(sample.pages(), plan))
    return Graph(Store.open(folder_named(path), verify, generation))


def _open_again(path: Path, generation: int | None, fingerprint: str) -> Graph:
    graph = open(path, generation=generation)
    if graph.store.fingerprint != fingerprint:
        raise GraphFormatError(f"{path} is not the graph that was pickled.")
    return graph


def _in_memory(arrays: dict[str, Any], manifest: dict[str, Any]) -> Graph:
    return Graph(Store(arrays, manifest))
