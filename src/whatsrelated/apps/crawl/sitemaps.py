"""Sitemaps: lists of pages, or of other sitemaps, as XML or plain lines.

XML is only searched for `loc` elements, never parsed, so entities cannot expand.
"""

from __future__ import annotations

import html
import re
import zlib

MAX_BYTES = 50 << 20
MAX_ADDRESSES = 50_000
"""Maximum number of URLs per sitemap, by the protocol."""

_LOC = re.compile(rb"<(?:\w+:)?loc\s*+>\s*+(?:<!\[CDATA\[)?+([^<\]]{1,8192}+)(?:\]\]>)?+\s*+</")
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex[\s>]")


def read_sitemap(body: bytes) -> tuple[bool, list[str]]:
    """Whether a sitemap lists other sitemaps, and the URLs in it."""
    data = _unpack(body)[:MAX_BYTES]
    if b"<" in data[:1024]:
        texts = [html.unescape(loc.decode("utf-8", "replace")) for loc in _LOC.findall(data)]
    else:
        texts = [line.decode("utf-8", "replace") for line in data.splitlines()]
    texts = [url.strip() for url in texts]
    addresses = [url for url in texts if url.startswith(("http://", "https://"))]
    return _INDEX.search(data[:4096]) is not None, addresses[:MAX_ADDRESSES]


def _unpack(body: bytes) -> bytes:
    if body[:2] != b"\x1f\x8b":
        return body
    try:
        return zlib.decompressobj(31).decompress(body, MAX_BYTES)
    except zlib.error:
        return b""
