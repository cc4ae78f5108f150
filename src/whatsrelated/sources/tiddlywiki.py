"""TiddlyWiki: one HTML or JSON file with all tiddlers.

A tiddler is a page named by its title. Links are `[[Tea]]`, `[[text|Tea]]`, `[ext[text|URL]]`,
`<$link to="Tea">`, `[text](#Tea)` in Markdown, and CamelCase words if there is such a tiddler.
System tiddlers (`$:/…`), drafts and media are not pages, and tags are not links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from whatsrelated.errors import ReadError
from whatsrelated.sources.json_objects import first_objects
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.spans import spans, without_spans
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_GENERATOR = re.compile(rb"<meta\s+name=[\"']?(?:generator|application-name)[^>]*TiddlyWiki", re.I)
_FIELDS = frozenset({"created", "modified", "tags", "type"})
"""An export has at least one of these fields, besides title and text."""
_STORE = re.compile(rb'<script class="tiddlywiki-tiddler-store" type="application/json">')
_PLAIN = re.compile(r"```|`[^`\n]*+`|<!--")
_CLOSING = {"```": "```", "<!--": "-->"}
_LINK = re.compile(
    r"\[\[(?:[^\[\]|\n]*+\|)*+([^\[\]|\n]++)\]\]"
    r"|\[ext\[(?:[^\[\]|\n]*+\|)*+([^\[\]|\n]++)\]\]"
    r"""|<\$link\s[^<>]*?\bto=["']([^"'\n]++)["']"""
    r"|\]\(#([^()\s]++)\)|\]\((https?://[^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+)\)"
    r"|(?<![\w~/])((?:[A-Z][a-z]++){2,}+)(?!\w)"
)
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+")


@dataclass(frozen=True)
class TiddlyWikiReader(Reader):
    """The tiddlers of a TiddlyWiki."""

    name = "tiddlywiki"
    sentence = "a TiddlyWiki: its HTML file, or its tiddlers in JSON"
    guide = "how-to/wikis.md#dokuwiki-tiddlywiki-notion"

    @classmethod
    def recognises(cls, file: File) -> bool:
        if _GENERATOR.search(file.sample):
            return True
        tiddlers = first_objects(file) if file.sample.lstrip().startswith(b"[") else []
        fields = set().union(*tiddlers)
        return (
            {"title", "text"} <= fields
            and not _FIELDS.isdisjoint(fields)
            and "url" not in fields
            and all(isinstance(value, str) for value in tiddlers[0].values())
        )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        tiddlers = [one for one in _tiddlers(file) if _is_page(one, file, context, counts)]
        titles = {one["title"] for one in tiddlers}
        for tiddler in tiddlers:
            title, text = tiddler["title"], tiddler.get("text")
            links = dict.fromkeys(_links(text if isinstance(text, str) else "", titles))
            links.pop(title, None)
            counts.update({"pages": 1, "links": len(links)})
            yield Page(title, list(links), title=title)


def _tiddlers(file: File) -> list[Any]:
    """All tiddlers of a file; raises ReadError if none can be read."""
    import msgspec

    data = file.read()
    try:
        if _GENERATOR.search(data[: 1 << 17]):
            stores = [
                msgspec.json.decode(data[start:end])
                for _, start, end, _ in spans(data, _STORE, lambda _: b"</script>")
            ]
            tiddlers = [one for store in stores for one in store] or _divisions(data)
        else:
            tiddlers = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError):
        raise ReadError(f"{file.label}: the tiddlers are invalid or truncated JSON.") from None
    if not isinstance(tiddlers, list) or not tiddlers:
        encrypted = b"Encrypted contents" in data
        why = "it is encrypted; save it without a password" if encrypted else "is it a TiddlyWiki?"
        raise ReadError(f"{file.label} has no tiddlers: {why}.")
    return tiddlers


def _divisions(data: bytes) -> list[Any]:
    """The tiddlers of a file saved before 2021, one per element."""
    import turbohtml

    return [
        {
            "title": one.attr("title") or one.attr("tiddler"),
            "type": one.attr("type") or "",
            "text": text.text if (text := one.select_one("pre")) is not None else one.text,
            **({"draft.of": "x"} if one.attr("draft.of") else {}),
        }
        for one in turbohtml.parse(data).select("#storeArea > div")
    ]


def _is_page(tiddler: Any, file: File, context: ReadContext, counts: Counter[str]) -> bool:
    title = tiddler.get("title") if isinstance(tiddler, dict) else None
    if not isinstance(title, str) or not title.strip():
        context.refuse("tiddlers without a title", file.label)
        return False
    media = str(tiddler.get("type", "")).startswith(("image/", "audio/", "video/", "application/"))
    if not (title.startswith("$:/") or tiddler.get("draft.of") or media):
        return True
    counts["system tiddlers, drafts and media left out"] += 1
    return False


def _links(text: str, titles: set[str]) -> Iterator[str]:
    for match in _LINK.finditer(
        without_spans(text, _PLAIN, lambda mark: _CLOSING.get(mark[0], ""))
    ):
        wiki, external, widget, markdown, address, camel = match.groups()
        if camel:
            if camel in titles:
                yield camel
        elif external or address:
            if _ADDRESS.fullmatch(external or address):
                yield (external or address).partition("#")[0]
        else:
            target = wiki or widget or unquote(markdown)
            if not target.startswith("$:/"):
                yield target.strip()
