"""Which machines a crawl may reach.

A page can link to anything: the router, a service on this machine, a cloud's metadata service. Each
name is therefore resolved only once, its addresses are checked, and the connection uses an address
that passed the check. Two kinds of addresses pass: public ones, and those of a start URL, at the
same port, whose host is an IP address, localhost or set by --resolve. Link-local addresses never
pass.
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
_RESERVED = [ipaddress.ip_network(text) for text in ("192.0.0.0/24", "fec0::/10", "3fff::/20")]
"""Networks that are never public, although older Python versions consider them global."""


class Unreachable(OSError):
    """The crawl may not connect to this address."""


def address_of(text: str) -> Address | None:
    """The host as an IP address, if it is one."""
    try:
        return ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public Internet; an embedded IPv4 address is
    checked too.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        inner = [address.sixtofour, *(address.teredo or ())]
        if address in _NAT64:
            inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if not all(one is None or is_public(one) for one in inner):
            return False
    if any(address in network for network in _RESERVED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def is_link_local(address: Address) -> bool:
    """Whether an address is link-local, such as a cloud's metadata service."""
    return (getattr(address, "ipv4_mapped", None) or address).is_link_local


def port_of(url: str) -> int:
    """The port of a URL."""
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def parse_resolve(text: str) -> dict[str, str]:
    """Parse lines such as `example.org=127.0.0.1` into addresses by host; `*` means every host."""
    addresses = {}
    for line in text.split():
        host, equals, address = line.partition("=")
        if not equals or not host or address_of(address) is None:
            raise OptionError(
                f"crawl: resolve must have the form example.org=127.0.0.1, got {line!r:.80}."
            )
        addresses[host.lower()] = address.strip("[]")
    return addresses


class Network(AbstractResolver):
    """Resolves names to addresses that the crawl may reach."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen
        self._allowed: set[tuple[Address, int]] = set()

    async def allow_start(self, url: str) -> bool:
        """Allow the addresses of a start URL; return whether all are on this machine."""
        host, port = urlsplit(url).hostname or "", port_of(url)
        try:
            texts = [item["host"] for item in await self._look_up(host, port, socket.AF_UNSPEC)]
        except OSError:
            return False
        addresses = [address for text in texts if (address := address_of(text)) is not None]
        chosen = {host, "*"} & {*self._chosen} or host == "localhost" or address_of(host)
        if chosen:  # chosen by the user, not by a name server
            self._allowed.update((address, port) for address in addresses)
        return bool(addresses) and all(address.is_loopback for address in addresses)

    def require_reachable(self, url: str) -> None:
        """Raise Unreachable if a URL's host is an IP address that may not be reached.

        Names are checked when they are resolved, but IP addresses are never resolved.
        """
        host = urlsplit(url).hostname or ""
        address = address_of(host)
        if address is not None and not self._may_reach(address, port_of(url)):
            raise Unreachable(f"{address} is not public")

    def _may_reach(self, address: Address, port: int) -> bool:
        allowed = (address, port) in self._allowed and not is_link_local(address)
        return allowed or is_public(address)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a name that may be reached; raises Unreachable if there are none."""
        reachable = []
        for item in await self._look_up(host, port, family):
            address = address_of(item["host"])
            if address is not None and self._may_reach(address, port):
                reachable.append(item)
        if not reachable:
            raise Unreachable(f"{host} has no public address; allow one with --resolve")
        return reachable

    async def _look_up(self, host: str, port: int, family: int) -> list[ResolveResult]:
        name = host.lower().rstrip(".")
        chosen = self._chosen.get(name, self._chosen.get("*", ""))
        infos: list[Any] = await asyncio.get_running_loop().getaddrinfo(
            chosen or host,
            port,
            type=socket.SOCK_STREAM,
            family=socket.AF_UNSPEC if chosen else family,
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
        """Do nothing; there is nothing to close."""
