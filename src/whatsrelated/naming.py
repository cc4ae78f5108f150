"""How a build names pages, and what it keeps of them besides their links."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import ClassVar

from whatsrelated import urls
from whatsrelated.graph import terms
from whatsrelated.graph.reading import Column
from whatsrelated.options import Configured, option
from whatsrelated.stream import Page


@dataclass(frozen=True)
class Naming(Configured):
    """How raw names become the names of pages."""

    name: ClassVar[str] = "build"

    urls: str = option(
        "canonical", "spell URLs one way, or keep names as they come", choices=("canonical", "keep")
    )
    names: str = option(
        "auto", "host: bare hosts are URLs, not plain names", choices=("auto", "host")
    )
    merge_scheme: bool = option(False, "http and https are one page")

    @property
    def plain_stays(self) -> bool:
        return self.names != "host" or self.urls == "keep"

    @property
    def http_stays(self) -> bool:
        return not self.merge_scheme or self.urls == "keep"

    def __call__(self, raw: str) -> str:
        if self.urls == "keep":
            return urls.kept(raw)
        if self.names == "host":
            return urls.as_host(raw, merge_scheme=self.merge_scheme)
        return urls.canonical(raw, merge_scheme=self.merge_scheme)


def columns(naming: Naming, text: bool = False) -> dict[str, Column]:
    """What is kept of a page besides its links."""

    def anchors_of(page: Page) -> bytes | None:
        """A line for each link that has a text: its URL, a tab, the text."""
        lines = []
        for link, text in zip(page.links, page.anchors, strict=bool(page.anchors)):
            with contextlib.suppress(urls.BadName):
                lines.append(f"{naming(link)}\t{' '.join(text.split())}" if text else "")
        return "\n".join(filter(None, lines)).encode("utf-8", "replace") or None

    kept: dict[str, Column] = {"titles": title_of, "anchors": anchors_of}
    return {**kept, terms.COLUMN: terms.terms_of} if text else kept


def title_of(page: Page) -> bytes | None:
    """A page's title as one line."""
    if page.title is None:
        return None
    return " ".join(page.title.split()).encode("utf-8", "replace")
