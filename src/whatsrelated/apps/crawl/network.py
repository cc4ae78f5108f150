"""Which machines a crawl may reach.

A page can link to anything: the router, a service on this machine, the address where
clouds hand out credentials.  So a name is resolved once, its addresses are checked, and the
connection uses an address that passed, with no second look-up that could differ.
Only public addresses pass, and those of the start URLs at the same port.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from whatsrelated.errors import OptionError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Unreachable(OSError):
    """The crawl may not connect to this address."""


def address_of(text: str) -> Address | None:
    """The IP address that a host is, if it is one."""
    try:
        return ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public Internet, however it is wrapped."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        inner = [address.sixtofour, *(address.teredo or ())]
        if address in _NAT64:
            inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if not all(one is None or is_public(one) for one in inner):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def port_of(url: str) -> int:
    """The port of a URL."""
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def parse_resolve(text: str) -> dict[str, str]:
    """Parse lines such as `example.org=127.0.0.1` to addresses by host; `*` is every host."""
    found = {}
    for line in text.split():
        host, equals, address = line.partition("=")
        if not equals or not host or address_of(address) is None:
            raise OptionError(
                f"crawl: resolve must have the form example.org=127.0.0.1, got {line!r:.80}."
            )
        found[host.lower()] = address.strip("[]")
    return found


class Network(AbstractResolver):
    """Resolves names to addresses that the crawl may reach."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self._allowed: set[tuple[Address, int]] = set()

    async def allow_start(self, url: str) -> bool:
        """Allow the addresses of a start URL; return whether all are on this machine."""
        host, port = urlsplit(url).hostname or "", port_of(url)
        try:
            found = [item["host"] for item in await self._look_up(host, port, socket.AF_UNSPEC)]
        except OSError:
            return False
        addresses = [address for text in found if (address := address_of(text)) is not None]
        self._allowed.update((address, port) for address in addresses)
        return bool(addresses) and all(address.is_loopback for address in addresses)

    def require_reachable(self, url: str) -> None:
        """Raise Unreachable if a URL's host is an IP address that may not be reached.

        Names are checked when they are resolved; IP addresses never are.
        """
        host = urlsplit(url).hostname or ""
        address = address_of(host)
        if address is not None and host not in self._given and "*" not in self._given:
            self._require(address, port_of(url))

    def _require(self, address: Address, port: int) -> None:
        if not is_public(address) and (address, port) not in self._allowed:
            raise Unreachable(f"{address} is not public")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a name that may be reached; Unreachable if there are none."""
        found = []
        for item in await self._look_up(host, port, family):
            address = address_of(item["host"])
            if address is not None and (is_public(address) or (address, port) in self._allowed):
                found.append(item)
        if not found:
            raise Unreachable(f"{host} has no public address")
        return found

    async def _look_up(self, host: str, port: int, family: int) -> list[ResolveResult]:
        name = host.lower().rstrip(".")
        given = self._given.get(name, self._given.get("*", ""))
        infos: list[Any] = await asyncio.get_running_loop().getaddrinfo(
            given or host,
            port,
            type=socket.SOCK_STREAM,
            family=socket.AF_UNSPEC if given else family,
        )
        return [
            ResolveResult(
                hostname=host,
                host=where[0],
                port=where[1],
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST,
            )
            for kind, _, protocol, _, where in infos
        ]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""
