"""Decisions about pairs of pages: never show the second page for the first, or always show it.

    # why, or any other remark
    tutorial.html<TAB>license.html      never for this page
    *<TAB>license.html                  nor for any other page
    old/*                               none of these pages at all
    +tea.html<TAB>coffee.html           always, before all other pages

A line has one name, or two separated by a tab.  Each may be a pattern as for `only`: a glob,
or `re:` followed by a regular expression.  A name without `*`, `?` or brackets is the full name of
a page, or whatever `full_name` turns into one.  In a line that starts with +, names cannot be
patterns.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from whatsrelated.errors import ReadError
from whatsrelated.query.patterns import Pattern

LARGEST_FILE = 64 << 20


class Decisions:
    """The decisions of a file, to check pages and links against."""

    def __init__(
        self, lines: Iterable[str] = (), full_name: Callable[[str], str] = lambda name: name
    ) -> None:
        self._pages: set[str] = set()
        self._links: set[tuple[str, str]] = set()
        self._page_patterns: list[Pattern] = []
        self._link_patterns: list[tuple[Pattern, Pattern]] = []
        self.pins: list[tuple[str, str]] = []
        """The pairs that are always shown, in file order."""
        self._lines = [line for line in lines if line.strip() and not line.startswith("#")]
        for line in self._lines:
            names = (name.strip() for name in line.split("\t", 1))
            self._add(
                *(one if _is_pattern(one) or one[:1] == "+" else full_name(one) for one in names)
            )

    def digest(self) -> str | None:
        """A short digest of all decisions; None if there are none."""
        text = "\n".join(self._lines).encode()
        return hashlib.blake2b(text, digest_size=16).hexdigest() if text else None

    def _add(self, source: str, target: str | None = None) -> None:
        if source.startswith("+") and target is not None:
            self.pins.append((source[1:].strip(), target))
            return
        if target is None:
            if _is_pattern(source):
                self._page_patterns.append(Pattern(source, "ignore"))
            self._pages.add(source)
            return
        if _is_pattern(source) or _is_pattern(target):
            first, second = (Pattern(one, "ignore", whole=True) for one in (source, target))
            self._link_patterns.append((first, second))
        self._links.add((source, target))

    def has_page(self, url: str) -> bool:
        """Whether a page is never shown."""
        return url in self._pages or any(one.matches(url) for one in self._page_patterns)

    def targets_of(self, source: str, names: Mapping[str, int]) -> set[int]:
        """The pages among `names` that are never shown for a page."""
        exact = {names[to] for page, to in self._links if page == source and to in names}
        seconds = [second for first, second in self._link_patterns if first.matches(source)]
        return exact | {
            page for name, page in names.items() if any(one.matches(name) for one in seconds)
        }

    def has_link(self, source: str, target: str) -> bool:
        """Whether the second page is never shown for the first."""
        return (source, target) in self._links or any(
            first.matches(source) and second.matches(target)
            for first, second in self._link_patterns
        )


def read_decisions(path: str | Path) -> list[str]:
    """The lines of a file; raises ReadError if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST_FILE:
        raise ReadError(
            f"{path} is larger than {LARGEST_FILE >> 20} MB, the maximum for a file of decisions."
        )
    return data.decode("utf-8", "replace").splitlines()


def _is_pattern(text: str) -> bool:
    return text.startswith("re:") or any(mark in text for mark in "*?[")


@dataclass(frozen=True, slots=True)
class PairDecisions:
    """The decisions of a file, for the pages of a graph."""

    decisions: Decisions = field(default_factory=Decisions)
    pins: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def pinned(self, queries: Iterable[int]) -> list[int]:
        """The pages pinned for any of the query pages, in order."""
        pages = list(queries)
        pins = dict.fromkeys(pin for page in pages for pin in self.pins.get(page, ()))
        return [pin for pin in pins if pin not in pages]

    def allows(self, queries: Iterable[str], name: str) -> bool:
        """Whether a page may be shown for these query pages."""
        return not self.decisions.has_page(name) and not any(
            self.decisions.has_link(query, name) for query in queries
        )


NOTHING_CHOSEN = PairDecisions()
