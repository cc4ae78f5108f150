"""Hand-made Web archives, and what warcio and html5lib read in them."""

from __future__ import annotations

import gzip
import io
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import html5lib

from whatsrelated.machine import workers
from whatsrelated.sources.archive.reader import ArchiveFolder, ArchiveReader
from whatsrelated.sources.files import File
from whatsrelated.sources.reader import ReadContext

SITE = "http://example.org/"
DATE = "2020-01-01T00:00:00Z"


def links(*targets):
    return "".join(f'<a href="{target}">x</a>' for target in targets).encode()


def http(body=b"", *headers, status="200 OK", end=b"\r\n"):
    """A response; HTML unless a header says otherwise."""
    if not any(header.lower().startswith("content-type") for header in headers):
        headers = ("Content-Type: text/html", *headers)
    head = [f"HTTP/1.1 {status}", *headers]
    return end.join([*(line.encode() for line in head), b"", b""]) + body


def record(
    url, content, kind="response", *more, date=DATE, version="1.0", length=None, end=b"\r\n"
):
    """A record as it stands in a WARC file."""
    media_type = "application/http; msgtype=response" if kind in ("response", "revisit") else ""
    head = [
        f"WARC/{version}",
        f"WARC-Type: {kind}",
        *([f"WARC-Target-URI: {url}"] if url else []),
        f"WARC-Date: {date}",
        *([f"Content-Type: {media_type}"] if media_type else []),
        *more,
        f"Content-Length: {len(content) if length is None else length}",
    ]
    return end.join([*(line.encode() for line in head), b"", b""]) + content + end + end


def page(url, *targets, **more):
    """A record of a page that links to these."""
    return record(url, http(links(*targets)), **more)


def write(path, *members, pack=None):
    path.write_bytes(b"".join(pack(member) if pack else member for member in members))
    return path


def inline(work, items, **limits):
    """Does the work of worker processes in this one: faster for small archives."""
    from whatsrelated.machine.workers import _answer

    for item in items:
        yield item, _answer(work, item)


def read(monkeypatch, *paths, **options):
    """The links of each page, and what was found and refused, without processes."""
    monkeypatch.setattr(workers, "results", inline)
    return read_with_workers(*paths, **options)


def read_with_workers(*paths, **options):
    context = ReadContext()
    folder = Path(paths[0]).is_dir()
    reader = (ArchiveFolder if folder else ArchiveReader)(**{"workers": 1, **options})
    found: dict[str, list[str]] = {}
    for one in reader.read_together([File(path) for path in paths], context):
        found.setdefault(one.url, []).extend(one.links)
    return found, context


class OraclePage(NamedTuple):
    """A page as read by warcio."""

    url: str
    body: bytes
    charset: str


def oracle_pages(path):
    """Responses of HTML with 2xx, by warcio, up to where it gives up."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    with Path(path).open("rb") as file, suppress(ArchiveLoadFailed):
        for one in ArchiveIterator(file, arc2warc=True):
            headers = one.http_headers
            if one.rec_type != "response" or headers is None:
                continue
            media_type, _, rest = (headers.get_header("Content-Type") or "").partition(";")
            is_html = media_type.strip().lower() in ("text/html", "application/xhtml+xml")
            url = (one.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
            if url and is_html and headers.get_statuscode()[:1] == "2":
                charset = rest.partition("charset=")[2].strip().strip("\"'")
                yield OraclePage(url, _oracle_body(one), charset)


def _oracle_body(one):
    """The body by warcio, or by brotli, whose current API warcio does not support."""
    import brotli
    from warcio.bufferedreaders import ChunkedDataReader

    codings = [one.http_headers.get_header(f"{name}-Encoding") for name in ("Content", "Transfer")]
    if "br" not in codings:
        return one.content_stream().read()
    body = one.raw_stream.read()
    if "chunked" in codings:
        body = ChunkedDataReader(io.BytesIO(body)).read()
    return brotli.decompress(body)


def oracle_links(one):
    """The `href` of `base`, and those of `a` and `area` in page order, by html5lib."""
    tree = html5lib.parse(
        one.body, namespaceHTMLElements=False, transport_encoding=one.charset or None
    )
    base = next((element.get("href") for element in tree.iter("base") if element.get("href")), "")
    found = [element for element in tree.iter() if element.tag in ("a", "area")]
    return base, [element.get("href") for element in found if element.get("href") is not None]


def packed(data):
    return gzip.compress(data, mtime=0)


def chunked(body, size=7):
    pieces = io.BytesIO()
    for start in range(0, len(body), size):
        piece = body[start : start + size]
        pieces.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    return pieces.getvalue() + b"0\r\n\r\n"
