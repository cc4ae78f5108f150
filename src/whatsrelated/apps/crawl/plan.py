"""What a crawl is asked to do: an option each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from whatsrelated.options import Configured, option


@dataclass(frozen=True)
class CrawlPlan(Configured):
    """The limits and manners of a crawl."""

    name: ClassVar[str] = "crawl"

    within: str = option(
        "host",
        "which pages to fetch: those on the hosts, in the domains or in the folders of the URLs",
        choices=("host", "domain", "folder"),
    )
    contact: str | None = option(
        None, "your address or page, sent to every site; needed beyond your own machine"
    )
    depth: int = option(1_000, "how many links away from the URLs to go", low=0)
    pages: int = option(100_000, "how many pages to fetch at most", low=1)
    minutes: float = option(1_440.0, "for how many minutes to crawl at most", low=0, open_low=True)
    bytes: int = option(10_000_000_000, "how many bytes to fetch at most", low=1)
    delay: float = option(
        1.0, "seconds between two requests to a host; robots.txt may ask for more", low=0
    )
    hosts: int = option(8, "how many hosts to ask at the same time", low=1, high=1_000)
    timeout: float = option(
        30.0, "seconds that a server may take for one page", low=0, open_low=True
    )
    page_bytes: int = option(
        10_000_000, "bytes of a page that are fetched; of a larger one, the beginning", low=1
    )
    per_pattern: int = option(
        2_000,
        "how many pages to fetch whose addresses differ in numbers and parameters only",
        low=1,
    )
    tries: int = option(4, "how often to ask for a page before it is given up", low=1, high=100)
    sitemaps: bool = option(True, "fetch the pages that sitemaps list, too")
    resolve: str | None = option(
        None,
        "connect to this address for this host, such as example.org=127.0.0.1; * for every host",
        lines=True,
    )
