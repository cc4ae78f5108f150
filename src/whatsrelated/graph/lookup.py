"""Find the page that a user means by the text they type. The steps are:

1. the exact name or a variant of it: scheme, `www.`, slash, index page, fragment,
   file extension, percent-encoding (`names.lookup`); a file in the folder the graph
   was built from, or a URL at which that folder is published;
2. the name with case, accents, spaces, underscores and hyphens folded;
3. its last path elements;
4. the title;
5. all words, in the name and the title.

The search ends at the first step that finds a page. If it finds exactly one, that is the answer;
if it finds several, the error lists the best. We never guess. In the graph of a folder, steps 2 to
5 look at the folder's own pages first, and at the pages they link to only if that finds none. For
a URL, step 3 is the last. It must match at least two path elements of a page that is not a URL,
since other sites have pages with the same name.

If no page matches, the error suggests the closest page by string distance, among pages whose words
are within two letters of those typed.

Steps 2 to 5 read the index (`word_index`); step 1 also works without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import PageNotFound
from whatsrelated.graph.page_files import source_folders
from whatsrelated.graph.word_index import WordIndex, read_index, word_index
from whatsrelated.names.folding import elements, label, words
from whatsrelated.names.hosts import host_of
from whatsrelated.names.lookup import likely_names, spellings_of_name

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store
    from whatsrelated.stream import Progress

BUILT_AT_ONCE = 1_000_000
"""Graphs up to this many pages get their index on the first look-up."""
MAX_LISTED = 5
MAX_COMPARED = 2_000
"""Maximum number of pages compared in one step, starting with those linked most."""
MAX_CLOSE_PAGES = 100
"""Maximum number of pages compared to find the closest one."""
MAX_SIMILAR_WORDS = 10
"""Maximum number of similar words tried per typed word to find the closest page."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The text a user typed, parsed; `only_read` if only pages that were read may be meant."""

    text: str
    parts: list[str]
    label: str
    words: list[str]
    is_url: bool
    only_read: bool = False


class Lookup:
    """Finds the pages of a graph by the text that people type."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._index: WordIndex | None = None

    def index(self, progress: Progress | None = None, *, build: bool = False) -> WordIndex | None:
        """The index; None if it does not exist and the graph is too large to build one unasked."""
        if self._index is None:
            if not self.store.n_pages:
                return None
            if build or self.store.n_pages <= BUILT_AT_ONCE:
                self._index = word_index(self.store, progress)
            else:
                self._index = read_index(self.store)
        return self._index

    def page(self, text: str) -> int:
        """The page that the user means; PageNotFound lists the best matches, or the closest
        page.
        """
        page = self.exact(text)
        if page is not None:
            return page
        typed = take_apart(text)
        index = self.index()
        if index is None:
            raise self._not_found(typed, None)
        own_first = (
            [replace(typed, only_read=True)] if self.store.is_site and not typed.is_url else []
        )
        for meant in [*own_first, typed]:
            for step in self._steps(meant):
                pages = step(index, meant)
                if len(pages) == 1:
                    return pages[0]
                if pages:
                    raise self._ambiguous(text, pages)
        raise self._not_found(typed, self._nearest(index, typed))

    def exact(self, text: str) -> int | None:
        """The page with that name or a variant of it, or None."""
        page = self.store.names.page_as_written(text)
        if page is not None:
            return page
        matches = map(self.store.names.page_of, chain(likely_names(text), self._file_names(text)))
        return next((page for page in matches if page is not None), None)

    def _file_names(self, text: str) -> Iterator[str]:
        """Possible names for a file in a source folder, or for a URL where the folder is
        published.
        """
        built = self.store.manifest.get("built", {})
        for home in built.get("published", ()):
            if text.startswith(home):
                yield from spellings_of_name(text[len(home) :] or "index.html")
        if text.startswith("file:///"):
            text = unquote(text.removeprefix("file://").partition("#")[0])
        if "/" not in text or "://" in text or "\0" in text:
            return
        file = Path(text).absolute()
        for root in source_folders(self.store):
            if file.is_relative_to(root):
                yield from spellings_of_name(file.relative_to(root).as_posix())

    def _steps(self, typed: Typed) -> Sequence[Callable[[WordIndex, Typed], list[int]]]:
        steps = [self._by_name, self._by_last_elements, self._by_title, self.by_words]
        return steps[:2] if typed.is_url else steps

    def _by_name(self, index: WordIndex, typed: Typed) -> list[int]:
        name = "/".join(typed.parts)
        return self._select(
            index,
            index.labelled(name),
            lambda page: "/".join(self._elements(page)) == name,
            typed.only_read,
        )

    def _by_last_elements(self, index: WordIndex, typed: Typed) -> list[int]:
        parts = typed.parts
        if typed.is_url:
            return self._by_published_path(index, parts[1:])
        return self._select(
            index,
            index.labelled(parts[-1]) if parts else np.empty(0, np.uint32),
            lambda page: self._elements(page)[-len(parts) :] == parts,
            typed.only_read,
        )

    def _by_published_path(self, index: WordIndex, path: list[str]) -> list[int]:
        """The page of a folder published at a URL; at least two path elements must match."""
        for size in range(len(path), 1, -1):
            ending = "/".join(path[-size:])
            pages = self._select(
                index,
                index.labelled(ending),
                lambda page, ending=ending: "/".join(self._elements(page)) == ending,  # type: ignore[misc]
            )
            if pages:
                return pages
        return []

    def _by_title(self, index: WordIndex, typed: Typed) -> list[int]:
        labels = {typed.label, label(self.store.shorten_title(typed.text))}
        return self._select(
            index,
            index.labelled(min(labels, key=len)),
            lambda page: label(self.store.title(page) or "") in labels,
            typed.only_read,
        )

    def by_words(self, index: WordIndex, typed: Typed) -> list[int]:
        """The most linked pages with all the words."""
        if not typed.words:
            return []
        lists = [index.with_word(word) for word in dict.fromkeys(typed.words)]
        if not typed.only_read:
            return index.pages_at(kernels.searching.in_all(lists, MAX_LISTED + 1))
        ranks = kernels.searching.in_all(lists, MAX_COMPARED)
        return self._select(index, ranks, lambda page: True, typed.only_read)

    def _select(
        self,
        index: WordIndex,
        ranks: NDArray[uint32],
        test: Callable[[int], bool],
        only_read: bool = False,
    ) -> list[int]:
        """The pages at these ranks that pass the test, most linked first.

        Returns at most one more than we list. With `only_read`, only pages that were read pass.
        """
        pages = index.pages_at(ranks[:MAX_COMPARED])
        if only_read:
            listed = np.array(pages, np.uint32)
            pages = listed[self.store.is_read(listed)].tolist()
        return list(islice(filter(test, dict.fromkeys(pages)), MAX_LISTED + 1))

    def _elements(self, page: int) -> list[str]:
        return elements(self.store.url(page))

    def _nearest(self, index: WordIndex, typed: Typed) -> int | None:
        """The page whose name or title has the smallest distance from the text typed."""
        meant = next(likely_names(typed.text), None)
        around = [] if meant is None else self.store.names.around(meant)
        best, closest = None, len(typed.label) * 2 // 3 + 1
        for page in dict.fromkeys([*self._similar(index, typed), *around]):
            parts = self._elements(page)
            title = label(self.store.title(page) or "")
            for text in {"/".join(parts), *parts[-1:], title} - {""}:
                apart = kernels.searching.distance(typed.label, text, closest)
                if apart < closest:
                    best, closest = page, apart
        return best

    def _similar(self, index: WordIndex, typed: Typed) -> list[int]:
        """The most linked pages with a similar word for each typed word or, failing that, for
        any.
        """
        lists = []
        for word in dict.fromkeys(typed.words):
            like = [word, *index.words_like(word)][:MAX_SIMILAR_WORDS]
            ranks = [index.with_word(one)[:MAX_COMPARED] for one in like]
            if any(map(len, ranks)):
                lists.append(np.unique(np.concatenate(ranks)))
        if not lists:
            return []
        common = kernels.searching.in_all(lists, MAX_CLOSE_PAGES)
        if not len(common):
            common = np.unique(np.concatenate([each[: MAX_CLOSE_PAGES // 2] for each in lists]))
        return index.pages_at(common)

    def _ambiguous(self, text: str, pages: list[int]) -> PageNotFound:
        names = [self.store.url(page) for page in pages[:MAX_LISTED]]
        more = ", …" if len(pages) > MAX_LISTED else ""
        return PageNotFound(
            f"{text[:200]} may be one of several pages: {', '.join(names)}{more}; "
            f"give more of its name.",
            text,
            names[0],
            names,
        )

    def _not_found(self, typed: Typed, page: int | None) -> PageNotFound:
        where = self.store.path or "the graph"
        nearest = None if page is None else self.store.url(page)
        end = f"; the nearest is {nearest}" if nearest else ""
        if self._index is None and self.store.n_pages > BUILT_AT_ONCE:
            end = "; to find pages by words and titles, build the index: related pages --index"
        return PageNotFound(f"No page {typed.text[:200]} in {where}{end}.", typed.text, nearest)


def take_apart(text: str) -> Typed:
    """Parse the text a user typed."""
    short = text.strip()[:1000]
    parts = elements(short)
    is_url = host_of(short) is not None or "://" in short
    return Typed(text, parts, "/".join(parts), words(short), is_url)
