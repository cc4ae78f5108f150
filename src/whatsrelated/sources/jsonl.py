"""JSON Lines: a page on each line, `{"url", "title", "links": […], "text"}`.

Only the URL must be there.  Links stand in the order in which they are on the
page.  Other fields are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from whatsrelated.sources.reader import Item, Reader, Reading
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

LONGEST_PAGE = 1 << 26


@dataclass(frozen=True)
class JSONLines(Reader):
    """A page on each line, as a JSON object."""

    name: ClassVar[str] = "jsonl"
    sentence: ClassVar[str] = 'a page on each line: {"url", "title", "links": […], "text"}'

    @classmethod
    def recognises(cls, file: File) -> bool:
        return file.sample.lstrip().startswith(b"{") and b'"url"' in file.sample

    @classmethod
    def knows_name(cls, name: str) -> bool:
        return name.endswith((".jsonl", ".ndjson", ".jsonlines"))

    def read(self, file: File, reading: Reading) -> Iterator[Item]:
        import msgspec

        decode: Callable[[bytes], Any] = msgspec.json.Decoder(_page_type()).decode
        number = 0
        for piece in file.lines(LONGEST_PAGE):
            for line in piece.split(b"\n")[:-1]:
                number += 1
                if not line or line.isspace():
                    continue
                place = f"{file.label}:{number}: {line[:80].decode(errors='replace')}"
                if len(line) > LONGEST_PAGE:
                    reading.refuse("line too long", place)
                    continue
                try:
                    page = decode(line)
                except msgspec.ValidationError as error:
                    reading.refuse("not a page", f"{file.label}:{number}: {error}")
                except (msgspec.DecodeError, UnicodeDecodeError):
                    reading.refuse("not JSON", place)
                else:
                    yield Page(page.url, page.links or (), page.title, page.text)


def _page_type() -> type:
    import msgspec

    return msgspec.defstruct(
        "PageLine",
        [
            ("url", str),
            ("links", list[str] | None, None),
            ("title", str | None, None),
            ("text", str | None, None),
        ],
        gc=False,
    )
