"""A Web on loopback: hosts by name on one real HTTP server, and crawls of it."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import contextmanager

from aiohttp import web

from tests.waiting import PATIENCE
from whatsrelated.apps.crawl.plan import CrawlPlan
from whatsrelated.apps.crawl.run import crawl


def linked(*targets):
    return "".join(f'<p><a href="{target}">x</a></p>' for target in targets)


class SmallWeb:
    """Answers by host and path, and counts requests.

    A page is its HTML, or a function from the request to a response.  What has no page is
    404, and so is robots.txt.
    """

    def __init__(self, pages):
        self.pages = pages
        self.asked: Counter[str] = Counter()
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.times: list[tuple[str, float]] = []
        self.port = 0

    def url(self, host, path="/"):
        return f"http://{host}:{self.port}{path}"

    async def answer(self, request):
        host = request.host.partition(":")[0]
        name = host + request.path_qs
        self.asked[name] += 1
        self.requests.append((name, dict(request.headers)))
        self.times.append((host, asyncio.get_running_loop().time()))
        page = self.pages.get(name)
        if callable(page):
            made = page(request)
            return await made if asyncio.iscoroutine(made) else made
        if page is None:
            return web.Response(status=404, text="none")
        return web.Response(text=page, content_type="text/html")

    @contextmanager
    def served(self):
        loop = asyncio.new_event_loop()
        ready = threading.Event()
        stop = asyncio.Event()

        async def serve():
            runner = web.ServerRunner(web.Server(self.answer), shutdown_timeout=0.1)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", self.port)
            await site.start()
            self.port = site._server.sockets[0].getsockname()[1]
            ready.set()
            await stop.wait()
            await runner.cleanup()

        thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
        thread.start()
        ready.wait(PATIENCE)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(PATIENCE)
            loop.close()

    def crawl(self, tmp_path, *hosts, go_on=False, **options):
        """Crawl hosts from their first pages on."""
        plan = CrawlPlan(**{"delay": 0, "resolve": "*=127.0.0.1", "tries": 2, **options})
        urls = [host if "://" in host else self.url(host) for host in hosts]
        return crawl(urls, tmp_path / "web.warc.gz", plan, go_on=go_on)

    def fetched(self):
        """The requests other than robots.txt, by host and path."""
        return {name: n for name, n in self.asked.items() if not name.endswith("/robots.txt")}
