"""List and search the pages of a graph by words or folder, in a chosen order.

A page has a word if its name or title has it.  The last word may be a prefix, since people
search while they type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.names.folding import words
from whatsrelated.names.keys import key_start
from whatsrelated.options import Configured, option

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class PageSearch(Configured):
    """The pages to list, and their order."""

    name: ClassVar[str] = "pages"

    words: str = option("", "words in the name or title; the last may be a prefix", only_read=True)
    folder: str = option("", "list only pages whose URL or name starts with this", only_read=True)
    order: str = option(
        "in-degree",
        "sort order: by in-degree, highest first, or by folder and name",
        choices=("in-degree", "folder"),
    )
    limit: int = option(20, "maximum number of pages", low=1, high=1_000_000)
    skip: int = option(0, "number of pages to skip", low=0, high=2**53)

    def run(self, store: Store, progress: Progress | None = None) -> tuple[list[int], int]:
        """The first `limit` matching pages, and the number of all matches."""
        first, last = 0, store.n_pages
        if self.folder:
            first, last = store.names.starting(key_start(self.folder))
        if words(self.words):
            pages = self._with_words(store, progress)
            pages = pages[(pages >= first) & (pages < last)]
        else:
            pages = np.arange(first, last)
        if self.order == "folder":
            pages = np.sort(pages)
        elif not words(self.words):
            degrees = store.in_degree(pages).astype(np.uint32)
            pages = pages[kernels.link_sorting.descending(degrees)]
        return pages[self.skip : self.skip + self.limit].tolist(), len(pages)

    def _with_words(self, store: Store, progress: Progress | None) -> NDArray[int64]:
        """The pages that have all the words, most linked first."""
        index = store.lookup.index(progress, build=True)
        if index is None:
            return np.empty(0, np.int64)
        *whole, begun = words(self.words)
        lists: list[Any] = [index.with_word(word) for word in whole]
        ranks = kernels.searching.in_all([*lists, index.with_beginning(begun)], store.n_pages)
        return np.array(index.pages_at(ranks), np.int64)
