"""The canonical form of names.

A raw name with `http://`, `https://`, `ftp://` or `file://` is a URL; its canonical form follows
the WHATWG standard, plus our own rules:

1. no fragment, no user or password, no default port, no dot after the host;
2. escapes of unreserved characters are decoded (`%7E` becomes `~`), other escapes have
   upper-case digits, and a `%` that escapes nothing is itself escaped;
3. no tracking parameters, and no `?` without a query;
4. the host is an IP address, or consists of letters, digits, `.`, `_` and `-`.

Other schemes are rejected. Anything else is a plain name and is left unchanged. The http and https
forms of a URL are two pages unless `merge_scheme` is set.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import Any

from whatsrelated.names.hosts import IP

MAX_BYTES = 8192
"""Names longer than this are rejected, as in most browsers and servers."""

TRACKING = (
    *("utm_*", "mtm_*", "pk_*", "piwik_*", "hsa_*", "_hsenc", "_hsmi", "oly_*", "vero_*"),
    *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", "fbclid", "igshid", "igsh"),
    *("msclkid", "twclid", "ttclid", "li_fat_id", "yclid", "ysclid", "_openstat", "mkt_tok"),
    *("mc_cid", "mc_eid", "s_cid", "wickedid", "epik", "rb_clickid", "srsltid"),
)
"""Parameters that record where a visitor came from and never identify a page; `*` ends a prefix."""


class BadName(ValueError):
    """A name that no page can have; `reason` is one of a few fixed phrases, so it can be
    counted.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SCHEMES = ("http", "https", "ftp", "file")
_NOT_A_PAGE = re.compile(
    r"(?:mailto|javascript|vbscript|tel|sms|blob|about|view-source):\S|data:[\w.+/;=-]*,", re.I
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_TRACKING_NAMES = frozenset(name for name in TRACKING if not name.endswith("*"))
_TRACKING_PREFIXES = tuple(name[:-1] for name in TRACKING if name.endswith("*"))
_TRACKING_PATTERN = "|".join(
    f"[{initial}{initial.upper()}](?i:{'|'.join(name[1:].rstrip('*') for name in names)})"
    for initial, names in groupby(sorted(TRACKING), key=lambda name: name[0])
)

_PARSED = re.compile(r"(\w+)://(?:[^/@]*@)?([^/:\[]*|\[[^/\]]*\])(:[0-9]+)?(/[^?#]*)(?:\?([^#]*))?")
"""A URL as the parser returns it: scheme, host, port, path, query."""

_PARAMETER = rf"(?!{_TRACKING_PATTERN})[A-Za-z0-9._~!$()*+,;=:@/?-]*+"
_CANONICAL = re.compile(
    r"https?://(?:(?!xn--)[a-z0-9_-]++\.)*+(?!xn--)[a-z][a-z0-9_-]*+"
    r"/[A-Za-z0-9._~!$&'()*+,;=:@/-]*+"
    rf"(?:\?(?=.){_PARAMETER}(?:&{_PARAMETER})*+)?+"
)
"""Matches most canonical URLs; those that contain `/.` must be checked further."""


def canonical(raw: str, *, merge_scheme: bool = False) -> str:
    """The canonical form of a name; raises BadName if it has none."""
    if _CANONICAL.fullmatch(raw) is None or "/." in raw or len(raw) > MAX_BYTES:
        return _canonical(raw, merge_scheme)
    return "https" + raw[4:] if merge_scheme and raw[4] == ":" else raw


def _canonical(raw: str, merge_scheme: bool) -> str:
    name = storable(raw.strip())
    if name.isdigit():
        return name
    scheme = SCHEME.match(name)
    if scheme is None:
        if _NOT_A_PAGE.match(name):
            raise BadName("not http")
        return name
    if scheme[1].lower() not in _SCHEMES:
        raise BadName("not http")
    return _canonical_url(name, merge_scheme)


def _canonical_url(raw: str, merge_scheme: bool) -> str:
    try:
        parsed = _PARSED.match(_ada().normalize_url(raw))
    except ValueError:
        parsed = None
    if parsed is None:
        raise BadName("not a URL")
    scheme, host, port, path, query = parsed.groups("")
    host = host.removesuffix(".")
    if not _HOST.fullmatch(host) and (host or scheme != "file"):
        raise BadName("odd host")
    if merge_scheme and scheme == "http":
        scheme, port = "https", "" if port == ":443" else port
    if "%" in path:
        path = _ESCAPE.sub(_normal_escape, path)
    if query:
        query = _without_tracking(_ESCAPE.sub(_normal_escape, query) if "%" in query else query)
    url = f"{scheme}://{host}{port}{path}{'?' if query else ''}{query}"
    if len(url) > MAX_BYTES:
        raise BadName("too long")
    return url


_HOST = re.compile(rf"[a-z0-9._-]*[a-z0-9_-]|{IP}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def _normal_escape(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return "%25"
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def _without_tracking(query: str) -> str:
    rest = []
    for parameter in query.split("&"):
        name = parameter.partition("=")[0].lower()
        if name not in _TRACKING_NAMES and not name.startswith(_TRACKING_PREFIXES):
            rest.append(parameter)
    return "&".join(rest)


@cache
def _ada() -> Any:
    import ada_url

    return ada_url


def storable(raw: str) -> str:
    """The name unchanged; raises BadName if it cannot be stored."""
    if not raw or raw.isspace():
        raise BadName("empty")
    if len(raw) > MAX_BYTES:
        raise BadName("too long")
    if _CONTROL.search(raw):
        raise BadName("control character")
    if not raw.isascii():
        try:
            length = len(raw.encode())
        except UnicodeEncodeError:
            raise BadName("not Unicode") from None
        if length > MAX_BYTES:
            raise BadName("too long")
    return raw


def as_host(raw: str, *, merge_scheme: bool = False) -> str:
    """The canonical URL of a bare host or host/path; URLs are accepted too."""
    name = raw.strip()
    if name.isdigit():
        raise BadName("odd host")
    if name and not SCHEME.match(name):
        name = "http://" + name.removeprefix("//")
    return canonical(name, merge_scheme=merge_scheme)
