"""Start, continue or repeat a crawl that fetches URLs into an archive on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from whatsrelated import __version__
from whatsrelated.apps.crawl.plan import CrawlPlan
from whatsrelated.apps.crawl.robots import PRODUCT
from whatsrelated.errors import MissingExtra, OptionError
from whatsrelated.machine.workers import STARTING
from whatsrelated.names.canonical import BadName
from whatsrelated.names.hosts import host_of

try:
    import protego  # noqa: F401 -- needed later to read robots.txt

    from whatsrelated.apps.crawl.crawler import Crawler, CrawlProgress
    from whatsrelated.apps.crawl.fetching import Fetcher
    from whatsrelated.apps.crawl.network import Network, parse_resolve
except ImportError as error:
    raise MissingExtra("crawl needs extra packages: pip install 'whatsrelated[crawl]'.") from error

from whatsrelated.apps.crawl.frontier import Frontier
from whatsrelated.apps.crawl.links import LinkReader
from whatsrelated.apps.crawl.scope import Scope, page_address
from whatsrelated.apps.crawl.warc_writer import WarcWriter


@dataclass(frozen=True)
class CrawlOutcome:
    """The result of a crawl."""

    pages: int
    bytes: int
    limit: str
    """The limit that stopped it; empty if no pages were left."""
    queued: int
    reasons: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """The reasons why pages were not fetched, with counts and an example each."""
    capped: dict[str, float] = field(default_factory=dict)
    """The hosts that ask for a longer delay than we keep, and their delay in seconds."""


def crawl(
    urls: Iterable[str],
    archive: Path,
    plan: CrawlPlan,
    *,
    go_on: bool = False,
    progress: CrawlProgress | None = None,
) -> CrawlOutcome:
    """Fetch pages into a WARC file, starting from these URLs, as the plan allows.

    The state is stored next to it. `go_on` continues a crawl that reached a limit or was killed. A
    complete crawl is run again, fetching only changed pages.
    """
    starts = [_start(url) for url in urls]
    state = state_of(archive)
    if go_on and not state.exists():
        raise OptionError(f"crawl: nothing to continue: {state} does not exist.")
    if not starts and not go_on:
        raise OptionError("crawl: no URL given; name at least one to start from.")
    frontier = Frontier(state)
    try:
        _prepare(frontier, starts, archive, go_on)
        begun = starts or frontier.starts()
        return asyncio.run(_run(begun, archive, plan, frontier, progress))
    finally:
        frontier.close()


def state_of(archive: Path) -> Path:
    """The file with the state of a crawl, next to its archive."""
    name = archive.name.removesuffix(".gz").removesuffix(".warc")
    return archive.with_name(f"{name}.crawl")


def _start(url: str) -> str:
    try:
        return page_address(url if "://" in url else f"https://{url}")
    except BadName as error:
        raise OptionError(f"crawl: {url!r:.80} is not a valid URL ({error.reason}).") from None


def _prepare(frontier: Frontier, starts: list[str], archive: Path, go_on: bool) -> None:
    """Queue the pages to fetch."""
    counts = frontier.counts()
    if counts and not go_on:
        if counts.get("queued"):
            raise OptionError(
                f"crawl: {frontier.path} holds an unfinished crawl with {counts['queued']:,} "
                f"pages queued; use --continue, or remove it."
            )
        with frontier:
            frontier.visit_again()
            frontier.remember(pages=0, bytes=0)
    with frontier:
        if not counts:
            frontier.remember(size=0, pages=0, bytes=0)
        for url in starts:
            frontier.add(url, host_of(url) or "", 0)


async def _run(
    starts: list[str],
    archive: Path,
    plan: CrawlPlan,
    frontier: Frontier,
    progress: CrawlProgress | None,
) -> CrawlOutcome:
    network = Network(parse_resolve(plan.resolve or ""))
    are_local = [await network.allow_start(url) for url in starts]
    if not all(are_local) and not plan.contact:
        foreign = starts[are_local.index(False)]
        raise OptionError(
            f"crawl: identify yourself to {host_of(foreign)}: use --contact with your e-mail "
            "address or a page about your crawl."
        )
    software = f"{PRODUCT}/{__version__}"
    agent = f"{software} (+{plan.contact})" if plan.contact else software
    writer = WarcWriter(archive, int(frontier.fact("size")), software)
    fetcher, links = Fetcher(plan, network, agent), LinkReader(max(plan.timeout, STARTING))
    crawler = Crawler(plan, Scope(starts, plan.within), frontier, writer, fetcher, links, progress)
    try:
        await crawler.run()
    finally:
        await links.close()
        writer.sync()
        writer.close()
        await fetcher.close()
    queued = frontier.counts().get("queued", 0)
    limit = crawler.limit if queued else ""
    capped = crawler.capped_delays()
    return CrawlOutcome(crawler.n_pages, crawler.n_bytes, limit, queued, frontier.reasons(), capped)
