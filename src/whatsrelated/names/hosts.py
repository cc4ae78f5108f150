"""The host of a URL and its registrable domain."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
IP = rf"{IPV4.pattern}|\[[0-9A-Fa-f:.]+\]"

_AUTHORITY = re.compile(r"(?:https?|ftp|file)://(?:[^/?#@]*@)*([^/?#@]*)", re.I)


def host_of(name: str) -> str | None:
    """The host of a URL with its port, in lower case; None for a plain name."""
    url = _AUTHORITY.match(name)
    if url is None:
        return None
    return url[1].lower() or "localhost"


@lru_cache(maxsize=1 << 16)
def domain_of(host: str) -> str:
    """The registrable domain of a host; an address or a single label is its own."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    host = host.partition(":")[0]
    if "." not in host or IPV4.fullmatch(host):
        return host
    domain: str | None = _public_suffixes().privatesuffix(host)
    return domain or host


@cache
def _public_suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
