"""Replace numbers with names, for sources that number their pages and have a names file.

Names without numbers are numbered from 0 or from 1. The format decides which, or `first_number`, or
the links: 0 if a link uses the number 0, 1 if one uses the number of names. If none of these
decides, it is an error, since names that are off by one would go unnoticed.

Every name is a page, whether or not a link uses its number. If two numbers have the same name, the
second becomes `name#number`. They stay two pages unless URLs are made canonical, which drops the
part after `#`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.options import Configured, option
from whatsrelated.sources.namefiles import NameList, read_names
from whatsrelated.stream import NamedLinks, Names, NumberedLinks

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import Item, ReadContext

NONE = 0xFFFFFFFF
NAMES_PER_COMPARISON = 1 << 20
"""Number of names compared at a time."""
HELD_LINKS = 1 << 26
"""Maximum number of links held until the first number is known."""


@dataclass(frozen=True)
class NamesFile(Configured):
    """Options for reading a names file."""

    name = "names-file"

    names_columns: str | None = option(
        None, "the columns that hold the number and the name in the names file: id,url"
    )
    first_number: str = option(
        "auto",
        "the number of the first name, if the file has none",
        choices=("auto", "0", "1"),
        formerly=("names_from",),
    )


class NumberNames:
    """The name of each number."""

    def __init__(self, files: Sequence[File], settings: NamesFile, context: ReadContext) -> None:
        self._context = context
        lists = [read_names(file, context, settings.names_columns) for file in files]
        self.names = _concatenate([each.names for each in lists])
        if not len(self.names):
            raise ReadError(f"{files[0].label} contains no names.")
        self._titles = _concatenate_titles(lists)
        self.first = None if settings.first_number == "auto" else int(settings.first_number)
        self._numbers: NDArray[uint64] | None = None
        self._order: NDArray[Any] | None = None
        self._set_numbers(files, [each.numbers for each in lists])
        self.names = make_distinct(self.names, self._number_of)

    @property
    def numbers(self) -> tuple[NDArray[uint64], NDArray[Any]] | None:
        """The names' numbers, and their order; None if they are consecutive."""
        if self._numbers is None or self._order is None:
            return None
        return self._numbers, self._order

    @property
    def titles(self) -> dict[int, str]:
        """Titles, by the position of their name."""
        return self._titles

    def _set_numbers(self, files: Sequence[File], lists: list[NDArray[uint64] | None]) -> None:
        """Store the numbers of the names, or only the first if they are consecutive."""
        known = [numbers for numbers in lists if numbers is not None]
        if len(known) not in (0, len(lists)):
            listed = ", ".join(file.label for file in files)
            raise ReadError(f"Some names files have numbers and others do not: {listed}.")
        if not known:
            return
        numbers = np.concatenate(known)
        if (np.diff(numbers.astype(np.int64)) == 1).all():
            self.first = int(numbers[0])
        else:
            self._numbers = numbers
            self._order = np.argsort(numbers, kind="stable")

    def _number_of(self, place: int) -> int:
        return place + (self.first or 0) if self._numbers is None else int(self._numbers[place])

    def name_links(self, items: Iterator[Item], label: str, first: int | None) -> Iterator[Item]:
        """The same stream with names instead of numbers; `first` is the format's first number."""
        if self.first is None:
            self.first = first
        held: list[NumberedLinks] = []
        for item in items:
            if not isinstance(item, NumberedLinks):
                yield item
                continue
            held.append(item)
            if not self._knows_first:
                self.first = self._first_number(item)
                if self.first is None and sum(len(i.sources) for i in held) < HELD_LINKS:
                    continue
            yield from self._links(held, label)
            held = []
        if held:
            yield from self._links(held, label)

    @property
    def _knows_first(self) -> bool:
        return self._order is not None or self.first is not None

    def _first_number(self, links: NumberedLinks) -> int | None:
        ends = links.sources, links.targets
        if any((end == 0).any() for end in ends):
            return 0
        return 1 if any((end == len(self.names)).any() for end in ends) else None

    def _links(self, held: list[NumberedLinks], label: str) -> Iterator[NamedLinks]:
        if not self._knows_first:
            raise ReadError(
                f"{label}: the numbers do not show whether the first of {len(self.names):,} names "
                f"is number 0 or 1; say which: --first-number 1."
            )
        for links in held:
            sources, targets = self._places(links.sources), self._places(links.targets)
            good = (sources != NONE) & (targets != NONE)
            if not good.all():
                bad = int(np.flatnonzero(~good)[0])
                place = f"{label}: {links.sources[bad]} {links.targets[bad]}"
                self._context.refuse("a number without a name", place, int((~good).sum()))
                sources, targets = sources[good], targets[good]
            yield NamedLinks(self.names, sources, targets, self._titles)
            self._titles = {}

    def _places(self, numbers: NDArray[uint64]) -> NDArray[Any]:
        """For each number, the position of its name, or NONE."""
        if self._order is None or self._numbers is None:
            assert self.first is not None
            places = numbers - np.uint64(self.first)
            known = places < len(self.names)
        else:
            nearest = np.searchsorted(self._numbers, numbers, sorter=self._order)
            places = self._order[np.minimum(nearest, len(self._order) - 1)]
            known = self._numbers[places] == numbers
        return np.where(known, places, NONE).astype(np.uint32)


def make_distinct(names: Names, number_of: Callable[[int], int]) -> Names:
    """Append the page's number to repeated names: `name#7`."""
    order = kernels.sort_keys.sort(names.blob, names.offsets)
    different = np.ones(len(order), np.bool_)
    for low in range(1, len(order), NAMES_PER_COMPARISON):  # avoids a second copy of all names
        some = order[low - 1 : low + NAMES_PER_COMPARISON]
        compared = kernels.sort_keys.differs(
            *kernels.sort_keys.take(names.blob, names.offsets, some)
        )
        different[low : low + NAMES_PER_COMPARISON] = compared[1:]
    if different.all():
        return names
    runs = np.split(order, np.flatnonzero(different)[1:])
    again = {int(place) for run in runs if len(run) > 1 for place in np.sort(run)[1:]}
    return Names.of(
        b"%b#%d" % (name, number_of(place)) if place in again and name else name
        for place, name in enumerate(names)
    )


def _concatenate(lists: list[Names]) -> Names:
    if len(lists) == 1:
        return lists[0]
    ends = np.cumsum([0, *(int(names.offsets[-1]) for names in lists)], dtype=np.uint64)
    offsets = [names.offsets[:-1] + end for names, end in zip(lists, ends, strict=False)]
    blobs = [names.blob[: int(names.offsets[-1])] for names in lists]
    return Names(np.concatenate(blobs), np.concatenate([*offsets, ends[-1:]]))


def _concatenate_titles(lists: list[NameList]) -> dict[int, str]:
    titles: dict[int, str] = {}
    base = 0
    for each in lists:
        titles.update((base + place, title) for place, title in each.titles.items())
        base += len(each.names)
    return titles
