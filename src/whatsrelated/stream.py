"""The data that a source yields and a build consumes: pages with their links, or links in bulk.

A source is an iterable of these, in any mixture:

- `Page`: one page, its links in page order, and its metadata;
- `NamedLinks`: many links between distinct names, given as positions in a list;
- `NumberedLinks`: many links between numbers that serve as names.

If a page occurs more than once, its links are joined in the order of the source.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy import uint8, uint32, uint64
    from numpy.typing import NDArray

Progress = Callable[[str, int, int | None], None]
"""Called from time to time with the activity, the amount done and the total."""


class DeadLink(NamedTuple):
    """A link to a page that does not exist: its line and its HTTP status, if they are known."""

    line: int | None
    link: str
    status: int | None = None


class RedirectedLink(NamedTuple):
    """A link that redirects, with the number of hops and its line; a loop has no target."""

    link: str
    target: str
    hops: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedLinks:
    """The results of a source's link check for a page; `unchecked` counts the links it did not
    check.
    """

    broken: Sequence[DeadLink] = ()
    redirects: Sequence[RedirectedLink] = ()
    unchecked: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """One page from a source; its names are raw, and the build canonicalises them.

    If `read` is false, the page was only mentioned; otherwise it was read, with or without links.
    `anchors` are the texts of the links, if requested. `navigation` is the number of pages that
    link to it only from navigation, if the source counts them. `checked` holds the results of the
    link check; None if the source does not check links. `file` is the path of the page's file in
    its folder.
    """

    url: str
    links: Sequence[str] = ()
    title: str | None = None
    text: str | None = None
    anchors: Sequence[str] = ()
    read: bool = True
    navigation: int | None = None
    checked: CheckedLinks | None = None
    file: str | None = None


class Names:
    """Packed names in UTF-8: name i is `blob[offsets[i]:offsets[i + 1]]`."""

    __slots__ = ("blob", "offsets")

    def __init__(self, blob: NDArray[uint8], offsets: NDArray[uint64]) -> None:
        self.blob = blob
        self.offsets = offsets

    @classmethod
    def of(cls, names: Iterable[bytes]) -> Names:
        """Pack these names."""
        listed = list(names)
        offsets = np.zeros(len(listed) + 1, np.uint64)
        np.cumsum([len(name) for name in listed], out=offsets[1:])
        return cls(np.frombuffer(b"".join(listed), np.uint8), offsets)

    @classmethod
    def of_texts(cls, texts: Collection[str]) -> Names:
        """Pack strings as names; an unpaired surrogate is kept, although it is not valid UTF-8."""
        joined = "".join(texts)
        if not joined.isascii():
            return cls.of(text.encode("utf-8", "surrogatepass") for text in texts)
        offsets = np.zeros(len(texts) + 1, np.uint64)
        np.cumsum(np.fromiter(map(len, texts), np.uint64, len(texts)), out=offsets[1:])
        return cls(np.frombuffer(joined.encode(), np.uint8), offsets)

    @property
    def nbytes(self) -> int:
        """The memory that the names take, in bytes."""
        return self.blob.nbytes + self.offsets.nbytes

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, position: int) -> bytes:
        if not 0 <= position < len(self):
            raise IndexError(position)
        return self.blob[int(self.offsets[position]) : int(self.offsets[position + 1])].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        ends = self.offsets.tolist()
        for first in range(0, len(self), 65536):
            last = min(first + 65536, len(self))
            piece = self.blob[ends[first] : ends[last]].tobytes()
            for position in range(first, last):
                yield piece[ends[position] - ends[first] : ends[position + 1] - ends[first]]


def in_chunks(names: Names, max_bytes: int) -> Iterator[tuple[int, Names]]:
    """Names in chunks of about `max_bytes` or less, each with the position of its first name."""
    low = 0
    while low < len(names):
        bound = names.offsets[low] + np.uint64(max(max_bytes, 1))
        high = int(np.searchsorted(names.offsets, bound, "right")) - 1
        high = min(max(high, low + 1), low + max(max_bytes // 8, 1), len(names))
        first, last = int(names.offsets[low]), int(names.offsets[high])
        yield low, Names(names.blob[first:last], names.offsets[low : high + 1] - np.uint64(first))
        low = high


class StreamedNames:
    """Names that are read in chunks because they may not all fit in memory.

    `chunks` yields names with consecutive numbers, and the first number of each chunk; it can be
    called repeatedly.
    """

    __slots__ = ("_read", "_size")

    def __init__(self, read: Callable[[], Iterator[tuple[int, Names]]]) -> None:
        self._read = read
        self._size: int | None = None

    def chunks(self) -> Iterator[tuple[int, Names]]:
        size = 0
        for first, names in self._read():
            size += len(names)
            yield first, names
        self._size = size

    def __iter__(self) -> Iterator[bytes]:
        for _, names in self.chunks():
            yield from names

    def __len__(self) -> int:
        if self._size is None:
            for _ in self.chunks():
                pass
        assert self._size is not None
        return self._size

    def __getitem__(self, number: int) -> bytes:
        for first, names in self.chunks():
            if first <= number < first + len(names):
                return names[number - first]
        raise IndexError(number)


@dataclass(frozen=True, slots=True)
class NamedLinks:
    """Links in bulk: `sources[i]` links to `targets[i]`, both positions in `names`.

    Every name is a page, with or without links. A source with one long list of names passes the
    same `names` object with each batch (and the titles with the first), so the names are mapped to
    pages only once. A page with links counts as read; `read` holds the positions of other pages
    that were read. If names are streamed, positions are numbers, and there are no titles and no
    `read`.
    """

    names: Names | StreamedNames
    sources: NDArray[uint32]
    targets: NDArray[uint32]
    titles: dict[int, str] = field(default_factory=dict)
    read: NDArray[uint32] | None = None


@dataclass(frozen=True, slots=True)
class NumberedLinks:
    """Links in bulk between numbers that serve as names: 7 is the page named "7".

    Every number is a page, so a link from 7 to itself only states that 7 is a page.
    0 … pages-1 are always pages.  Those with links were read.
    """

    sources: NDArray[uint64]
    targets: NDArray[uint64]
    pages: int = 0


@dataclass(slots=True)
class Refused:
    """Rejected input, counted by reason, with the first few examples of each."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    most_examples: int = 3

    def add(self, reason: str, example: str = "", count: int = 1) -> None:
        """Count a rejection, and keep it as an example if it is among the first."""
        self.counts[reason] = self.counts.get(reason, 0) + count
        examples = self.examples.setdefault(reason, [])
        if example and len(examples) < self.most_examples:
            examples.append(example[:200])

    def add_links(self, names: NDArray[uint32], reasons: Mapping[int, tuple[str, str]]) -> None:
        """Count links by the reason one of their names was rejected; `names` are positions."""
        counts: dict[str, int] = {}
        for name in names.tolist():
            reason = reasons[name][0]
            counts[reason] = counts.get(reason, 0) + 1
        for reason, count in counts.items():
            self.add(reason, count=count)
        for name in names[: self.most_examples].tolist():
            reason, example = reasons[name]
            self.add(reason, example, count=0)

    def total(self) -> int:
        return sum(self.counts.values())

    def __str__(self) -> str:
        if not self.counts:
            return "rejected none"
        listed = ", ".join(f"{count:,} {reason}" for reason, count in self.counts.items())
        return f"rejected {self.total():,}: {listed}"


def pages_of_links(
    links: Iterable[tuple[str, str]], pages: Iterable[str], titles: Mapping[str, str]
) -> Iterator[Page]:
    """Pairs of pages as a stream: pages without links first, then titles, then the links."""
    for page in pages:
        yield Page(page)
    for page, title in titles.items():
        yield Page(page, title=title, read=False)
    for source, target in links:
        yield Page(source, (target,))
