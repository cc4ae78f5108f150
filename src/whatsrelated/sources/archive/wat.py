"""WAT files: Common Crawl's extract of each page, as JSON.

    {"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": {
        "Response-Message": {"Status": "200"}, "Headers": {"Location": …},
        "HTML-Metadata": {
            "Head": {"Title": …, "Base": …, "Link": [{"rel": "canonical", "url": …}]},
            "Links": [{"path": "A@/href", "url": …, "text": …}, {"path": "IMG@/src", …}]}}}}}

Links are in page order and unresolved. Only links from `a` and `area` elements count, not images,
style sheets or forms. Navigation cannot be recognised, so only template links are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from whatsrelated.sources.html import MAX_TITLE, NOT_RECOMMENDED, HtmlPage, is_disowned

PATHS = frozenset({"A@/href", "AREA@/href"})
"""The elements whose links count."""


class NotWat(ValueError):
    """A record that is not an extract of a page."""


class Extract(NamedTuple):
    """The extract of a response; `page` is None if it was not HTML."""

    status: int
    location: str = ""
    page: HtmlPage | None = None


class _Link(msgspec.Struct):
    path: str = ""
    url: str = ""
    text: str = ""
    rel: str = ""


class _Head(msgspec.Struct):
    title: str = msgspec.field(default="", name="Title")
    base: str = msgspec.field(default="", name="Base")
    link: list[_Link] = msgspec.field(default_factory=list, name="Link")


class _Html(msgspec.Struct):
    head: _Head = msgspec.field(default_factory=_Head, name="Head")
    links: list[_Link] = msgspec.field(default_factory=list, name="Links")


class _Message(msgspec.Struct):
    status: str | int = msgspec.field(default="", name="Status")


class _Http(msgspec.Struct):
    message: _Message = msgspec.field(default_factory=_Message, name="Response-Message")
    headers: dict[str, Any] = msgspec.field(default_factory=dict, name="Headers")
    html: _Html | None = msgspec.field(default=None, name="HTML-Metadata")


class _Payload(msgspec.Struct):
    http: _Http | None = msgspec.field(default=None, name="HTTP-Response-Metadata")


class _Envelope(msgspec.Struct):
    payload: _Payload = msgspec.field(default_factory=_Payload, name="Payload-Metadata")


class _Wat(msgspec.Struct):
    envelope: _Envelope = msgspec.field(name="Envelope")


_decode = msgspec.json.Decoder(_Wat).decode


def read_wat(content: bytes | memoryview, anchors: bool = False) -> Extract:
    """Parse a record of a WAT file."""
    try:
        http = _decode(bytes(content).strip()).envelope.payload.http
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotWat from None
    if http is None:
        return Extract(0)
    status = str(http.message.status)
    number = int(status) if status.isascii() and status.isdigit() and len(status) == 3 else 0
    if 300 <= number < 400:
        named = {name.lower(): value for name, value in http.headers.items()}
        location = named.get("location", "")
        return Extract(number, location if isinstance(location, str) else "")
    if http.html is None or not 200 <= number < 300:
        return Extract(number)
    return Extract(number, page=_page(http.html, anchors))


def _page(html: _Html, anchors: bool) -> HtmlPage:
    kept = [link for link in html.links if link.path in PATHS]
    canonical = (link.url for link in html.head.link if "canonical" in link.rel.lower().split())
    return HtmlPage(
        links=[(link.url, NOT_RECOMMENDED * is_disowned(link.rel)) for link in kept],
        anchors=[" ".join(link.text.split())[:MAX_TITLE] for link in kept] if anchors else [],
        title=" ".join(html.head.title.split())[:MAX_TITLE],
        base=html.head.base,
        canonical=next(canonical, ""),
    )
