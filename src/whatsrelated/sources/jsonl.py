"""JSON Lines: one page per line, `{"url", "title", "links": […], "text"}`.

Only the URL is required. Links are in page order: URLs, or objects with a URL under `url`, `href`,
`link`, `target` or `to`, as crawlers write them. `"read": false` marks a page for which only the
URL and title are known. Other fields are ignored. A JSON array of such objects is read as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from whatsrelated.sources.json_objects import first_objects, json_objects
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

LONGEST_PAGE = 1 << 26
FIELDS = frozenset({"url", "links", "title", "text", "read"})
LINK_KEYS = ("url", "href", "link", "target", "to")


class JSONLinesReader(Reader):
    """One page per line, as a JSON object."""

    name = "jsonl"
    sentence = 'one page per line: {"url", "title", "links": […], "text"}'
    suffixes = (".jsonl", ".ndjson", ".jsonlines")

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Whether the first object has a URL, and one has links or all have only our fields."""
        pages = first_objects(file)
        return (
            bool(pages)
            and isinstance(pages[0].get("url"), str)
            and (
                any(isinstance(page.get("links"), list) for page in pages)
                or all(page.keys() <= FIELDS for page in pages)
            )
        )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        import msgspec

        if file.sample.lstrip().startswith(b"["):
            yield from self._array(file, context)
            return
        decode: Callable[[bytes], Any] = msgspec.json.Decoder(_page_type()).decode
        for number, line in file.numbered_lines(LONGEST_PAGE):
            if not line or line.isspace():
                continue
            if len(line) > LONGEST_PAGE:
                context.refuse("line too long", file.place(number, line))
                continue
            try:
                page = decode(line)
            except msgspec.ValidationError as error:
                context.refuse("not a page", f"{file.label}:{number}: {error}")
            except (msgspec.DecodeError, UnicodeDecodeError):
                context.refuse("not JSON", file.place(number, line))
            else:
                yield _as_page(page, context, file.place(number, line))

    @staticmethod
    def _array(file: File, context: ReadContext) -> Iterator[Item]:
        """The pages of an array, as Scrapy writes it."""
        import msgspec

        kind = _page_type()
        for place, value in json_objects(file):
            try:
                page: Any = msgspec.convert(value, kind)
            except msgspec.ValidationError as error:
                context.refuse("not a page", f"{place} ({error})")
            else:
                yield _as_page(page, context, place)


def _as_page(page: Any, context: ReadContext, place: str) -> Page:
    links, missing = _targets(page.links or [])
    if missing:
        context.refuse("a link without URL", place, missing)
    return Page(page.url, links or (), page.title, page.text, read=page.read)


def _targets(links: list[str | dict[str, Any]]) -> tuple[list[str], int]:
    """The URLs of links, and the number of links without one."""
    if set(map(type, links)) == {str} and "" not in links:  # nearly always
        return cast("list[str]", links), 0
    targets = [target for link in links if (target := _target(link))]
    return targets, len(links) - len(targets)


def _target(link: str | dict[str, Any]) -> str:
    """The URL of a link; empty if it has none."""
    if isinstance(link, str):
        return link
    candidates = (link.get(key) for key in LINK_KEYS)
    return next((url for url in candidates if isinstance(url, str)), "")


def _page_type() -> type:
    import msgspec

    return msgspec.defstruct(
        "PageLine",
        [
            ("url", str),
            ("links", list[str | dict[str, Any]] | None, None),
            ("title", str | None, None),
            ("text", str | None, None),
            ("read", bool, True),
        ],
        gc=False,
    )
