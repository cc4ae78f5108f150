"""The server on a real socket of this machine, in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.waiting import PATIENCE, eventually
from whatsrelated.api import Graph, open
from whatsrelated.apps.serve.app import Server
from whatsrelated.apps.serve.live import Live
from whatsrelated.apps.serve.multi_graph import MultiGraphServer
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.tokens import Tokens
from whatsrelated.apps.serve.workers import Worker, address_of, listen

PAPER = "https://www.nytimes.com/"


def problem(answer: httpx.Response, status: int) -> str:
    """The sentence of an error, after checking its shape."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    error = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    assert error["status"] == status
    assert set(error) - {"nearest"} == {"status", "kind", "sentence"}
    assert "Traceback" not in answer.text
    sentence: str = error["sentence"]
    return sentence


class Client(httpx.Client):
    """A client of one server, which tests may inspect."""

    server: Server

    def related(self, *urls: str, **fields: Any) -> dict[str, Any]:
        answer = self.get("/api/related", params=[*(("url", u) for u in urls), *fields.items()])
        assert answer.status_code == 200, answer.text
        reply: dict[str, Any] = answer.json()
        return reply


@contextmanager
def serving(
    graph: Graph | Path, token: str | Tokens | None = None, name: str = "", **settings: Any
) -> Iterator[Client]:
    """A client of a server for this graph, in a thread."""
    chosen = Settings(port=0, **{"watch": 0.05, "deadline": PATIENCE, **settings})
    with running(Server(live_of(graph, chosen), chosen, token, name=name)) as client:
        yield client


def live_of(graph: Graph | Path, settings: Settings) -> Live:
    if isinstance(graph, Path):
        return Live(lambda: open(graph), graph, settings.cache << 20)
    return Live(lambda: graph, None, settings.cache << 20)


@contextmanager
def running(server: Server | MultiGraphServer) -> Iterator[Client]:
    """A client of this server, which runs in a thread."""
    for each in server.servers.values():
        each.open()
    sockets = listen(server.settings)
    worker = Worker(server)
    thread = threading.Thread(target=worker.run, args=(sockets,), daemon=True)
    thread.start()
    eventually(lambda: worker.started)
    client = Client(base_url=address_of(sockets[0]), timeout=PATIENCE, verify=False)  # no TLS
    if isinstance(server, Server):
        client.server = server
    try:
        yield client
    finally:
        client.close()
        worker.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
