"""What every reader of a format has, and what it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from whatsrelated.errors import ReadError
from whatsrelated.options import Configured
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

Item = Page | NamedLinks | NumberedLinks


@dataclass(slots=True)
class Reading:
    """How all files of a source are read."""

    refused: Refused = field(default_factory=Refused)
    strict: bool = False
    memory: int = 1 << 30
    """How many bytes a batch of links may take."""
    numbers_only: bool = False
    """A file of names will say what numbers mean: a name among the links is refused."""
    found: dict[str, Counter[str]] = field(default_factory=dict)
    """What was found, by the reader's name, in words: pages, links, and those left out."""
    text: bool = False
    """The words of a page are wanted too."""
    temporary: str | None = None
    """Where a temporary file goes."""
    progress: Progress | None = None

    def refuse(self, reason: str, place: str, count: int = 1) -> None:
        """Count bad input, or end with it where `strict`."""
        if self.strict:
            raise ReadError(f"{place} ({reason}); without --strict it would be counted.")
        self.refused.add(reason, place, count)

    def refuse_lines(self, file: File, lines: Any) -> None:
        """Count the lines that a kernel has refused since it was last asked."""
        if not lines.bad:
            return
        from whatsrelated.kernels.plain.text import REASONS

        found = [
            (shown, REASONS[reason], count) for reason, (count, shown) in lines.bad.items() if shown
        ]
        lines.bad.clear()
        for shown, reason, count in sorted(found):
            for i, (number, text) in enumerate(shown):
                place = f"{file.label}:{number}: {text.decode(errors='replace')}"
                self.refuse(reason, place, count - len(shown) + 1 if i == 0 else 1)


class Reader(Configured):
    """One format: how it is recognised, and how a file in it becomes links.

    A reader is a frozen dataclass; its fields are its options.
    """

    sentence: ClassVar[str]
    """What the format is, for people."""
    folders: ClassVar[bool] = False
    """Reads folders, not files."""
    family: ClassVar[str] = ""
    """What readers with the same options are called together."""
    first_number: ClassVar[int | None] = None
    """The number of the first page, where the format says it."""

    @property
    def ordered(self) -> bool:
        """Whether links come in the order in which they stand on the page."""
        return True

    def is_ordered(self, file: File) -> bool:
        """The same of one file, where the file itself tells."""
        return self.ordered

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Whether a file is in this format, by its contents (a folder: by what is in it)."""
        raise NotImplementedError

    @classmethod
    def knows_name(cls, name: str) -> bool:
        """Whether a file is in this format by its name, where no reader knows the contents."""
        return False

    def read(self, file: File, reading: Reading) -> Iterator[Item]:
        raise NotImplementedError

    def about(self, file: File) -> str:
        """What a dry run says of a file besides its format."""
        return ""
