"""What a source gives and a build takes: pages with their links, or links in bulk.

A source is an iterable of these three, in any mixture:

- `Page`: one page, its links in page order, and what is known of it;
- `NamedLinks`: many links over a list of distinct names, as positions in it;
- `NumberedLinks`: many links between numbers that are themselves the names.

The links of a page are joined in the order in which the source gives them.
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
"""Called now and then with what is being done, how much is done, and of how much."""


class DeadLink(NamedTuple):
    """A link to a page that does not exist: its line and its HTTP status, if they are known."""

    line: int | None
    link: str
    status: int | None = None


class RedirectedLink(NamedTuple):
    """A link that redirects to another address in so many hops; a loop has no target."""

    link: str
    target: str
    hops: int


@dataclass(frozen=True, slots=True)
class CheckedLinks:
    """What a source found out about the links of a page; `unchecked` counts the others."""

    broken: Sequence[DeadLink] = ()
    redirects: Sequence[RedirectedLink] = ()
    unchecked: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """One page as a source gives it; names are raw, the build normalises them.

    A page was read, with or without links, unless `read` is false: then it is only named.
    `anchors` are the texts of the links, if the source was asked for them.  `navigation` is
    how many pages link to it by navigation alone, if the source counted them.  `checked` is
    where its links lead; None if the source cannot tell.
    """

    url: str
    links: Sequence[str] = ()
    title: str | None = None
    text: str | None = None
    anchors: Sequence[str] = ()
    read: bool = True
    navigation: int | None = None
    checked: CheckedLinks | None = None


class Names:
    """Names in bulk, packed: name i is `blob[offsets[i]:offsets[i + 1]]`, UTF-8."""

    __slots__ = ("blob", "offsets")

    def __init__(self, blob: NDArray[uint8], offsets: NDArray[uint64]) -> None:
        self.blob = blob
        self.offsets = offsets

    @classmethod
    def of(cls, names: Iterable[bytes]) -> Names:
        """The same names, packed."""
        listed = list(names)
        offsets = np.zeros(len(listed) + 1, np.uint64)
        np.cumsum([len(name) for name in listed], out=offsets[1:])
        return cls(np.frombuffer(b"".join(listed), np.uint8), offsets)

    @classmethod
    def of_texts(cls, texts: Collection[str]) -> Names:
        """Texts as names; half a surrogate pair stays what it is, which is no UTF-8."""
        joined = "".join(texts)
        if not joined.isascii():
            return cls.of(text.encode("utf-8", "surrogatepass") for text in texts)
        offsets = np.zeros(len(texts) + 1, np.uint64)
        np.cumsum(np.fromiter(map(len, texts), np.uint64, len(texts)), out=offsets[1:])
        return cls(np.frombuffer(joined.encode(), np.uint8), offsets)

    @property
    def nbytes(self) -> int:
        """The memory that they take."""
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


def in_chunks(names: Names, most: int) -> Iterator[tuple[int, Names]]:
    """Names in chunks of about so many bytes at most, and the position of the first of each."""
    low = 0
    while low < len(names):
        bound = names.offsets[low] + np.uint64(max(most, 1))
        high = int(np.searchsorted(names.offsets, bound, "right")) - 1
        high = min(max(high, low + 1), low + max(most // 8, 1), len(names))
        first, last = int(names.offsets[low]), int(names.offsets[high])
        yield low, Names(names.blob[first:last], names.offsets[low : high + 1] - np.uint64(first))
        low = high


class StreamedNames:
    """Names in bulk that are read a chunk at a time, and may be too many to be held.

    `chunks` gives names with consecutive numbers, and the first of these numbers; it
    can be called again.
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

    Every name is a page, with or without links.  A source that has one long list
    of names gives the very same `names` object with each of its batches (and the
    titles with the first): whoever maps names to pages need map it once.  Pages with
    links were read; `read` are the names of others that were, as positions too.
    Of names that stream, positions are numbers, and there are neither titles nor `read`.
    """

    names: Names | StreamedNames
    sources: NDArray[uint32]
    targets: NDArray[uint32]
    titles: dict[int, str] = field(default_factory=dict)
    read: NDArray[uint32] | None = None


@dataclass(frozen=True, slots=True)
class NumberedLinks:
    """Links in bulk between numbers that are the names: 7 is the page named "7".

    Every number in it is a page, so a link from 7 to itself says no more than
    that 7 is one.  0 … pages-1 are pages in any case.  Those with links were read.
    """

    sources: NDArray[uint64]
    targets: NDArray[uint64]
    pages: int = 0


@dataclass(slots=True)
class Refused:
    """Bad input counted by reason, with the first few examples of each."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    most_examples: int = 3

    def add(self, reason: str, example: str = "", count: int = 1) -> None:
        """Count a refusal, with its example if it is among the first."""
        self.counts[reason] = self.counts.get(reason, 0) + count
        examples = self.examples.setdefault(reason, [])
        if example and len(examples) < self.most_examples:
            examples.append(example[:200])

    def add_links(self, names: NDArray[uint32], reasons: Mapping[int, tuple[str, str]]) -> None:
        """Count links by the reason why one of their names was refused; names are positions."""
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
            return "refused none"
        listed = ", ".join(f"{count:,} {reason}" for reason, count in self.counts.items())
        return f"refused {self.total():,}: {listed}"


def pages_of_links(
    links: Iterable[tuple[str, str]], pages: Iterable[str], titles: Mapping[str, str]
) -> Iterator[Page]:
    """Pairs of pages as a stream: pages without links first, then titles, then a page a link."""
    for page in pages:
        yield Page(page)
    for page, title in titles.items():
        yield Page(page, title=title, read=False)
    for source, target in links:
        yield Page(source, (target,))
