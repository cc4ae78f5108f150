"""Roam Research's JSON export: pages with nested blocks.

A page is named by its title.  `[[Page]]`, `#tag`, `#[[tag]]`, `name::` and addresses are
links, in the order of the blocks; `((block))` and `{{embed: ((block))}}` lead to the page
of that block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from whatsrelated.sources.json_objects import first_objects, json_objects
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_LINK = re.compile(
    r"\[\[([^\[\]\n]++)\]\]"
    r"|(?<![\w&/])#([\w/-]++)"
    r"|\(\(([\w-]{6,30})\)\)"
    r"|(https?://[^\s()\[\]<>]++)"
    r"|^([^\s:`][^:\n`]{0,80}+)::"
)
_CODE = re.compile(r"`[^`\n]*+`")


class RoamReader(Reader):
    """The pages of a Roam graph."""

    name = "roam"
    sentence = "the pages of a Roam Research graph, exported as JSON"
    is_site = True

    @classmethod
    def recognises(cls, file: File) -> bool:
        pages = first_objects(file) if file.sample.lstrip().startswith(b"[") else []
        blocks = [block for page in pages for block in page.get("children", ())]
        return any("title" in page for page in pages) and any(
            isinstance(block, dict) and {"uid", "string"} <= block.keys() for block in blocks
        )

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        pages = []
        for place, page in json_objects(file):
            if isinstance(page, dict) and isinstance(page.get("title"), str) and page["title"]:
                pages.append(page)
            else:
                context.refuse("pages without a title", place)
        texts = [list(_blocks(page)) for page in pages]
        owners = {
            uid: page["title"]
            for page, blocks in zip(pages, texts, strict=True)
            for uid, _ in blocks
            if uid
        }
        counts = context.counter(self.name)
        for page, blocks in zip(pages, texts, strict=True):
            links = dict.fromkeys(link for _, text in blocks for link in _links(text, owners))
            links.pop(page["title"], None)
            links.pop("", None)
            missing = [link for link in links if link.startswith("((")]
            for link in missing:
                counts["references to unknown blocks left out"] += 1
                del links[link]
            counts.update({"pages": 1, "links": len(links)})
            yield Page(page["title"], list(links), title=page["title"])


def _blocks(page: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The identifier and text of every block, in reading order."""
    waiting = [page]
    while waiting:
        block = waiting.pop()
        if not isinstance(block, dict):
            continue
        if block is not page:
            uid, text = block.get("uid"), block.get("string")
            yield uid if isinstance(uid, str) else "", text if isinstance(text, str) else ""
        children = block.get("children")
        if isinstance(children, list):
            waiting += reversed(children)


def _links(text: str, owners: dict[str, str]) -> Iterator[str]:
    for match in _LINK.finditer(_CODE.sub(" ", text)):
        page, tag, block, address, attribute = match.groups()
        if block:
            yield owners.get(block, f"(({block}))")
        elif address:
            yield address.partition("#")[0]
        else:
            yield (page or tag or attribute).strip()
