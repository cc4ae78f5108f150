"""Queries for all or many pages of a graph, as Arrow batches or one answer per page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from whatsrelated.api.arguments import require_iterable, require_limits
from whatsrelated.errors import OptionError
from whatsrelated.kernels.scratch import QUESTION_MEMORY
from whatsrelated.options import divide
from whatsrelated.query.many import ask_many
from whatsrelated.query.record_batches import arrow, record_batch
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.blocks import AnswerBlock
    from whatsrelated.graph.store import Store
    from whatsrelated.methods import Method
    from whatsrelated.query.answer import Answer
    from whatsrelated.query.ask import Asker
    from whatsrelated.stream import Progress

MAX_ROWS = 1 << 18
"""Maximum number of rows per batch, unless a single page has more; about 60 MB with names."""
MAX_PAGES = 20_000
"""Maximum number of pages answered in a batch."""


@dataclass(frozen=True)
class Batch:
    """A query for every page: a method, and the options of every request.

    It can be pickled and sent to another process. `graph.batch` creates it and
    `graph.answer_blocks` answers it.
    """

    method: Method
    options: tuple[tuple[str, Any], ...] = ()
    """The options of the request, by name."""
    why: bool = False
    memory: int = QUESTION_MEMORY
    """Memory limit of each query, in bytes."""

    @property
    def limit(self) -> int:
        return int(dict(self.options).get("limit", Request.limit))

    @property
    def block_pages(self) -> int:
        """The number of pages answered at a time."""
        return max(1, min(MAX_PAGES, MAX_ROWS // self.limit))


class Batches:
    """Queries of a graph for many pages at once."""

    if TYPE_CHECKING:
        store: Store

        def asker(
            self, by: Any = None, *, progress: Progress | None = None, **options: Any
        ) -> Asker: ...

        def related(self, pages: str, by: Any = None, **options: Any) -> Answer: ...

        def require(self, page: int) -> int: ...

    def batch(
        self,
        by: str | Method | type[Method] | None = None,
        *,
        why: bool = False,
        memory: int = QUESTION_MEMORY,
        **options: Any,
    ) -> Batch:
        """A checked query for every page: see `Batch`."""
        require_limits("related_all", None, memory, None)
        for name in {"clusters", "hints"} & options.keys():
            raise OptionError(f"related_all: {name} apply to a single answer; omit the option.")
        asker = self.asker(by, **options)
        common = sorted(divide(options, Request)[0])
        kept = tuple((name, getattr(asker.request, name)) for name in common)
        return Batch(asker.method, kept, bool(why), int(memory))

    def answer_blocks(
        self,
        batch: Batch,
        pages: range | NDArray[uint32],
        *,
        allowed: NDArray[bool_] | None = None,
        progress: Progress | None = None,
        done: Callable[[int], None] | None = None,
    ) -> Iterator[AnswerBlock]:
        """The answers for these pages by number, in blocks, in order.

        `allowed` marks the pages that may be results. `done` is called with the number of pages
        answered in a block. `progress` is called while a rank is computed, if the method needs one.
        """
        asker = self.asker(batch.method, progress=progress, **dict(batch.options))
        for low in range(0, len(pages), batch.block_pages):
            self.store.require_mapped()
            yield ask_many(
                asker,
                np.asarray(pages[low : low + batch.block_pages], np.uint32),
                why=batch.why,
                memory=batch.memory,
                allowed=allowed,
                progress=done,
            )

    def record_batches(self, batch: Batch, pages: range | NDArray[uint32]) -> Iterator[Any]:
        """The same answers as pyarrow.RecordBatch; `query.record_batches` lists the columns."""
        arrow()
        for block in self.answer_blocks(batch, pages):
            yield record_batch(self.store, block)

    @overload
    def related_all(
        self,
        by: str | Method | type[Method] | None = ...,
        *,
        pages: Iterable[int | str] | None = ...,
        as_answers: Literal[False] = ...,
        **options: Any,
    ) -> Iterator[Any]: ...

    @overload
    def related_all(
        self,
        by: str | Method | type[Method] | None = ...,
        *,
        pages: Iterable[int | str] | None = ...,
        as_answers: Literal[True],
        **options: Any,
    ) -> Iterator[Answer]: ...

    def related_all(
        self,
        by: str | Method | type[Method] | None = None,
        *,
        pages: Iterable[int | str] | None = None,
        as_answers: bool = False,
        why: bool = False,
        memory: int = QUESTION_MEMORY,
        **options: Any,
    ) -> Iterator[Any]:
        """The pages related to every page, or to each of `pages`: numbers, a range, or URLs.

        Yields Arrow batches (pyarrow.RecordBatch) of a few thousand pages each, with one row per
        result: url, position, related_url, score, answered_for, and reason if `why` is set. With
        `as_answers`, yields an Answer for each page, which is slower. Options and answers are the
        same as for `related`.
        """
        batch = self.batch(by, why=why, memory=memory, **options)
        numbers = range(self.store.n_pages) if pages is None else self._numbers(pages)
        if as_answers:
            return self._answers(batch, numbers)
        return self.record_batches(batch, numbers)

    def _answers(self, batch: Batch, pages: Iterable[int]) -> Iterator[Answer]:
        for page in pages:
            url = self.store.url(page)
            yield self.related(url, batch.method, memory=batch.memory, **dict(batch.options))

    def _numbers(self, pages: Iterable[int | str]) -> range | NDArray[uint32]:
        """The numbers of the pages, in the given order."""
        require_iterable("related_all", "pages", pages)
        if isinstance(pages, range) and len(pages):
            self.require(pages[0])
            self.require(pages[-1])
            return pages
        if isinstance(pages, np.ndarray) and pages.dtype.kind in "iu":
            if len(pages):
                self.require(int(pages.min()))
                self.require(int(pages.max()))
            return pages.astype(np.uint32)
        numbers = [
            self.store.page(page) if isinstance(page, str) else self.require(page) for page in pages
        ]
        return np.array(numbers, np.uint32)
