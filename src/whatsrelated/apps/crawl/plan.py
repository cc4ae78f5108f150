"""The options of a crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from whatsrelated.options import Configured, option


@dataclass(frozen=True)
class CrawlPlan(Configured):
    """How far a crawl goes, and how polite it is."""

    name: ClassVar[str] = "crawl"

    within: str = option(
        "host",
        "scope of the crawl: pages on the hosts, domains or folders of the URLs",
        choices=("host", "domain", "folder"),
    )
    contact: str | None = option(
        None,
        "your e-mail address or web page, sent to every site; required unless you crawl your own "
        "machine",
        common=True,
    )
    depth: int = option(
        1_000, "maximum number of links between a start URL and a page", low=0, common=True
    )
    pages: int = option(100_000, "maximum number of pages to fetch", low=1, common=True)
    minutes: float = option(1_440.0, "maximum number of minutes to crawl", low=0, open_low=True)
    bytes: int = option(10_000_000_000, "maximum number of bytes to fetch", low=1)
    delay: float = option(
        1.0,
        "seconds between requests to the same host; robots.txt may ask for more",
        low=0,
        common=True,
    )
    hosts: int = option(8, "number of hosts to fetch from at the same time", low=1, high=1_000)
    timeout: float = option(30.0, "time limit for one page, in seconds", low=0, open_low=True)
    page_bytes: int = option(
        10_000_000, "maximum number of bytes per page; longer pages are cut", low=1
    )
    per_pattern: int = option(
        2_000,
        "maximum number of pages whose URLs differ only in numbers and parameters",
        low=1,
    )
    tries: int = option(4, "number of attempts to fetch a page", low=1, high=100)
    sitemaps: bool = option(True, "also fetch the pages that sitemaps list")
    resolve: str | None = option(
        None,
        "connect to this address for this host, such as example.org=127.0.0.1; * for every host",
        lines=True,
    )
