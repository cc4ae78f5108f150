"""The crawl loop: one request at a time per host, several hosts at once.

1. Pick a host that has queued pages and is due; fetch its robots.txt, then its next page. The host
   is due again after the delay. If it was too busy (429, 503), wait as long as it asks, and double
   the wait each further time.
2. In one transaction (`frontier`), write the response to the archive and queue its links that are
   in scope.
3. Stop when the queue is empty or a limit is reached; in the latter case, the crawl can be
   continued.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from whatsrelated.api.reading import HTML, UrlBase
from whatsrelated.apps.crawl.fetching import Fetched, Fetcher, NotFetched, retry_after
from whatsrelated.apps.crawl.frontier import Frontier, QueuedPage
from whatsrelated.apps.crawl.links import LinkReader
from whatsrelated.apps.crawl.plan import CrawlPlan
from whatsrelated.apps.crawl.robots import MAX_BYTES, Robots
from whatsrelated.apps.crawl.scope import Scope, is_endless, page_address, pattern_of
from whatsrelated.apps.crawl.sitemaps import MAX_BYTES as SITEMAP_BYTES
from whatsrelated.apps.crawl.sitemaps import read_sitemap
from whatsrelated.apps.crawl.warc_writer import WarcWriter, digest_of, now
from whatsrelated.machine.workers import Lost
from whatsrelated.names.canonical import BadName
from whatsrelated.names.hosts import host_of

MAX_HOPS = 10
"""Maximum number of redirects in a row."""

LONGEST_WAIT = 86_400.0
"""Maximum number of seconds before a host is tried again, even if it asks for more."""

ROBOTS_AGE = 86_400.0
"""Seconds before robots.txt is fetched again."""

CrawlProgress = Callable[[int, int, int], None]
"""Called with the number of pages done, queued and failed."""


@dataclass(slots=True)
class _Host:
    """The state of a host during a crawl."""

    robots: Robots | None = None
    refusals: int = 0
    """The number of consecutive times it was too busy or did not answer."""


@dataclass
class Crawler:
    """A running crawl."""

    plan: CrawlPlan
    scope: Scope
    frontier: Frontier
    writer: WarcWriter
    fetcher: Fetcher
    links: LinkReader
    progress: CrawlProgress | None = None
    n_pages: int = 0
    n_bytes: int = 0
    limit: str = ""
    """The limit that stopped the crawl; empty if no pages were left."""
    _hosts: dict[str, _Host] = field(default_factory=dict)
    _turns: list[tuple[float, str]] = field(default_factory=list)
    _active: set[str] = field(default_factory=set)
    _busy: int = 0
    _until: float = 0.0

    def capped_delays(self) -> dict[str, float]:
        """The hosts that ask for a longer delay than we keep, and their delay in seconds."""
        robots = ((host, known.robots) for host, known in self._hosts.items() if known.robots)
        return {
            host: rules.requested_delay
            for host, rules in robots
            if rules.requested_delay > rules.delay
        }

    async def run(self) -> None:
        """Crawl until no pages are left or a limit is reached; the first error is raised itself."""
        self.n_pages = int(self.frontier.fact("pages"))
        self.n_bytes = int(self.frontier.fact("bytes"))
        self._until = time.monotonic() + 60 * self.plan.minutes
        for host in self.frontier.waiting_hosts():
            self._give_turn(host, 0.0)
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self.plan.hosts):
                    tasks.create_task(self._work())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def _give_turn(self, host: str, seconds: float) -> None:
        self._active.add(host)
        heapq.heappush(self._turns, (time.monotonic() + seconds, host))

    def _at_limit(self) -> bool:
        plan = self.plan
        reached = {
            "--pages": self.n_pages >= plan.pages,
            "--bytes": self.n_bytes >= plan.bytes,
            "--minutes": time.monotonic() >= self._until,
        }
        self.limit = next((name for name, is_reached in reached.items() if is_reached), "")
        return bool(self.limit)

    async def _work(self) -> None:
        while (self._turns or self._busy) and not self._at_limit():
            wait = self._turns[0][0] - time.monotonic() if self._turns else 0.05
            if not self._turns or wait > 0:
                await asyncio.sleep(min(max(wait, 0.001), 0.05))
                continue
            _, host = heapq.heappop(self._turns)
            self._busy += 1
            try:
                seconds = await self._ask(host)
            finally:
                self._busy -= 1
                self._active.discard(host)
            if self.frontier.next_page(host) is not None and host not in self._active:
                self._give_turn(host, seconds)

    async def _ask(self, host: str) -> float:
        """Fetch a host's next page; return the seconds until the next request may be sent."""
        known = self._hosts.setdefault(host, _Host())
        page = self.frontier.next_page(host)
        if page is None:
            return 0.0
        if known.robots is None:
            return await self._read_robots(known, page)
        if not known.robots.allows(page.url):
            reason = "disallowed by robots.txt" if known.robots.answered else "no robots.txt"
            with self.frontier:
                self.frontier.finish(page, "refused", reason=reason)
            return 0.0
        gap = max(self.plan.delay, known.robots.delay)
        max_bytes = SITEMAP_BYTES if page.kind == "sitemap" else self.plan.page_bytes
        try:
            fetched = await self.fetcher.fetch(page.url, max_bytes, _conditions(page))
        except NotFetched as error:
            return self._put_off(known, page, str(error), gap, again=error.again)
        self.n_bytes += len(fetched.body)
        if fetched.status in (429, 503) or fetched.status >= 500:
            wait = max(gap, retry_after(fetched.headers))
            return self._put_off(known, page, f"status {fetched.status}", wait)
        known.refusals = 0
        await self._keep(page, fetched)
        if self.progress is not None:
            counts = self.frontier.counts()
            self.progress(self.n_pages, counts.get("queued", 0), counts.get("failed", 0))
        return gap

    def _put_off(
        self, host: _Host, page: QueuedPage, reason: str, wait: float, *, again: bool = True
    ) -> float:
        """Retry a page later or give up on it; return the seconds to wait."""
        with self.frontier:
            if again and page.tries + 1 < self.plan.tries:
                self.frontier.try_again(page)
            else:
                self.frontier.finish(page, "failed", reason=reason)
            self.frontier.remember(bytes=self.n_bytes)
        if not again:
            return 0.0
        host.refusals += 1
        return min(max(wait, 0.01) * 2.0 ** min(host.refusals - 1, 10), LONGEST_WAIT)

    async def _read_robots(self, host: _Host, page: QueuedPage) -> float:
        stored = self.frontier.robots(page.host)
        if stored is not None and time.time() - stored[2] < ROBOTS_AGE:
            host.robots = Robots(stored[0], stored[1])
            return 0.0
        status, body = await self._fetch_robots(page.url)
        robots = Robots(status, body)
        if not robots.answered and host.refusals + 1 < self.plan.tries:
            host.refusals += 1
            return min(max(self.plan.delay, 0.01) * 2.0**host.refusals, LONGEST_WAIT)
        host.refusals, host.robots = 0, robots
        with self.frontier:
            if robots.answered:
                self.frontier.keep_robots(page.host, status, robots.body, time.time())
            for url in robots.sitemaps if self.plan.sitemaps else ():
                self._queue(url, page.depth, kind="sitemap")
        return max(self.plan.delay, robots.delay)

    async def _fetch_robots(self, url: str) -> tuple[int, bytes]:
        address = UrlBase(url).join("/robots.txt")
        for _ in range(6):
            try:
                fetched = await self.fetcher.fetch(address, MAX_BYTES)
            except NotFetched:
                return 599, b""
            location = fetched.headers.get("location", "")
            if not (300 <= fetched.status < 400 and location):
                return fetched.status if fetched.status >= 200 else 599, fetched.body
            try:
                address = UrlBase(address).join(location).partition("#")[0]
            except BadName:
                break
        return 404, b""

    async def _keep(self, page: QueuedPage, fetched: Fetched) -> None:
        """Store a response, and queue the links in it."""
        status, headers = fetched.status, fetched.headers
        digest = digest_of(fetched.body)
        links: list[str] | Lost = []
        original = None
        if status == 200 and fetched.body:
            original = self.frontier.same_contents(digest, page.url)
        media_type = headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if 200 <= status < 300 and page.kind == "page" and original is None and media_type in HTML:
            links = await self.links.links(page.url, headers, fetched.body)
        date = now()
        if status == 304 and page.date:
            self.writer.write_revisit(
                page.url, fetched.head, "server-not-modified", page.url, page.date, page.digest
            )
        elif original is not None and page.kind == "page":
            self.writer.write_revisit(
                page.url, fetched.head, "identical-payload-digest", *original, digest
            )
        else:
            self.writer.write_response(page.url, fetched.head, fetched.body, fetched.cut)
        self.n_pages += page.kind == "page"
        with self.frontier:
            if status != 304 and 200 <= status < 300:
                self.frontier.note_contents(
                    page,
                    etag=headers.get("etag", ""),
                    modified=headers.get("last-modified", ""),
                    digest=digest,
                    date=date,
                )
            self._finish(page, fetched, links)
            self.frontier.remember(size=self.writer.size, pages=self.n_pages, bytes=self.n_bytes)

    def _finish(self, page: QueuedPage, fetched: Fetched, links: list[str] | Lost) -> None:
        status = fetched.status
        if isinstance(links, Lost):
            self.frontier.finish(page, "failed", status=status, reason=links.reason)
        elif status >= 400:
            self.frontier.finish(page, "failed", status=status, reason=f"status {status}")
        else:
            self.frontier.finish(page, "done", status=status)
            for url in links:
                self._queue(url, page.depth + 1)
        if 300 <= status < 400 and status != 304 and page.hops < MAX_HOPS:
            location = fetched.headers.get("location", "")
            try:
                target = UrlBase(page.url).join(location) if location else ""
            except BadName:
                target = ""
            self._queue(target, page.depth, hops=page.hops + 1, kind=page.kind)
        if page.kind == "sitemap" and 200 <= status < 300:
            is_index, addresses = read_sitemap(fetched.body)
            for url in addresses if not is_index or page.hops < 2 else ():
                kind = "sitemap" if is_index else "page"
                hops = page.hops + 1 if is_index else 0
                self._queue(url, max(page.depth, 1), hops=hops, kind=kind)

    def _queue(self, url: str, depth: int, *, hops: int = 0, kind: str = "page") -> None:
        """Queue a URL if it is in scope, unless it is already known or looks like a trap."""
        if depth > self.plan.depth or not url:
            return
        try:
            address = page_address(url)
        except BadName:
            return
        if not self.scope.has(address) or self.frontier.is_known(address) or is_endless(address):
            return
        if not self.frontier.counted(pattern_of(address), self.plan.per_pattern):
            return
        host = host_of(address) or ""
        self.frontier.add(address, host, depth, hops, kind)
        if host not in self._active and host not in {other for _, other in self._turns}:
            self._give_turn(host, 0.0)


def _conditions(page: QueuedPage) -> dict[str, str]:
    """Headers that request a page only if it has changed."""
    headers = {"If-None-Match": page.etag, "If-Modified-Since": page.modified}
    return {name: value for name, value in headers.items() if value and page.date}
