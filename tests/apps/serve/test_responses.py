"""One shape for every error, and headers that every response has."""

from __future__ import annotations

import gzip

from tests.apps.serve import PAPER, Client, problem


def test_an_unknown_page_is_an_error_with_the_closest_one(client: Client) -> None:
    answer = client.get("/api/related", params={"url": "https://www.wsj.com.zz/", "chop": "false"})
    assert "; the nearest is " in problem(answer, 404)
    assert answer.json()["error"]["nearest"] in answer.json()["error"]["sentence"]


def test_a_large_answer_is_compressed_for_clients_that_accept_it(client: Client) -> None:
    with client.stream("GET", "/api/related", params={"url": PAPER, "why": 1}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    plain = client.get(
        "/api/related", params={"url": PAPER, "why": 1}, headers={"accept-encoding": "identity"}
    )
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


def test_every_reply_forbids_features_that_the_page_does_not_need(client: Client) -> None:
    for path in ("/", "/api/health", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
