"""What robots.txt allows, according to RFC 9309.

- status 2xx: its rules, from the first 500 KiB without a byte-order mark;
- 4xx: there are no rules, so everything is allowed;
- 5xx, or no answer: nothing is allowed until the host answers;
- at most five redirects are followed.
"""

from __future__ import annotations

from typing import Any

PRODUCT = "whatsrelated"
"""The crawler's name in robots.txt."""

MAX_BYTES = 500 << 10
MAX_DELAY = 60.0
"""Maximum delay in seconds, even if a host asks for more."""


class Robots:
    """The rules of one host."""

    def __init__(self, status: int, body: bytes = b"") -> None:
        from protego import Protego

        self.status = status
        self.body = body[:MAX_BYTES]
        text = self.body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        self._rules: Any = Protego.parse(text) if 200 <= status < 300 else None

    @property
    def answered(self) -> bool:
        """Whether the host answered."""
        return 200 <= self.status < 500

    def allows(self, url: str) -> bool:
        """Whether a URL may be fetched."""
        if self._rules is None:
            return 400 <= self.status < 500
        return bool(self._rules.can_fetch(url, PRODUCT))

    @property
    def requested_delay(self) -> float:
        """The delay in seconds that it asks for; 0 if it asks for none."""
        delay = self._rules.crawl_delay(PRODUCT) if self._rules else None
        return max(0.0, float(delay or 0.0))

    @property
    def delay(self) -> float:
        """The delay in seconds to keep, up to a minute."""
        return min(self.requested_delay, MAX_DELAY)

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps listed in robots.txt."""
        return list(self._rules.sitemaps) if self._rules else []
