"""Manuals in HTML: their pages, the links of each page, and separately its "See also" links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from whatsrelated.stream import Page

EMPTY = {"img", "br", "hr", "input", "meta", "link", "col", "area", "base", "wbr", "source"}
HEADINGS = {"h1", "h2", "h3"}


@dataclass(frozen=True)
class Manual:
    """Where a manual is, and which classes and ids mark its parts."""

    folder: str
    site: str
    see_also: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()


MANUALS = {
    "Apache": Manual(
        "apache2-doc/manual/en",
        "https://httpd.apache.org/docs/",
        see_also=frozenset({"seealso"}),
        around=frozenset({"page-header", "path", "footer", "toplang", "bottomlang"}),
    ),
    "Git": Manual("git/html", "https://git-scm.com/docs/", around=frozenset({"footer"})),
    "PostgreSQL": Manual(
        "postgresql-doc-15/html",
        "https://www.postgresql.org/docs/15/",
        around=frozenset({"navheader", "navfooter"}),
    ),
    "Python": Manual(
        "python3.11/html",
        "https://docs.python.org/3.11/",
        see_also=frozenset({"seealso"}),
        around=frozenset({"sphinxsidebar", "related", "footer"}),
    ),
}


def read(folder: Path, name: str) -> tuple[list[Page], dict[str, set[str]]]:
    """The pages with the links of their text, and their "See also" links."""
    manual = MANUALS[name]
    root = folder / manual.folder
    files = {
        f"{manual.site}{file.relative_to(root)}": file for file in sorted(root.rglob("*.html"))
    }
    pages, gold = [], {}
    for url, file in files.items():
        parser = Parser(manual)
        parser.feed(file.read_text(encoding="utf-8", errors="replace"))
        pages.append(Page(url, list(known(url, parser.text, files))))
        if listed := set(known(url, parser.see_also, files)):
            gold[url] = listed
    return pages, gold


def known(url: str, links: list[str], files: dict[str, Path]) -> Iterator[str]:
    for link in links:
        target = urldefrag(urljoin(url, link))[0]
        if target in files and target != url:
            yield target


@dataclass
class Parser(HTMLParser):
    """Sorts the links of one page by the part that an element or its nearest ancestor names."""

    manual: Manual
    text: list[str] = field(default_factory=list)
    see_also: list[str] = field(default_factory=list)
    opened: list[list[str]] = field(default_factory=list)
    heading: str | None = None

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        names = {*(values.get("class") or "").split(), values.get("id") or ""}
        parts = {part for _, part in self.opened}
        if tag == "a" and values.get("href") and "around" not in parts:
            (self.see_also if "see also" in parts else self.text).append(str(values["href"]))
        if tag in HEADINGS:
            self.heading = ""
        part = "see also" if names & self.manual.see_also else ""
        if tag not in EMPTY:
            self.opened.append([tag, "around" if names & self.manual.around else part])

    def handle_data(self, data: str) -> None:
        if self.heading is not None:
            self.heading += data

    def handle_endtag(self, tag: str) -> None:
        if tag in HEADINGS and self.heading is not None:
            if self.heading.strip().lower() == "see also":
                self.around_heading()[1] = "see also"
            self.heading = None
        for place in range(len(self.opened) - 1, -1, -1):
            if self.opened[place][0] == tag:
                del self.opened[place:]
                break

    def around_heading(self) -> list[str]:
        """The block that a heading belongs to, or the heading itself if it is outside any block."""
        blocks = [element for element in self.opened if element[0] == "div"]
        return blocks[-1] if blocks else ["", ""]
