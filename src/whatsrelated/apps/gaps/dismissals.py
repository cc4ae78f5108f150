"""Findings that someone has reviewed and dismissed.

    # why, or any other remark
    tutorial.html<TAB>license.html      do not suggest this link
    *<TAB>license.html                  nor this one on any other page
    old/*                               nothing at all about these pages
    +tea.html<TAB>coffee.html           a link that `related site` always lists; not a dismissal

A line has one name, or two separated by a tab.  Each may be a pattern as for `only`: a glob,
or `re:` and an expression.  A name without `*`, `?` or brackets is the full name of a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from whatsrelated.api.asking import Pattern
from whatsrelated.errors import ReadError

LARGEST_FILE = 64 << 20


class Dismissals:
    """The dismissals of a file, to check pages and links against."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._pages: set[str] = set()
        self._links: set[tuple[str, str]] = set()
        self._page_patterns: list[Pattern] = []
        self._link_patterns: list[tuple[Pattern, Pattern]] = []
        self.pins: list[tuple[str, str]] = []
        """The links that are always listed, in the order of the file."""
        for line in lines:
            if line.strip() and not line.startswith("#"):
                self._add(*(name.strip() for name in line.split("\t", 1)))

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
        """Whether a page is dismissed."""
        return url in self._pages or any(one.matches(url) for one in self._page_patterns)

    def targets_of(self, source: str, names: Mapping[str, int]) -> set[int]:
        """The pages among `names` to which links from a page are dismissed."""
        exact = {names[to] for page, to in self._links if page == source and to in names}
        seconds = [second for first, second in self._link_patterns if first.matches(source)]
        return exact | {
            page for name, page in names.items() if any(one.matches(name) for one in seconds)
        }

    def has_link(self, source: str, target: str) -> bool:
        """Whether a link is dismissed."""
        return (source, target) in self._links or any(
            first.matches(source) and second.matches(target)
            for first, second in self._link_patterns
        )


def read_dismissals(path: str | Path) -> list[str]:
    """The lines of a file; raises ReadError if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST_FILE:
        raise ReadError(f"{path} has more than {LARGEST_FILE >> 20} MB, too many dismissals.")
    return data.decode("utf-8", "replace").splitlines()


def dismiss(path: str | Path, links: Iterable[tuple[str, str]]) -> int:
    """Append links to a file unless it already has them; return the number added."""
    there = Path(path).exists()
    known = read_dismissals(path) if there else []
    fresh = [
        line
        for line in dict.fromkeys("\t".join(_one_line(name) for name in link) for link in links)
        if line not in known
    ]
    try:
        ends = not there or Path(path).read_bytes()[-1:] in (b"", b"\n")
        with Path(path).open("a", encoding="utf-8", errors="replace") as file:
            file.write("".join(f"{line}\n" for line in [*([] if ends else [""]), *fresh]))
    except OSError as error:
        raise ReadError(f"{path} cannot be written: {error.strerror}.") from None
    return len(fresh)


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _is_pattern(text: str) -> bool:
    return text.startswith("re:") or any(mark in text for mark in "*?[")
