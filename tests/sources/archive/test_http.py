"""HTTP in archives: headers of every kind, bodies within bounds."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.growth import slow_text
from tests.sources.archive import chunked
from whatsrelated.sources.archive import http
from whatsrelated.sources.archive.http import (
    Response,
    TooLong,
    decoded_body,
    parse_headers,
    parse_response,
)


def test_a_response_is_a_status_headers_and_a_body():
    data = (
        b"HTTP/1.1 404 No\r\nContent-Type: Text/HTML; charset='koi8-r'\r\nX: a\r\n\tb\r\n\r\nbody"
    )
    response = parse_response(data)
    assert (response.status, response.media_type, response.charset) == (404, "text/html", "koi8-r")
    assert (response.headers["x"], response.body) == ("a b", b"body")
    assert parse_response(b"<html>") is None
    assert parse_response(b"HTTP/1.1 200 OK").body == b""


def test_the_first_header_of_a_name_counts_and_codings_add_up():
    head = b"-\nLocation: a\nLocation: b\nContent-Encoding: gzip\nContent-Encoding: br\nno colon\n"
    assert parse_headers(head) == {"location": "a", "content-encoding": "gzip,br"}
    assert parse_headers("-\nLocation: /é".encode("latin-1")) == {"location": "/é"}


PACKERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "chunked": chunked,
}


@given(st.binary(max_size=300), st.lists(st.sampled_from(sorted(PACKERS)), max_size=3))
def test_any_codings_of_any_body_are_undone(body, codings):
    sent = body
    for coding in codings:
        sent = PACKERS[coding](sent)
    response = Response(200, {"content-encoding": ", ".join(codings)}, sent)
    assert decoded_body(response) == body or not body


@given(st.binary(max_size=300), st.sampled_from(sorted(PACKERS)))
def test_no_body_is_an_error_whatever_its_headers_claim(body, coding):
    decoded_body(Response(200, {"content-encoding": coding}, body))


def test_a_body_of_many_members_is_unpacked_in_linear_time() -> None:
    member = gzip.compress(b"")

    def body(size: int) -> bytes:
        return member * (size // len(member)) + gzip.compress(b"tea")

    def unpack(packed: bytes) -> None:
        assert decoded_body(Response(200, {"content-encoding": "gzip"}, packed)) == b"tea"

    assert slow_text(body, unpack, 1 << 17) == ""


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_bombs_end_at_the_bound(monkeypatch, coding):
    monkeypatch.setattr(http, "MAX_BODY", 1 << 20)
    bomb = PACKERS[coding](bytes(9 << 20))
    assert len(bomb) < 100_000
    with pytest.raises(TooLong):
        decoded_body(Response(200, {"content-encoding": coding}, bomb))


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_a_truncated_body_is_used_as_far_as_it_goes(coding):
    body = b"".join(b"%d," % number for number in range(200_000))
    packed = PACKERS[coding](body)
    got = decoded_body(Response(200, {"content-encoding": coding}, packed[: len(packed) // 2]))
    assert len(got) > 1000
    assert body.startswith(got)
