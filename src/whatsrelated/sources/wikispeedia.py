"""Wikispeedia's files `links.tsv` and `articles.tsv`, with URL-encoded titles (WL12).

`links.tsv` has each article's links in alphabetical order, so their order is meaningless. The
`order_file`, `page_pos_dict.json`, has the links in paragraphs in reading order; they are four
fifths of all links. These come first. The others, from tables, boxes and captions, follow. With the
order file, the graph counts as ordered. A link that is only in the order file is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from urllib.parse import unquote

from whatsrelated.errors import ReadError
from whatsrelated.options import option
from whatsrelated.sources.files import File
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import Page

MARK = b"# Article names are URL-encoded"


@dataclass(frozen=True)
class WikispeediaReader(Reader):
    """Wikispeedia's links and articles."""

    name = "wikispeedia"
    sentence = "Wikispeedia's links.tsv and articles.tsv"

    order_file: str | None = option(
        None, "Wikispeedia's page_pos_dict.json, which has the links in page order"
    )

    def is_ordered(self, file: File) -> bool:
        return bool(self.order_file)

    @classmethod
    def recognises(cls, file: File) -> bool:
        return MARK in file.sample[:1000]

    def about(self, file: File) -> str:
        return f"links in the order of {self.order_file}" if self.order_file else "no link order"

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        if b"categor" in file.sample[:200]:
            raise ReadError(f"{file.label} has categories, not links; omit it.")
        order = self._order()
        for article, lines in groupby(_rows(file, context), key=lambda row: row[0]):
            targets = [target for _, target in lines if target is not None]
            places = order.get(article, {})
            placed = sorted((t for t in targets if t in places), key=places.__getitem__)
            others = [target for target in targets if target not in places]
            yield Page(unquote(article), [unquote(target) for target in placed + others])

    def _order(self) -> Mapping[str, Mapping[str, int]]:
        """For each article, the positions of its targets in reading order."""
        if not self.order_file:
            return {}
        import msgspec

        file = File(Path(self.order_file))
        try:
            places = msgspec.json.decode(file.read(), type=dict[str, dict[str, list[int | str]]])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ReadError(
                f"{file.label} is not Wikispeedia's order file ({error}); use page_pos_dict.json."
            ) from error
        return {
            article: {target: place for place, target in enumerate(targets)}
            for article, targets in places.items()
        }


def _rows(file: File, context: ReadContext) -> Iterator[tuple[str, str | None]]:
    """For each line, its article and the article it links to, if any."""
    for number, line in file.numbered_lines():
        if not line.strip() or line.startswith(b"#"):
            continue
        fields = line.rstrip(b"\r").split(b"\t")
        try:
            article, target = (*(field.decode("ascii") for field in fields), None)[:2]
        except (UnicodeDecodeError, ValueError):
            article, fields = None, []
        if article is None or len(fields) > 2 or not all(fields):
            context.refuse("not a link between articles", file.place(number, line))
            continue
        yield article, target
