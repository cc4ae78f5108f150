"""The links that a crawl follows from a page, found in a separate process.

If a page makes the parser crash or hang, only that process and that page are lost
(machine/workers).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec

from whatsrelated.api.reading import (
    NOT_RECOMMENDED,
    Response,
    TooLong,
    UrlBase,
    as_utf8,
    decoded_body,
    read_html,
)
from whatsrelated.machine.workers import ItemFailed, Lost, WorkerPool
from whatsrelated.names.canonical import BadName


class FindLinks:
    """The worker's task: find the links to follow in a response."""

    def __call__(self, item: str) -> bytes:
        head, _, body = item.partition("\n")
        url, headers = msgspec.json.decode(head, type=tuple[str, dict[str, str]])
        response = Response(200, headers, body.encode("latin-1"))
        try:
            data = decoded_body(response)
        except TooLong:
            raise ItemFailed("too large after unpacking") from None
        markup = as_utf8(data)
        page = read_html(markup, charset=response.charset if markup is data else "")
        base = UrlBase(url)
        if page.base:
            with suppress(BadName):
                base = UrlBase(base.join(page.base.strip()))
        addresses: dict[str, None] = {}
        hrefs = [href for href, marks in page.links if not marks & NOT_RECOMMENDED]
        for href in [*hrefs, page.canonical, page.refresh]:
            try:
                if bare := href.partition("#")[0].strip():
                    addresses[base.join(bare)] = None
            except BadName:
                continue
        return msgspec.json.encode(list(addresses))


class LinkReader:
    """Finds links in a worker process, one page after another."""

    def __init__(self, seconds: float) -> None:
        self._pool = WorkerPool(FindLinks(), 1, seconds, "the reader")
        self._turn = asyncio.Lock()
        self._reading: asyncio.Future[bytes | Lost] | None = None

    async def links(self, url: str, headers: dict[str, str], body: bytes) -> list[str] | Lost:
        """The links of a page in page order, or the reason there are none."""
        relevant = {name: headers[name] for name in _HEADERS if name in headers}
        head = msgspec.json.encode((url, relevant)).decode()
        loop = asyncio.get_running_loop()
        async with self._turn:
            item = f"{head}\n{body.decode('latin-1')}"
            self._reading = loop.run_in_executor(None, self._read, item)
            await asyncio.wait([self._reading])  # unlike a plain await, this never cancels it
            answer = self._reading.result()
        return answer if isinstance(answer, Lost) else msgspec.json.decode(answer, type=list[str])

    def _read(self, item: str) -> bytes | Lost:
        [(_, answer)] = self._pool.run(iter([item]))
        return answer

    async def close(self) -> None:
        """End the worker and the thread that waits for it, even in the middle of a page."""
        while self._reading is not None and not self._reading.done():
            self._pool.interrupt()
            await asyncio.wait([self._reading], timeout=0.05)
        if self._reading is not None:
            self._reading.exception()  # retrieve it, or it would be logged
        self._pool.close()


_HEADERS = ("content-type", "content-encoding")
