"""Classify the records of an archive: a page, a redirect, or a revisit.

- A response with status 2xx that is HTML or XHTML is a page. So is a resource.
- A response with status 3xx and a Location is a redirect.
- Any other response is recorded with its status, which shows whether links to it are broken.
- A revisit means that an address had the same contents as another capture.
- Heritrix writes the links it found to metadata records. They stand in for a page whose HTML is
  missing.
- A WAT file has the links of each page as JSON (`wat`).

Everything else is counted and skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whatsrelated.names.canonical import BadName
from whatsrelated.sources.archive.http import Response, TooLong, decoded_body, parse_response
from whatsrelated.sources.html import HtmlPage, looks_like_html
from whatsrelated.sources.html_pages import WebResolver, page_record, read_page
from whatsrelated.sources.page_records import PageRecord
from whatsrelated.sources.url_joins import UrlBase, absolute_url

if TYPE_CHECKING:
    from whatsrelated.sources.archive.records import Record
    from whatsrelated.sources.page_reader import HtmlReader

HTML = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
"""The media types of pages."""

_UNKNOWN = frozenset({"", "application/octet-stream", "unknown/unknown", "no-type"})
_OUTLINK = re.compile(rb"^outlink:[ \t]*(\S+)[ \t]+L[ \t]+(?:a|area)/@href", re.I | re.M)


@dataclass(slots=True)
class Captures:
    """The captures in a range of records."""

    pages: list[PageRecord] = field(default_factory=list)
    redirects: list[tuple[str, str]] = field(default_factory=list)
    revisits: list[tuple[str, int, str, int, str]] = field(default_factory=list)
    """The address, its date, the address and date it repeats, and the payload's digest."""
    statuses: list[tuple[str, int, int]] = field(default_factory=list)
    """The address, date and status of each response that is neither a page nor a redirect."""
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)


class CaptureReader:
    """Turns records into captures one at a time."""

    def __init__(self, reader: HtmlReader, text: bool) -> None:
        self.reader = reader
        self.text = text
        self.results = Captures()

    def add(self, record: Record, place: str) -> None:
        """Read one record; count it if it cannot be read."""
        head = record.head
        kind = head.get("warc-type", "").lower()
        read = {
            "response": self._add_response,
            "resource": self._add_resource,
            "revisit": self._add_revisit,
            "metadata": self._add_metadata,
        }.get(kind)
        if read is None:
            self.results.counts["extracted texts" if kind == "conversion" else "other records"] += 1
            return
        try:
            url = absolute_url(head.get("warc-target-uri", "").strip("<>"))
        except BadName:
            self.results.refused.append(("records without a URL", place))
            return
        if not url.startswith(("http://", "https://")):
            self.results.counts["other records"] += 1
            return
        try:
            read(record, url, place)
        except TooLong:
            self.results.refused.append(("too large", f"{place} {url}"))

    def _add_response(self, record: Record, url: str, place: str) -> None:
        response = parse_response(bytes(record.content))
        if response is None:
            self.results.refused.append(("responses without HTTP", f"{place} {url}"))
        elif 300 <= response.status < 400:
            self._add_redirect(response, url)
        elif 200 <= response.status < 300:
            self._add_page(response, record, url, place)
        else:
            self._add_status(record, url, response.status)
            self.results.counts["responses with an error"] += 1

    def _add_resource(self, record: Record, url: str, place: str) -> None:
        media_type = record.head.get("content-type", "")
        response = Response(200, {"content-type": media_type}, bytes(record.content))
        self._add_page(response, record, url, place)

    def _add_page(self, response: Response, record: Record, url: str, place: str) -> None:
        if response.media_type not in HTML and response.media_type not in _UNKNOWN:
            self._add_other(record, url)
            return
        if not record.whole:
            raise TooLong
        body = decoded_body(response)
        if response.media_type not in HTML and not looks_like_html(body[:2048]):
            self._add_other(record, url)
            return
        page = read_page(
            body,
            url,
            self.reader,
            WebResolver(),
            path=f"{place} {url}",
            charset=response.charset,
            text=self.text,
        )
        self._keep(page, record)

    def _add_other(self, record: Record, url: str) -> None:
        self._add_status(record, url, 200)
        self.results.counts["responses other than HTML"] += 1

    def _add_status(self, record: Record, url: str, status: int) -> None:
        self.results.statuses.append((url, date_of(record.head.get("warc-date", "")), status))

    def _keep(self, page: PageRecord, record: Record) -> None:
        page.time = date_of(record.head.get("warc-date", ""))
        page.digest = record.head.get("warc-payload-digest", "")
        self.results.pages.append(page)

    def _add_redirect(self, response: Response, url: str) -> None:
        location = response.headers.get("location", "")
        try:
            target = UrlBase(url).join(location).partition("#")[0] if location else ""
        except BadName:
            target = ""
        if target.startswith(("http://", "https://")):
            self.results.redirects.append((url, target))
        self.results.counts["redirects"] += 1

    def _add_revisit(self, record: Record, url: str, place: str) -> None:
        head = record.head
        response = parse_response(bytes(record.content[: 1 << 16]))
        if response is not None and 300 <= response.status < 400 and response.status != 304:
            self._add_redirect(response, url)
            return
        if response is not None and response.media_type not in HTML | _UNKNOWN:
            self.results.counts["responses other than HTML"] += 1
            return
        try:
            same = absolute_url(head.get("warc-refers-to-target-uri", "").strip("<>"))
        except BadName:
            same = ""
        seen, before = (date_of(head.get(f"warc-{name}date", "")) for name in ("", "refers-to-"))
        digest = head.get("warc-payload-digest", "")
        self.results.revisits.append((url, seen, same, before, digest))
        self.results.counts["revisits"] += 1

    def _add_metadata(self, record: Record, url: str, place: str) -> None:
        media_type = record.head.get("content-type", "").partition(";")[0].strip().lower()
        if media_type == "application/json":
            self._add_wat(record, url, place)
            return
        outlinks = _OUTLINK.findall(bytes(record.content)) if "fields" in media_type else []
        self.results.counts["other records"] += 1
        if outlinks:
            links = [(link.decode("utf-8", "replace"), 0) for link in outlinks]
            page = page_record(HtmlPage(links, []), url, self.reader, WebResolver(), path=place)
            page.stands_in = True
            self._keep(page, record)

    def _add_wat(self, record: Record, url: str, place: str) -> None:
        from whatsrelated.sources.archive.wat import NotWat, read_wat

        try:
            extract = read_wat(record.content, self.reader.anchors)
        except NotWat:
            self.results.refused.append(("not WAT", f"{place} {url}"))
            return
        if extract.page is None:
            if extract.location:
                response = Response(extract.status, {"location": extract.location})
                self._add_redirect(response, url)
            else:
                if extract.status:
                    self._add_status(record, url, extract.status)
                self.results.counts["other records"] += 1
            return
        page = page_record(extract.page, url, self.reader, WebResolver(), path=f"{place} {url}")
        self._keep(page, record)


def date_of(text: str) -> int:
    """A date as a sortable number such as 20080430204825; 0 if there is no date."""
    digits = re.sub(r"\D", "", text)[:14]
    return int(digits.ljust(14, "0")) if digits else 0
