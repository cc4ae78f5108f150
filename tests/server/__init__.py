"""The server on a real socket of this machine, in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from whatsrelated.api import Graph, open
from whatsrelated.server.app import Server
from whatsrelated.server.live import Live
from whatsrelated.server.settings import Settings
from whatsrelated.server.workers import Worker, address_of, listen


class Client(httpx.Client):
    """A client of one server, which tests may look into."""

    server: Server

    def related(self, *urls: str, **fields: Any) -> dict[str, Any]:
        answer = self.get("/api/related", params=[*(("url", u) for u in urls), *fields.items()])
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


@contextmanager
def serving(graph: Graph | Path, token: str | None = None, **settings: Any) -> Iterator[Client]:
    """A client of a server for this graph, in a thread."""
    told = Settings(port=0, **{"watch": 0.05, **settings})
    if isinstance(graph, Path):
        live = Live(lambda: open(graph), graph, told.cache << 20)
    else:
        live = Live(lambda: graph, None, told.cache << 20)
    live.open()
    server = Server(live, told, token)
    sockets = listen(told)
    worker = Worker(server)
    thread = threading.Thread(target=worker.run, args=(sockets,), daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not worker.started and time.monotonic() < deadline:
        time.sleep(0.01)
    client = Client(base_url=address_of(sockets[0]), timeout=20)
    client.server = server
    try:
        yield client
    finally:
        client.close()
        worker.should_exit = True
        thread.join(20)
        assert not thread.is_alive()
