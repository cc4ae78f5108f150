"""OpenAlex works, one JSON object per line: a work cites its `referenced_works`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated.sources.jsonl import LONGEST_PAGE
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import holds
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


class OpenAlexReader(Reader):
    """One work per line, with the works it cites."""

    name = "openalex"
    sentence = 'OpenAlex, one JSON object per line: {"id", "title", "referenced_works": […]}'
    contents = holds(b"{", b'"referenced_works"')

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        import msgspec

        work = msgspec.defstruct(
            "Work",
            [
                ("id", str),
                ("title", str | None, None),
                ("display_name", str | None, None),
                ("referenced_works", list[str] | None, None),
            ],
            gc=False,
        )
        decode = msgspec.json.Decoder(work).decode
        for number, line in file.numbered_lines(LONGEST_PAGE):
            if not line or line.isspace():
                continue
            try:
                found = decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                context.refuse("not a work", file.place(number, line))
            else:
                title = found.title or found.display_name  # type: ignore[attr-defined]
                yield Page(found.id, found.referenced_works or (), title)  # type: ignore[attr-defined]
