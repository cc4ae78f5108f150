"""Choose the pages that `related all` answers for: a file of names, a pattern, a sample."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.asking import patterns
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store

NAMES_PER_PATTERN = 1000
"""Number of names matched at a time, to limit the time that a pattern takes."""


def select(
    store: Store, selection: str | None, sample: int | None, seed: int
) -> tuple[NDArray[uint32] | None, list[str]]:
    """The selected pages, ascending and distinct, and the names that are not pages.

    `selection` is a file with one name per line, `-` for standard input, or a pattern as in the
    filters; None selects all pages.
    """
    unknown: list[str] = []
    chosen = None
    if selection is not None:
        numbers = (
            _listed(store, selection, unknown)
            if _is_file(selection)
            else _matching(store, selection)
        )
        chosen = np.unique(np.fromiter(numbers, np.uint32))
    count = store.n_pages if chosen is None else len(chosen)
    if sample is not None and sample < count:
        drawn = np.sort(np.random.default_rng(seed).choice(count, sample, replace=False))
        chosen = drawn.astype(np.uint32) if chosen is None else chosen[drawn]
    if chosen is not None and not len(chosen):
        why = "it is not a file, and no page name matches it"
        if unknown:
            why = f"the graph has none of its {len(unknown):,} names"
        elif selection is not None and _is_file(selection):
            why = "it has no names"
        raise OptionError(f"all: --pages {selection!r:.80} selects no pages: {why}.")
    return chosen, unknown


def _is_file(selection: str) -> bool:
    return selection == "-" or Path(selection).exists()


def _listed(store: Store, path: str, unknown: list[str]) -> Iterator[int]:
    """The pages listed in a file; names that are not pages are added to `unknown`."""
    try:
        with (
            nullcontext(sys.stdin)
            if path == "-"
            else Path(path).open(encoding="utf-8", errors="replace") as lines
        ):
            for name in _names(lines):
                page = store.look_up(name)
                if page is None:
                    unknown.append(name)
                else:
                    yield page
    except OSError as error:
        raise OptionError(f"all: {path} cannot be read: {error.strerror or error}.") from error


def _names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        name = line.partition("\t")[0].strip()
        if name and not name.startswith("#"):
            yield name


def _matching(store: Store, pattern: str) -> Iterator[int]:
    for low in range(0, store.n_pages, NAMES_PER_PATTERN):
        compiled = patterns([pattern], "pages")
        pages = np.arange(low, min(low + NAMES_PER_PATTERN, store.n_pages), dtype=np.uint32)
        for page, name in enumerate(store.urls(pages), low):
            if any(one.matches(name) for one in compiled):
                yield page
