"""The host of a URL and its registrable domain."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
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
    """The registrable domain of a host; an IP address or a single label is its own domain."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    host = host.partition(":")[0]
    if "." not in host or IPV4.fullmatch(host):
        return host
    domain: str | None = _public_suffixes().privatesuffix(host)
    return domain or host


EXACT, WILDCARD, EXCEPTION = 1, 2, 4
"""The flags of a suffix in the public suffix list, as bits: public, its subdomains are public, or
not public.
"""


@cache
def suffix_rules() -> dict[bytes, int]:
    """The public suffix list: the flags of every suffix, with its labels reversed (`uk,co`)."""
    from publicsuffixlist import PSLFILE, encode_idn

    rules: dict[bytes, int] = {}
    for line in Path(PSLFILE).read_text("utf-8").splitlines():
        rule = line.split(" ")[0].strip().lower()
        if not rule or rule.startswith("//"):
            continue
        bit = EXCEPTION if rule[0] == "!" else WILDCARD if rule[:2] == "*." else EXACT
        suffix = rule.lstrip("!").removeprefix("*.")
        if not suffix.isascii():
            suffix = encode_idn(suffix)
        reversed_suffix = ",".join(suffix.split(".")[::-1]).encode()
        rules[reversed_suffix] = rules.get(reversed_suffix, 0) | bit
    return rules


def public_suffix_version() -> str:
    """The date of the public suffix list in use or, failing that, the version of its package."""
    from importlib import metadata

    from publicsuffixlist import PSLFILE

    with Path(PSLFILE).open(encoding="utf-8") as file:
        version = re.search(r"VERSION: ([0-9-]+)", file.read(2000))
    return version[1] if version else metadata.version("publicsuffixlist")


@cache
def _public_suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
