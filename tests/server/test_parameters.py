"""A wrong parameter gets a sentence; every bound holds."""

from __future__ import annotations

import pytest

from tests.server import PAPER, Client, problem


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "related: url is missing; add url=, a page"),
        ("url=", "must be the URL or the name"),
        (f"url={PAPER}&by=magic", "No method 'magic'; there are: "),
        (f"url={PAPER}&limit=0", "limit must be at least 1 and at most 1000"),
        (f"url={PAPER}&limit=1001", "at most 1000"),
        (f"url={PAPER}&limit=ten", "got 'ten'"),
        (f"url={PAPER}&limit=2&limit=3", "'limit' is given twice"),
        (f"url={PAPER}&by=cocitation&parents=1e12", "parents must be at least 1 and at most 20000"),
        (
            f"url={PAPER}&by=cocitation&magic=1",
            "cocitation has no option 'magic'; it has: parents, ",
        ),
        (f"url={PAPER}&by=cocitation&site=planet", "site must be one of auto"),
        (f"url={PAPER}&stop=/etc/passwd", "stop must be auto:N"),
        (f"url={PAPER}&seed=-1", "seed must be at least 0"),
        (f"url={PAPER}&why=perhaps", "why must be true or false"),
        ("url=%ff%fe", "not UTF-8"),
        ("&".join(["url=x"] * 10_000), "more than 200 fields"),
        ("&".join(["url=x"] * 21), "at most 20 url, got 21"),
        ("url=" + "x" * 9000, "url may have 8,192 characters, got 9,000"),
        (f"url={PAPER}&site=" + "x" * 2000, "may have 1,000 characters"),
    ],
)
def test_a_wrong_question_gets_a_sentence(client: Client, query: str, says: str) -> None:
    assert says in problem(client.get(f"/api/related?{query}"), 400)
