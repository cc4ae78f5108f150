"""What a source gives and a build takes: pages with their links, or links in bulk.

A source is an iterable of these three, in any mixture:

- `Page`: one page, its links in page order, and what is known of it;
- `NamedLinks`: many links over a list of distinct names, as positions in it;
- `NumberedLinks`: many links between numbers that are themselves the names.

The links of a page are joined in the order in which the source gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

Progress = Callable[[str, int, int | None], None]
"""Called now and then with what is being done, how much is done, and of how much."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as a source gives it; names are raw, the build normalises them."""

    url: str
    links: Sequence[str] = ()
    title: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class NamedLinks:
    """Links in bulk: `sources[i]` links to `targets[i]`, both positions in `names`.

    Every name is a page, with or without links.  Names are UTF-8.
    """

    names: Sequence[bytes]
    sources: NDArray[uint32]
    targets: NDArray[uint32]
    titles: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NumberedLinks:
    """Links in bulk between numbers; `pages` first numbers 0 … pages-1 are pages in any case."""

    sources: NDArray[uint64]
    targets: NDArray[uint64]
    pages: int = 0


class Source(Protocol):
    """A stream of pages and links that knows whether their order was on the page."""

    ordered: bool

    def __iter__(self) -> Iterable[Page | NamedLinks | NumberedLinks]: ...


@dataclass(slots=True)
class Refused:
    """Bad input counted by reason, the first few of each kept to be shown."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    shown: int = 3

    def add(self, reason: str, example: str = "", count: int = 1) -> None:
        """Count one refusal, and keep where it was if it is among the first."""
        self.counts[reason] = self.counts.get(reason, 0) + count
        kept = self.examples.setdefault(reason, [])
        if example and len(kept) < self.shown:
            kept.append(example[:200])

    def total(self) -> int:
        return sum(self.counts.values())

    def __str__(self) -> str:
        if not self.counts:
            return "refused none"
        listed = ", ".join(f"{count:,} {reason}" for reason, count in self.counts.items())
        return f"refused {self.total():,}: {listed}"
