"""Settings of the server, declared once for the command and the docs."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import ClassVar

from whatsrelated.api.stores import OpenWith
from whatsrelated.errors import OptionError
from whatsrelated.options import Configured, option

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


def port_option(default: int) -> int:
    """The port of a server; each kind of server has its own default."""
    declared: int = option(
        default, "port to listen on; 0 for any free port", low=0, high=65535, common=True
    )
    return declared


@dataclass(frozen=True)
class Address(Configured):
    """Where a server listens, and its host names."""

    host: str = option(
        "127.0.0.1",
        "address to listen on; only loopback addresses are private to this machine",
        common=True,
    )
    port: int = port_option(8765)
    hosts: str | None = option(
        None, "comma-separated host names that the server answers to; * for any"
    )


@dataclass(frozen=True)
class Settings(Address):
    """Settings of the server."""

    name: ClassVar[str] = "serve"

    workers: int = option(1, "number of worker processes", low=1, high=256, common=True)
    threads: int = option(2, "number of queries that a worker runs at a time", low=1, high=256)
    queue: int = option(
        64, "maximum number of waiting queries per worker; more are rejected", low=0
    )
    deadline: float = option(10.0, "time limit of a query, in seconds", low=0, open_low=True)
    memory: int = option(
        512, "memory limit of a query, in megabytes; anything beyond it is left out", low=16
    )
    cache: int = option(32, "cache size per worker, in megabytes; 0 for no cache", low=0)
    body: int = option(1024, "maximum size of a request body, in kilobytes", low=1)
    connections: int = option(1000, "maximum number of connections per worker", low=1)
    patience: float = option(
        10.0, "time limit for a client to send its request, in seconds", low=0, open_low=True
    )
    busy_parents: int = option(
        0,
        "when half the queue is full, sample at most this many of the pages that link to a page; "
        "0 for no limit",
        low=0,
    )
    stop: str | None = option(
        None, "default stop list for queries: a file of URLs, web, or auto:N", only_read=True
    )
    pairs: str | None = option(
        None, "a file of pairs for all queries, as for related to --pairs", only_read=True
    )
    answers: str | None = option(
        None,
        "an SQLite output of related all, whose answers are served instead of being computed",
        only_read=True,
    )
    cors: str | None = option(
        None, "comma-separated origins of other sites whose pages may query the server; * for any"
    )
    open: bool = option(
        False, "allow other machines to query the server without a token", common=True
    )
    rate: float = option(
        0.0,
        "maximum requests per second per client, with bursts of up to twice that; 0 for no limit",
        low=0,
    )
    access_log: str = option(
        "off", "log a line for each request", choices=("off", "combined", "json"), kind=str
    )
    log_queries: bool = option(False, "include queries in the access log")
    writable: bool = option(
        False, "accept changed pages (POST and DELETE /api/pages); requires a token", common=True
    )
    accept_into: str | None = option(
        None,
        "let the page of gaps add links to this patch; requires a token, for this machine only",
    )
    root_path: str = option(
        "", "the path at which a proxy exposes the server, such as /related", only_read=True
    )
    open_with: str | None = option(
        None,
        "address that opens a page of a folder, such as vscode://file{path} or "
        "https://docs.example.org/{name}",
        common=True,
    )
    watch: float = option(
        1.0, "seconds between checks for a new generation of the graph", low=0, open_low=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.root()
        exposed = self.root_path or self.hosts or self.cors or not is_loopback(self.host)
        if self.accept_into is not None and (exposed or self.workers > 1):
            raise OptionError(
                "serve: --accept-into works only on a loopback address, with one worker and "
                "without --hosts, --cors and --root-path."
            )
        if self.open_with is not None:
            OpenWith(self.open_with)

    def of_queries(self) -> dict[str, str]:
        """The options of every query that the server's owner has set."""
        options = {"stop": self.stop, "pairs": self.pairs}
        return {name: value for name, value in options.items() if value}

    def allowed_hosts(self) -> frozenset[str] | None:
        """The host names that the server answers to; None for any."""
        named = listed(self.hosts.lower() if self.hosts else None)
        if "*" in named or not (named or is_loopback(self.host)):
            return None
        return frozenset([*LOOPBACK, self.host, *named])

    def root(self) -> str:
        """The path under which the server is reached: empty, or /a/path."""
        path = self.root_path.strip("/")
        if not re.fullmatch(r"[\w.~/-]*", path, re.ASCII):
            raise OptionError(f"serve: root_path must be a path, got {self.root_path!r:.80}.")
        return f"/{path}" if path else ""


def listed(text: str | None) -> list[str]:
    """The comma-separated parts of a string."""
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host in LOOPBACK
