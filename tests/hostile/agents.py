"""Mutated calls of every tool of `related mcp`, over standard input and over HTTP.

After every call the server must still answer the next one; a reply has no control,
bidirectional or tag characters, and the log has no traceback.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

import httpx

import whatsrelated
from tests.apps.mentions.sites import vault
from tests.fuzz.mutate import mutate
from tests.hostile.crafting import ODD, OTHER
from tests.hostile.graphs import QUERY
from tests.hostile.processes import RELATED
from tests.waiting import PATIENCE
from whatsrelated.names.display import harmless

CALLS: dict[str, dict[str, Any]] = {
    "related": {"pages": [QUERY, OTHER], "limit": 3, "by": "cocitation", "new": True},
    "why": {"page": QUERY, "result": "https://www.h6.org/6", "by": "companion"},
    "links": {"page": QUERY, "way": "both", "limit": 3, "skip": 1},
    "path": {"start": QUERY, "end": OTHER, "way": "out", "limit": 2},
    "find_pages": {"words": "tea", "limit": 3, "skip": 0},
    "gaps": {"limit": 2, "pages": "*h3*"},
    "compare": {"page": QUERY, "by": ["cocitation", "walk"], "limit": 3},
}
NOTE_CALLS: dict[str, dict[str, Any]] = {
    "missing_links": {"limit": 2, "pages": "*.md"},
    "mentions": {"page": "kettle.md", "limit": 2},
}
"""Calls of tools that need a graph of a folder."""
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "attack", "version": "1"},
}


HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}


def message(number: int, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}


def mutations(number: int, calls: dict[str, dict[str, Any]] = CALLS) -> Iterator[tuple[str, bytes]]:
    """A mutation of every call: an odd argument, or odd bytes."""
    for tool, usual in calls.items():
        key = f"{tool} #{number}"
        draw, arguments = Random(key), dict(usual)
        if number % 2:
            arguments[draw.choice([*arguments, "more"])] = draw.choice([*ODD, "\ud800", "x" * 9999])
        sent = message(7, "tools/call", {"name": tool, "arguments": arguments})
        text = json.dumps(sent).encode()
        yield key, text if number % 2 else mutate(text, key, []).replace(b"\n", b" ")


class Agents:
    """Servers of a graph over both transports."""

    def __init__(self, graph: Path, place: Path, calls: dict[str, dict[str, Any]] = CALLS) -> None:
        self.calls = calls
        self._logs = place / "stdio.log", place / "http.log"
        self._stdio = self._start(graph, self._logs[0])
        self._http = self._start(graph, self._logs[1], "--http", "--port", "0")
        assert self._http.stdout is not None
        self._address = self._http.stdout.readline().decode().strip()
        self._client = httpx.Client(timeout=PATIENCE, verify=False)
        self._send(json.dumps(message(0, "initialize", HELLO)).encode())
        self._receive()

    @staticmethod
    def _start(graph: Path, log: Path, *words: str) -> subprocess.Popen[bytes]:
        with log.open("wb") as errors:
            return subprocess.Popen(
                [*RELATED, "mcp", str(graph), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )

    def __enter__(self) -> Agents:
        return self

    def __exit__(self, kind: type | None, error: object, trace: TracebackType | None) -> None:
        self._client.close()
        for process in (self._stdio, self._http):
            process.kill()
            process.communicate()

    def _send(self, line: bytes) -> None:
        assert self._stdio.stdin is not None
        self._stdio.stdin.write(line + b"\n")
        self._stdio.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._stdio.stdout is not None
        reply: dict[str, Any] = json.loads(self._stdio.stdout.readline())
        return reply

    def faults(self, number: int) -> Iterator[tuple[str, str]]:
        """Every call of this number, over both transports, and its fault or an empty text."""
        for turn, (key, call) in enumerate(mutations(number, self.calls)):
            yield f"{key}, stdio", self._over_stdio(call, 1_000_000 + 10 * number + turn)
            yield f"{key}, http", self._over_http(call)

    def replies(self, call: bytes) -> Iterator[dict[str, Any]]:
        """The replies to a proper call, over both transports."""
        self._send(call)
        yield self._receive()
        yield self._client.post(self._address, content=call, headers=HEADERS).json()

    def _over_stdio(self, call: bytes, ping: int) -> str:
        self._send(call)
        self._send(json.dumps(message(ping, "ping", {})).encode())
        try:
            while (reply := self._receive()).get("id") != ping:
                if fault := _fault(reply):
                    return fault
        except ValueError:
            return "the server has ended"
        return "a traceback" * ("Traceback" in self._logs[0].read_text(errors="replace"))

    def _over_http(self, call: bytes) -> str:
        try:
            answer = self._client.post(self._address, content=call, headers=HEADERS)
        except httpx.HTTPError as error:
            return repr(error)
        if answer.status_code >= 500:
            return f"status {answer.status_code}: {answer.text:.200}"
        if answer.status_code == 200 and (fault := _fault(answer.json())):
            return fault
        return "a traceback" * ("Traceback" in self._logs[1].read_text(errors="replace"))


def graph_of_notes(place: Path) -> Path:
    """A graph of a folder in which pages are mentioned."""
    (place / "notes").mkdir()
    whatsrelated.build(vault(place / "notes"), place / "notes.graph")
    return place / "notes.graph"


def _fault(reply: dict[str, Any]) -> str:
    """What is wrong with a reply."""
    for text in _texts(reply):
        for line in text.split("\n"):
            if harmless(line) != line:
                return f"a reply has {line!r:.200}"
    return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
