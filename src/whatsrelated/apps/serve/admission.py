"""Who may ask, and with how much: the name that a server is called by, and the body of a request.

A page of another site can have its own name point to this machine and so ask from a browser
that trusts it; so a server answers only to names that it knows.
"""

from __future__ import annotations

import asyncio
import re

from whatsrelated.apps.serve.cors import Receive, Scope
from whatsrelated.apps.serve.responses import HTTPError
from whatsrelated.apps.serve.settings import Settings

Headers = dict[bytes, bytes]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


def allowed_hosts(settings: Settings) -> frozenset[str] | None:
    """The host names that the server answers to; None for any."""
    own = [name.strip().lower() for name in (settings.hosts or "").split(",") if name.strip()]
    if "*" in own or (settings.host not in LOOPBACK and not own):
        return None
    return frozenset([*LOOPBACK, settings.host, *own])


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    return host in LOOPBACK or re.fullmatch(r"127(\.[0-9]{1,3}){3}", host) is not None


def refuse_two_hosts(scope: Scope) -> None:
    if sum(name == b"host" for name, _ in scope["headers"]) > 1:
        raise HTTPError(400, "A request has one Host header, this one has more.")


def refuse_unknown_host(headers: Headers, hosts: frozenset[str] | None) -> None:
    """Refuse a name that the server is not called by."""
    if hosts is not None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host.rpartition(":")[0]
        if name not in hosts and host not in hosts:
            unknown = name or host
            raise HTTPError(
                421, f"Unknown host {unknown!r:.80}; allow it with --hosts {unknown:.80}."
            )


async def read_body(
    settings: Settings, scope: Scope, headers: Headers, receive: Receive, media_type: str
) -> bytes:
    """The body of a POST, which must be of this type, and must arrive in time."""
    got = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if got != media_type.encode():
        raise HTTPError(415, f"{scope['path']:.200} takes {media_type}.")
    try:
        async with asyncio.timeout(settings.patience):
            return await _read_body(settings.body * 1024, headers, receive)
    except TimeoutError:
        sentence = "The body of the request did not arrive in time."
        raise HTTPError(408, sentence, connection="close") from None


async def _read_body(room: int, headers: Headers, receive: Receive) -> bytes:
    length = headers.get(b"content-length", b"0")
    body = bytearray()
    more = not length.isdigit() or int(length) <= room
    if not more:
        body.extend(bytes(room + 1))
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HTTPError(400, "The body of the request ended early.")
        body.extend(message.get("body", b""))
        more = message.get("more_body", False) and len(body) <= room
    if len(body) > room:
        raise HTTPError(413, f"A body may have {room // 1024:,} kB at most.", connection="close")
    return bytes(body)
