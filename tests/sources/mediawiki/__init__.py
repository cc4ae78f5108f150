"""Dumps of small wikis, written in the tests as their pages."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tests.sources import read, write
from whatsrelated.stream import Page

SITE = """<siteinfo><sitename>Tea</sitename><dbname>teawiki</dbname>
<base>https://tea.example/wiki/Main_Page</base><case>first-letter</case><namespaces>
<namespace key="-2" case="first-letter">Medium</namespace>
<namespace key="0" case="first-letter" />
<namespace key="4" case="first-letter">Teeküche</namespace>
<namespace key="6" case="first-letter">Datei</namespace>
<namespace key="10" case="first-letter">Vorlage</namespace>
<namespace key="12" case="first-letter">Hilfe</namespace>
<namespace key="14" case="first-letter">Kategorie</namespace>
<namespace key="2302" case="case-sensitive">Gerät</namespace>
</namespaces></siteinfo>"""


def page(title: str, text: str = "", ns: int = 0, redirect: str | None = None) -> str:
    """One page of a dump."""
    to = f"<redirect title={quoteattr(redirect)} />" if redirect is not None else ""
    return (
        f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>1</id>{to}<revision><id>2</id>"
        f'<model>wikitext</model><text xml:space="preserve">{escape(text)}</text></revision>'
        "</page>\n"
    )


def dump(*pages: str, site: str = SITE) -> str:
    """A whole dump."""
    return f'<mediawiki version="0.11" xml:lang="de">{site}\n{"".join(pages)}</mediawiki>\n'


def links(tmp_path: Path, *pages: str, **options: object) -> dict[str, list[str]]:
    """The links of each page of a dump."""
    path = write(tmp_path / "wiki.xml", dump(*pages))
    return by_page(read(path, options=options))


def by_page(items: object) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in items:  # type: ignore[attr-defined]
        assert isinstance(item, Page)
        found[item.url] = list(item.links)
    return found
