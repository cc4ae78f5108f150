"""The links that a crawl follows."""

from __future__ import annotations

import asyncio
import gzip

import msgspec
import pytest

from tests.waiting import PATIENCE
from whatsrelated.apps.crawl.links import FindLinks, LinkReader
from whatsrelated.machine.workers import ItemFailed
from whatsrelated.sources.archive import http


def links(body, **headers):
    head = msgspec.json.encode(("http://a.org/d/x", headers)).decode()
    return msgspec.json.decode(FindLinks()(f"{head}\n{body.decode('latin-1')}"))


def test_links_are_followed_in_page_order_but_for_those_disowned():
    page = b'<nav><a href=n></a></nav><a href="/m#x"></a><a rel=nofollow href=no></a><a href="http://["></a>'
    assert links(page) == ["http://a.org/d/n", "http://a.org/m"]
    assert links(b"<base href=/e/><link rel=canonical href=c><a href=f></a>") == [
        "http://a.org/e/f",
        "http://a.org/e/c",
    ]


def test_bodies_are_decoded_within_bounds(monkeypatch):
    body = gzip.compress("<a href=é>".encode("latin-1"))
    headers = {"content-type": "text/html; charset=latin1", "content-encoding": "gzip"}
    assert links(body, **headers) == ["http://a.org/d/%C3%A9"]
    monkeypatch.setattr(http, "MAX_BODY", 1 << 16)
    with pytest.raises(ItemFailed, match="too large after unpacking"):
        links(gzip.compress(bytes(1 << 20)), **headers)


@pytest.mark.parametrize("seconds", [0, 0.01, 0.2])
def test_a_reader_closed_in_the_middle_of_a_page_leaves_no_process_and_no_thread(
    seconds,
):
    started = []

    async def interrupted():
        reader = LinkReader(PATIENCE)
        start = reader._pool._start
        reader._pool._start = lambda: started.append(start()) or started[-1]
        page = asyncio.create_task(reader.links("http://a.org/", {}, b"<a href=b>" * 100_000))
        await asyncio.sleep(seconds)
        page.cancel()
        await asyncio.wait([page])
        await reader.close()
        assert reader._reading is None or reader._reading.done()

    asyncio.run(interrupted())
    assert all(worker.process.poll() is not None for worker in started)
