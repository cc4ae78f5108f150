"""The report on a site: one HTML file that needs nothing else, for a browser or a mail.

Tables are sorted by a click on a head, and dismissals are gathered, by a few lines of
script; without it everything is there to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from whatsrelated.apps.gaps.findings import KINDS, Gaps, PageGroup, SitePage
from whatsrelated.apps.gaps.picture import MOST_DOTS, map_of
from whatsrelated.apps.gaps.structure import SiteStructure

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store

MOST_ROWS = 2000
"""Rows of a table; --json has the others."""
_WEB = re.compile(r"https?://", re.I)
LEGEND = (
    "Each circle is a cluster of pages that link among themselves more than with others; lines "
    "are links between clusters."
)


@dataclass(frozen=True)
class Markup:
    """Text that is HTML already."""

    text: str


Cell = str | int | float | None | Markup


def report(store: Store, found: Gaps, name: str) -> str:
    """The whole report as a page."""
    tiles = "".join(
        f'<a class="tile" href="#{kind}"><b>{found.count(kind)}</b>'
        f"{escape(title.partition(':')[0])}</a>"
        for kind, title in KINDS.items()
    )
    parts = [
        f"<h1>What to mend: {escape(name)}</h1>",
        f"<p>{found.pages:,} pages, {found.links:,} links between them.</p>",
        f"<nav class=tiles>{tiles}</nav>",
        *(f"<p class=note>{escape(note)}</p>" for note in found.notes),
        _picture(store),
        *(
            f'<section id="{kind}"><h2>{escape(title)}</h2>{_section(kind, found)}</section>'
            for kind, title in KINDS.items()
        ),
    ]
    folder = files("whatsrelated.apps.gaps") / "static"
    style, script = (
        (folder / file).read_text(encoding="utf-8") for file in ("report.css", "report.js")
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>What to mend: {escape(name)}</title><style>{style}</style></head>"
        f"<body><main>{''.join(parts)}</main><script>{script}</script></body></html>\n"
    )


def _picture(store: Store) -> str:
    drawn = map_of(SiteStructure(store))
    if drawn is None:
        return ""
    legend = LEGEND
    if sum(map(len, drawn.members)) <= MOST_DOTS:
        legend += (
            " Dots are pages: <span class=lost>no link leads to them</span>,"
            " <span class=end>no link leads on</span>."
        )
    return f"<figure>{drawn.svg()}<figcaption>{legend}</figcaption></figure>"


def _section(kind: str, found: Gaps) -> str:
    listed = getattr(found, kind)
    rows: list[list[Cell]]
    if found.is_unknown(kind):
        return "<p>Unknown: the source does not say where links lead.</p>"
    if not listed:
        return "<p>None.</p>"
    if kind == "missing":
        return _missing(found)
    if kind == "broken":
        rows = [
            [_page(one.page), one.line, one.link, str(one.status or "")] for one in found.broken
        ]
        return _table(["page", "line", "leads to", "status"], rows)
    if kind == "redirects":
        rows = [
            [_page(one.page), one.link, one.target or "a loop", one.hops] for one in found.redirects
        ]
        return _table(["page", "leads to", "redirects to", "hops"], rows)
    if isinstance(listed[0], PageGroup):
        groups: list[list[Cell]] = [[len(group.pages), _pages(group.pages)] for group in listed]
        return _table(["pages", "which"], groups)
    return _table(
        ["page", "title", "links to it", "from it", "navigation"], map(_site_page, listed)
    )


def _missing(found: Gaps) -> str:
    rows: list[list[Cell]] = [
        [
            Markup(
                f'<input type=checkbox aria-label="Dismiss" data-line="'
                f'{escape(one.source)}&#9;{escape(one.target)}">'
            ),
            f"{one.score:.2f}",
            _page(one.source, one.source_title),
            _page(one.target, one.target_title),
            one.reason,
        ]
        for one in found.missing
    ]
    dismissed = f" {found.dismissed:,} were dismissed before." if found.dismissed else ""
    return (
        "<p>A score of 0.7: of ten links like this, seven were true ones where "
        f"links had been taken away.{dismissed}</p>"
        + _table(["not wanted", "score", "on this page", "a link to", "because"], rows)
        + "<div class=dismiss hidden><p>Add these lines to the file that you give with "
        "<code>--ignore</code>, and they will not be shown again:</p>"
        "<textarea readonly rows=4></textarea></div>"
    )


def _site_page(page: SitePage) -> list[Cell]:
    return [_page(page.url), page.title, page.links_in, page.links_out, page.navigation]


def _pages(urls: Sequence[str], most: int = 20) -> Markup:
    shown = "<br>".join(_page(url).text for url in urls[:most])
    more = f"<br>and {len(urls) - most:,} more" if len(urls) > most else ""
    return Markup(shown + more)


def _page(url: str, title: str | None = None) -> Markup:
    """A page by its title and name; a link where its name is a web address."""
    name = f"<small>{escape(url)}</small>" if title else escape(url)
    shown = f"{escape(title)}<br>{name}" if title else name
    return Markup(f'<a href="{escape(url)}">{shown}</a>' if _WEB.match(url) else shown)


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    listed = list(rows)
    heads = "".join(f"<th scope=col>{escape(name)}</th>" for name in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>"
        for row in listed[:MOST_ROWS]
    )
    more = len(listed) - MOST_ROWS
    rest = f"<p>And {more:,} more, which --json has.</p>" if more > 0 else ""
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div class=scroll>{table}</div>{rest}"


def _cell(value: Cell) -> str:
    if isinstance(value, Markup):
        return value.text
    return "" if value is None else escape(f"{value:,}" if isinstance(value, int) else str(value))
