"""The base class of readers, and the context that a reader receives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from whatsrelated.errors import ReadError
from whatsrelated.options import Configured, FilePaths, option
from whatsrelated.stream import NamedLinks, NumberedLinks, Page, Progress, Refused

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.parsed_files import ParsedFiles

Item = Page | NamedLinks | NumberedLinks
MAX_DIGITS = 18


def whole_number(text: str | bytes) -> int | None:
    """The value of a string of plain digits, if below 10**18; None for anything else."""
    if not text.isascii() or not text.isdigit():
        return None
    digits = text.decode() if isinstance(text, bytes) else text
    return int(digits[-MAX_DIGITS:]) if not digits[:-MAX_DIGITS].strip("0") else None


@dataclass(frozen=True)
class ReadOptions(Configured):
    """Options for reading sources of any format."""

    name: ClassVar[str] = "build"

    format: str | None = option(
        None, "format of the sources, if it is not recognised automatically", common=True
    )
    names_file: tuple[str, ...] = option(
        (),
        "file with the names of the pages that the sources number; may be repeated",
        kind=FilePaths,
        common=True,
        only_read=True,
    )
    unordered: bool = option(
        False,
        "the order of links in the sources has no meaning",
        formerly={"ordered": {True: False, False: True}},
    )
    strict: bool = option(False, "stop at the first bad line instead of counting it")
    www: str = option(
        "fold",
        "whether www.example.org counts as example.org in graphs of hosts",
        choices=("fold", "keep"),
    )
    text: bool = option(
        False,
        "store the first 1,000 words of every page, so answers can compare texts",
        common=True,
    )


@dataclass(slots=True)
class ReadContext:
    """The settings for reading a source, and the counts of accepted and rejected input."""

    options: ReadOptions = field(default_factory=ReadOptions)
    refused: Refused = field(default_factory=Refused)
    memory: int = 1 << 30
    """Maximum size of a batch of links, in bytes."""
    numbers_only: bool = False
    """With a names file, links must be numbers, and names are rejected."""
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """Counts by the reader's name: pages, links, and the kinds of links left out."""
    reports: set[str] = field(default_factory=set)
    """The lists of broken links written so far."""
    published: list[str] = field(default_factory=list)
    """The addresses at which folders without a base URL are published, according to their pages."""
    temporary: str | None = None
    """The folder for temporary files."""
    progress: Progress | None = None
    parsed: ParsedFiles | None = None
    """The cache of parsed files, if any; unchanged files are not read again."""
    lines: int = 0
    """The number of lines read so far in the current list."""
    bad_lines: int = 0
    """The number of these lines that were rejected."""

    def counter(self, name: str) -> Counter[str]:
        """The counts of a reader, by its name."""
        return self.counts.setdefault(name, Counter())

    def refuse(self, reason: str, place: str, count: int = 1) -> None:
        """Count bad input; raise ReadError with `strict`."""
        if self.options.strict:
            raise ReadError(
                f"{place} ({reason}); without --strict, it would be counted and skipped."
            )
        self.refused.add(reason, place, count)

    def refuse_lines(self, file: File, lines: LineKernel) -> None:
        """Count the lines that a kernel has rejected since the last call."""
        self.lines = lines.line
        if not lines.bad:
            return
        self.bad_lines += sum(count for count, _ in lines.bad.values())
        from whatsrelated import kernels

        examples = [
            (shown, kernels.text.REASONS[reason], count)
            for reason, (count, shown) in lines.bad.items()
            if shown
        ]
        lines.bad.clear()
        for shown, reason, count in sorted(examples):
            for i, (number, text) in enumerate(shown):
                self.refuse(
                    reason, file.place(number, text), count - len(shown) + 1 if i == 0 else 1
                )


class LineKernel(Protocol):
    """A kernel that reads lines; for each reason, `bad` has a count and the first rejected
    lines."""

    line: int
    bad: dict[int, tuple[int, list[tuple[int, bytes]]]]


@dataclass(frozen=True)
class Reader(Configured):
    """One format: recognises its files and turns them into links.

    A reader is a frozen dataclass; its fields are its options.  A subclass without options does not
    need a decorator.
    """

    sentence: ClassVar[str]
    """A description of the format for users."""
    guide: ClassVar[str] = ""
    """The page of the documentation about it, if there is one."""
    folders: ClassVar[bool] = False
    """Whether it reads folders instead of files."""
    is_site: ClassVar[bool] = False
    """Whether its pages form one site, so pages outside it are not answers."""
    together: ClassVar[bool] = False
    """Whether all files of this reader are read together, by `read_together`."""
    family: ClassVar[str] = ""
    """The name shared by readers with the same options."""
    only_titles: ClassVar[bool] = False
    """Whether it has pages and titles but no links, so it must be given with other sources."""
    suffixes: ClassVar[tuple[str, ...]] = ()
    """File extensions of the format, used if no reader recognises the contents."""
    contents: ClassVar[Callable[[File], bool]]
    """Whether a file is in this format, by its contents; see `sources.recognition`."""
    first_number: ClassVar[int | None] = None
    """The number of the first page, if the format defines it."""
    ordered: ClassVar[bool] = True
    """Whether links are in page order."""

    def is_ordered(self, file: File) -> bool:
        """Whether the links of this file are in page order; override if that varies."""
        return self.ordered

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Whether a file or folder is in this format, by its contents."""
        return cls.contents(file)

    @classmethod
    def knows_name(cls, name: str) -> bool:
        """Whether a file is in this format by its name, if no reader recognises the contents."""
        return name.endswith(cls.suffixes)

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        """The pages or links of a file."""
        raise NotImplementedError

    def read_together(self, files: list[File], context: ReadContext) -> Iterator[Item]:
        """The pages or links of several files that depend on each other."""
        raise NotImplementedError

    def about(self, file: File) -> str:
        """The remark of a dry run about a file, besides its format."""
        return ""
