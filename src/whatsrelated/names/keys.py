"""Sort keys, which order names by site.

Pages are sorted by `sort_key`: the host with its labels reversed, then path and query, then port
and scheme (`com,example,www)/path`, as in web archives). This keeps the URLs of a host, of a
domain or below a path together. Names that are numbers come first, in numeric order; other names
sort by their UTF-8 bytes.
"""

from __future__ import annotations

import re

from whatsrelated.names.canonical import BadName, canonical
from whatsrelated.names.hosts import IPV4, host_of

_KEYED = re.compile(
    r"(https?|ftp|file)://([A-Za-z0-9._-]++|\[[0-9A-Fa-f:.]++\])(?::([0-9]++))?+((?:[/?#].*+)?+)",
    re.S,
)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_SCHEME_BYTE = {"http": "\x01", "https": "\x02", "ftp": "\x03", "file": "\x04"}
_SCHEME_OF_BYTE = {ord(byte): scheme for scheme, byte in _SCHEME_BYTE.items()}
_PORT_BYTE = "\x05"
_NUMBER_BYTE = "\x06"


def sort_key(name: str) -> bytes:
    """The bytes that a name is sorted by; `name_of` is the inverse."""
    url = _KEYED.fullmatch(name)
    if url is not None:
        scheme, host, port, rest = url.groups()
        start = host if _is_address(host) else ",".join(host.split(".")[::-1])
        end = _PORT_BYTE + port if port else ""
        return f"{start}){rest}{end}{_SCHEME_BYTE[scheme]}".encode()
    if _NUMBER.fullmatch(name):
        return f"{_NUMBER_BYTE}{chr(0x30 + len(name))}{name}".encode()
    return name.encode()


def _is_address(host: str) -> bool:
    return host[0] == "[" or (host[-1] in "0123456789" and IPV4.fullmatch(host) is not None)


def name_of(key: bytes) -> str:
    """The name with this sort key."""
    text = key.decode()
    if text[:1] == _NUMBER_BYTE:
        return text[2:]
    scheme = _SCHEME_OF_BYTE.get(key[-1]) if key else None
    if scheme is None:
        return text
    start, _, rest = text[:-1].partition(")")
    rest, _, port = rest.partition(_PORT_BYTE)
    host = start if "." in start or "[" in start else ".".join(start.split(",")[::-1])
    return f"{scheme}://{host}{':' if port else ''}{port}{rest}"


def key_start(text: str) -> bytes:
    """The prefix shared by the sort keys of all names that start with `prefix`.

    A URL must include its host.
    """
    try:
        name = canonical(text)
        if host_of(name) is None:
            return name.encode()
        host, _, path = sort_key(name)[:-1].partition(b")")
    except (BadName, UnicodeEncodeError):
        return text.encode("utf-8", "replace")
    return host + b")" + path if path not in (b"", b"/") else host
