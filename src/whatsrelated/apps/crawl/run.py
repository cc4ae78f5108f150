"""A crawl from its URLs to an archive on disk, begun, continued or made again."""

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
    import protego  # noqa: F401 -- robots.txt is read with it later

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
    """How a crawl ended."""

    pages: int
    bytes: int
    limit: str
    """The limit at which it ended; empty where nothing was left."""
    queued: int
    reasons: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """Why pages were not fetched: how many, and an example."""


def crawl(
    urls: Iterable[str],
    archive: Path,
    plan: CrawlPlan,
    *,
    go_on: bool = False,
    progress: CrawlProgress | None = None,
) -> CrawlOutcome:
    """Fetch the pages within a plan from these URLs on, into a WARC file.

    The state is beside it.  A crawl that ended at a limit or was killed is continued with
    `go_on`; one that is complete is made again, and only what changed is fetched.
    """
    starts = [_start(url) for url in urls]
    state = state_of(archive)
    if go_on and not state.exists():
        raise OptionError(f"crawl: there is nothing to continue: no {state}.")
    if not starts and not go_on:
        raise OptionError("crawl: no URL was given to begin with.")
    frontier = Frontier(state)
    try:
        _prepare(frontier, starts, archive, go_on)
        begun = starts or frontier.starts()
        return asyncio.run(_run(begun, archive, plan, frontier, progress))
    finally:
        frontier.close()


def state_of(archive: Path) -> Path:
    """Where the state of a crawl is kept: beside its archive."""
    name = archive.name.removesuffix(".gz").removesuffix(".warc")
    return archive.with_name(f"{name}.crawl")


def _start(url: str) -> str:
    try:
        return page_address(url if "://" in url else f"https://{url}")
    except BadName as error:
        raise OptionError(f"crawl: {url!r:.80} is no URL to begin with ({error.reason}).") from None


def _prepare(frontier: Frontier, starts: list[str], archive: Path, go_on: bool) -> None:
    """Queue what is to be fetched."""
    counts = frontier.counts()
    if counts and not go_on:
        if counts.get("queued"):
            raise OptionError(
                f"crawl: an unfinished crawl is in {frontier.path}, with {counts['queued']:,} "
                f"pages queued; go on with --continue, or remove it."
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
    own = [await network.allow_start(url) for url in starts]
    if not all(own) and not plan.contact:
        foreign = starts[own.index(False)]
        raise OptionError(
            f"crawl: say who you are to {host_of(foreign)}: --contact you@example.org or a page "
            f"about your crawl."
        )
    software = f"{PRODUCT}/{__version__}"
    agent = f"{software} (+{plan.contact})" if plan.contact else software
    writer = WarcWriter(archive, int(frontier.fact("size")), software)
    fetcher, links = Fetcher(plan, network, agent), LinkReader(max(plan.timeout, STARTING))
    crawler = Crawler(plan, Scope(starts, plan.within), frontier, writer, fetcher, links, progress)
    try:
        await crawler.run()
    finally:
        links.close()
        writer.sync()
        writer.close()
        await fetcher.close()
    queued = frontier.counts().get("queued", 0)
    limit = crawler.limit if queued else ""
    return CrawlOutcome(crawler.n_pages, crawler.n_bytes, limit, queued, frontier.reasons())
