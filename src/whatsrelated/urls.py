"""The names of pages: one spelling for each, and an order that keeps a site together.

A raw name with `http://`, `https://`, `ftp://` or `file://` is a URL; its
canonical form is the WHATWG one, and then our policy:

1. no fragment, no user and password, no default port, no dot after the host;
2. escapes of unreserved characters are decoded (`%7E` is `~`), the others have
   upper-case digits, and a `%` that escapes nothing is itself escaped;
3. no tracking parameters, and no `?` without a query;
4. the host is an IP address or made of letters, digits, `.`, `_` and `-`.

Other schemes are refused; everything else is a plain name, taken as it is.
http and https are two pages unless `merge_scheme` makes them one.

Pages are sorted by `sort_key`: the host with its labels reversed, then path and
query, then port and scheme (`com,example,www)/path`, the web archives' way), so
that among URLs a host, a domain and a path prefix are each one run.  Numbers
come first, as numbers; other names sort by their UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby, product
from typing import Any

MAX_BYTES = 8192
"""A longer name is refused; browsers and servers give up at about as much."""

TRACKING = (
    *("utm_*", "mtm_*", "pk_*", "piwik_*", "hsa_*", "_hsenc", "_hsmi", "oly_*", "vero_*"),
    *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", "fbclid", "igshid", "igsh"),
    *("msclkid", "twclid", "ttclid", "li_fat_id", "yclid", "ysclid", "_openstat", "mkt_tok"),
    *("mc_cid", "mc_eid", "s_cid", "wickedid", "epik", "rb_clickid", "srsltid"),
)
"""Parameters that say who came from where, never which page; `*` ends a prefix."""


class BadName(ValueError):
    """A name that no page can have; `reason` is one of a few phrases to count by."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SCHEMES = ("http", "https", "ftp", "file")
_NOT_A_PAGE = re.compile(
    r"(?:mailto|javascript|vbscript|tel|sms|blob|about|view-source):\S|data:[\w.+/;=-]*,", re.I
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_TRACKING_NAMES = frozenset(name for name in TRACKING if not name.endswith("*"))
_TRACKING_PREFIXES = tuple(name[:-1] for name in TRACKING if name.endswith("*"))
_TRACKED = "|".join(
    f"[{initial}{initial.upper()}](?i:{'|'.join(name[1:].rstrip('*') for name in names)})"
    for initial, names in groupby(sorted(TRACKING), key=lambda name: name[0])
)
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_IP = rf"{_IPV4.pattern}|\[[0-9A-Fa-f:.]+\]"

_PARSED = re.compile(r"(\w+)://(?:[^/@]*@)?([^/:\[]*|\[[^/\]]*\])(:[0-9]+)?(/[^?#]*)(?:\?([^#]*))?")
"""An address as the parser gives it: scheme, host, port, path, query."""

_PARAMETER = rf"(?!{_TRACKED})[A-Za-z0-9._~!$()*+,;=:@/?-]*+"
_CANONICAL = re.compile(
    r"https?://(?:(?!xn--)[a-z0-9_-]++\.)*+(?!xn--)[a-z][a-z0-9_-]*+"
    r"/[A-Za-z0-9._~!$&'()*+,;=:@/-]*+"
    rf"(?:\?(?=.){_PARAMETER}(?:&{_PARAMETER})*+)?+"
)
"""Proves most canonical URLs canonical at once, where there is no `/.` in them either."""


def canonical(raw: str, *, merge_scheme: bool = False) -> str:
    """The one spelling of a name, or BadName."""
    if _CANONICAL.fullmatch(raw) is None or "/." in raw or len(raw) > MAX_BYTES:
        return _canonical(raw, merge_scheme)
    return "https" + raw[4:] if merge_scheme and raw[4] == ":" else raw


def _canonical(raw: str, merge_scheme: bool) -> str:
    name = kept(raw.strip())
    if name.isdigit():
        return name
    scheme = _SCHEME.match(name)
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
        path = _ESCAPE.sub(_plain_escape, path)
    if query:
        query = _untracked(_ESCAPE.sub(_plain_escape, query) if "%" in query else query)
    url = f"{scheme}://{host}{port}{path}{'?' if query else ''}{query}"
    if len(url) > MAX_BYTES:
        raise BadName("too long")
    return url


_HOST = re.compile(rf"[a-z0-9._-]*[a-z0-9_-]|{_IP}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def _plain_escape(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return "%25"
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def _untracked(query: str) -> str:
    own = []
    for parameter in query.split("&"):
        name = parameter.partition("=")[0].lower()
        if name not in _TRACKING_NAMES and not name.startswith(_TRACKING_PREFIXES):
            own.append(parameter)
    return "&".join(own)


@cache
def _ada() -> Any:
    import ada_url

    return ada_url


def kept(raw: str) -> str:
    """The name as it comes, or BadName where it could not be stored."""
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
    """The canonical URL of a bare host or host/path; a URL is a URL here too."""
    name = raw.strip()
    if name.isdigit():
        raise BadName("odd host")
    if name and not _SCHEME.match(name):
        name = "http://" + name.removeprefix("//")
    return canonical(name, merge_scheme=merge_scheme)


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
    """The bytes by which a name is ordered; `name_of` gives the name back."""
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
    return host[0] == "[" or (host[-1] in "0123456789" and _IPV4.fullmatch(host) is not None)


def name_of(key: bytes) -> str:
    """The name that has this sort key."""
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
    if "." not in host or _IPV4.fullmatch(host):
        return host
    domain: str | None = _public_suffixes().privatesuffix(host)
    return domain or host


@cache
def _public_suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


_HOST_LIKE = re.compile(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*\.?(?::[0-9]+)?(?:[/?#].*)?", re.S)
_ADDRESS_LIKE = re.compile(rf"(?:{_IP}|localhost)(?::[0-9]+)?(?:[/?#].*)?", re.S)


def look_ups(text: str) -> Iterator[str]:
    """The names that a person may have meant, likeliest first, each once."""
    seen: set[str] = set()
    for raw in _meant(text):
        try:
            name = canonical(raw)
        except BadName:
            continue
        if name not in seen:
            seen.add(name)
            yield name


def _meant(text: str) -> Iterator[str]:
    yield text
    given = text.strip()
    if not _SCHEME.match(given):
        if given.lower().endswith(".md"):  # a note, which is named by its path without it
            yield given[:-3]
        if not _HOST_LIKE.fullmatch(given) and not _ADDRESS_LIKE.fullmatch(given):
            return
        given = "https://" + given
    try:
        url = canonical(given)
    except BadName:
        return
    changes = sorted(product((False, True), repeat=3), key=lambda change: (sum(change), change))
    for slash, www, scheme in changes:
        other: str | None = url
        if scheme:
            other = _scheme_twin(url)
        if www and other:
            other = _www_twin(other)
        if slash and other:
            other = slash_twin(other)
        if other:
            yield other


def _scheme_twin(url: str) -> str | None:
    if url.startswith("http://"):
        return "https://" + url[7:]
    return "http://" + url[8:] if url.startswith("https://") else None


def _www_twin(url: str) -> str | None:
    scheme, _, rest = url.partition("://")
    if scheme == "file" or _ADDRESS_LIKE.match(rest):
        return None
    return f"{scheme}://{rest[4:] if rest.startswith('www.') else 'www.' + rest}"


_PARTS = re.compile(r"((?:https?|ftp|file)://[^/?#]*)([^?#]*)(.*)", re.S | re.I)


def chopped(url: str) -> Iterator[str]:
    """The URL without its query, then without its last path element … up to the root.

    DH99, sec. 2.2.  A plain name has nothing to chop.
    """
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return
    root, path, rest = parts.groups()
    if rest and path:
        yield root + path
    while path != "/":
        path = path[: path.rfind("/", 0, -1) + 1] or "/"
        yield root + path


def slash_twin(url: str) -> str | None:
    """The URL with its trailing slash added or removed; None for a root or a plain name."""
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return None
    root, path, rest = parts.groups()
    if path == "/":
        return None
    return root + (path[:-1] if path.endswith("/") else path + "/") + rest
