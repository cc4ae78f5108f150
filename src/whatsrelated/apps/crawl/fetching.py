"""Send one request, with limits on bytes and seconds, to a machine that the crawl may reach."""

from __future__ import annotations

import asyncio
import email.utils
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import aiohttp
from yarl import URL

from whatsrelated.apps.crawl.network import Network, Unreachable

if TYPE_CHECKING:
    from whatsrelated.apps.crawl.plan import CrawlPlan

_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response: its status line and headers as the archive stores them, and its body without
    transfer coding.
    """

    status: int
    head: bytes
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    """The headers by lower-case name."""
    cut: bool = False
    """Whether the body was longer than the limit."""


class NotFetched(Exception):
    """A request got no response; the message is the reason to count."""

    def __init__(self, reason: str, again: bool = True) -> None:
        super().__init__(reason)
        self.again = again
        """Whether to retry later."""


class Fetcher:
    """Makes requests."""

    def __init__(self, plan: CrawlPlan, network: Network, user_agent: str) -> None:
        self.plan = plan
        self.network = network
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=network, limit=0, use_dns_cache=False, keepalive_timeout=30
            ),
            headers={
                "User-Agent": user_agent,
                "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
                "Accept-Encoding": "gzip, deflate",
            },
            timeout=aiohttp.ClientTimeout(total=plan.timeout),
            auto_decompress=False,
            trust_env=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def close(self) -> None:
        await self._session.close()

    async def fetch(
        self, url: str, max_bytes: int, conditions: dict[str, str] | None = None
    ) -> Fetched:
        """The response to a request, without following redirects; raises NotFetched if there is
        none.
        """
        try:
            self.network.require_reachable(url)
            async with self._session.get(
                URL(url, encoded=True), allow_redirects=False, headers=conditions
            ) as response:
                body = bytearray()
                async for piece in response.content.iter_chunked(_PIECE):
                    body += piece
                    if len(body) > max_bytes:
                        break
                return _fetched(response, bytes(body[:max_bytes]), len(body) > max_bytes)
        except TimeoutError:
            raise NotFetched("took too long") from None
        except (aiohttp.ClientConnectorError, Unreachable, aiohttp.InvalidURL) as error:
            cause: BaseException | None = error
            while cause is not None and not isinstance(cause, Unreachable):
                cause = cause.__cause__ or getattr(cause, "os_error", None)
                if cause is error:
                    break
            if isinstance(cause, Unreachable):
                raise NotFetched("not a public address", again=False) from None
            raise NotFetched("no connection") from None
        except (aiohttp.ClientError, OSError, ValueError, asyncio.IncompleteReadError):
            raise NotFetched("broken response") from None


def _fetched(response: aiohttp.ClientResponse, body: bytes, cut: bool) -> Fetched:
    version = response.version or aiohttp.HttpVersion11
    lines = [f"HTTP/{version.major}.{version.minor} {response.status} {response.reason or ''}"]
    encoded = [lines[0].encode("utf-8", "replace")]
    headers: dict[str, str] = {}
    for name, value in response.raw_headers:
        lower = name.decode("latin-1").lower()
        text = value.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()
        headers.setdefault(lower, text)
        if lower not in ("transfer-encoding", "content-length"):
            encoded.append(name + b": " + value)
    encoded.append(b"Content-Length: %d" % len(body))
    return Fetched(response.status, b"\r\n".join([*encoded, b"", b""]), body, headers, cut)


def retry_after(headers: dict[str, str]) -> float:
    """The number of seconds that a server asks clients to wait; 0 if it asks for none."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit() and len(text) < 9:
        return float(text)
    parsed = email.utils.parsedate_tz(text)
    if parsed is None:
        return 0.0
    try:
        return max(0.0, email.utils.mktime_tz(parsed) - time.time())
    except (ValueError, OverflowError):
        return 0.0
