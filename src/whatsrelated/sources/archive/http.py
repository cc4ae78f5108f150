"""An HTTP response in an archive: status, headers, and decoded body.

Headers may be wrong: some recorders decode a chunked or compressed body but leave the header
unchanged. We therefore try each coding, and leave the body unchanged if decoding fails. A truncated
body is used as far as it goes. Decoding stops at `MAX_BODY` bytes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from whatsrelated.machine.packages import load

MAX_BODY = 64 << 20
"""Maximum size of a decoded body in bytes; longer ones are not read."""

_PIECE = 1 << 12
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})\b")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CHARSET = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([^\s;\"',]++)", re.I)


class TooLong(Exception):
    """A body is longer than MAX_BODY."""


@dataclass(frozen=True, slots=True)
class Response:
    """A response; `body` is not decoded."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The charset of the body, from the header."""
        match = _CHARSET.search(self.headers.get("content-type", ""))
        return match[1] if match else ""


def parse_response(data: bytes) -> Response | None:
    """Parse a response; return None if it does not begin with a status line."""
    status = _STATUS.match(data)
    if status is None:
        return None
    end = _HEAD_END.search(data)
    head = data[: end.start()] if end else data
    return Response(int(status[1]), parse_headers(head), data[end.end() :] if end else b"")


def parse_headers(head: bytes) -> dict[str, str]:
    """Headers by lower-case name, without the first line. If a header is repeated, the first one
    counts.

    Headers that list codings are joined instead.
    """
    try:
        text = head.decode()
    except UnicodeDecodeError:  # early servers sent Latin-1
        text = head.decode("latin-1")
    headers: dict[str, str] = {}
    name = ""
    for line in text.split("\n")[1:]:
        if line[:1] in " \t" and name:
            headers[name] = f"{headers[name]} {line.strip()}".rstrip()
            continue
        key, colon, value = line.partition(":")
        name = key.strip().lower() if colon else ""
        if not name:
            continue
        if name not in headers:
            headers[name] = value.strip()
        elif name.endswith("-encoding"):
            headers[name] += "," + value.strip()
        else:
            name = ""
    return headers


def decoded_body(response: Response) -> bytes:
    """Decode the transfer and content codings of the body; raise TooLong if it is too long."""
    body = response.body
    headers = response.headers
    for name in ("transfer-encoding", "content-encoding"):
        for coding in reversed(headers.get(name, "").lower().split(",")):
            decode = _DECODERS.get(coding.strip())
            if decode is not None:
                body = decode(body)
    if len(body) > MAX_BODY:
        raise TooLong
    return body


def _unchunk(body: bytes) -> bytes:
    """Join the chunks; a body that is not chunked is returned unchanged."""
    pieces: list[bytes] = []
    place = 0
    while (chunk := _CHUNK.match(body, place)) is not None:
        size = int(chunk[1], 16)
        if not size:
            return b"".join(pieces)
        end = chunk.end() + size
        pieces.append(body[chunk.end() : end])
        place = end + (2 if body[end : end + 2] == b"\r\n" else 1)
    return b"".join(pieces) if pieces and place >= len(body) else body


def _gunzip(body: bytes) -> bytes:
    return _inflate(body, 31) if body[:2] == b"\x1f\x8b" else body


def _deflate(body: bytes) -> bytes:
    """Decompress deflate, with or without zlib's header: the standard requires it, but many servers
    omit it.
    """
    return _inflate(body, 15 if _has_zlib_head(body) else -15) or body


def _has_zlib_head(body: bytes) -> bool:
    return len(body) > 1 and body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0


def _inflate(body: bytes, window: int) -> bytes:
    """Decompress as far as possible; for gzip, all members.

    The body is fed in small pieces, since zlib copies the bytes after the end of a member.
    """
    unpacked = bytearray()
    member = zlib.decompressobj(window)
    place = 0
    while place < len(body):
        piece = body[place : place + _PIECE]
        place += len(piece)
        try:
            unpacked += member.decompress(piece, MAX_BODY + 1 - len(unpacked))
        except zlib.error:
            break
        if len(unpacked) > MAX_BODY:
            raise TooLong
        if member.eof:
            if window != 31:
                break
            place -= len(member.unused_data)
            member = zlib.decompressobj(window)
    return bytes(unpacked)


def _unpack_brotli(body: bytes) -> bytes:
    brotli = load("brotli", "A page compressed with brotli", "warc")
    stream = brotli.Decompressor()
    unpacked = bytearray()
    piece = body
    try:
        while not stream.is_finished():
            more = stream.process(piece, output_buffer_limit=1 << 20)
            unpacked += more
            if len(unpacked) > MAX_BODY:
                raise TooLong
            if not more and not piece:
                break
            piece = b""
    except brotli.error:
        pass
    return bytes(unpacked) or body


def _unpack_zstd(body: bytes) -> bytes:
    if body[:4] != b"\x28\xb5\x2f\xfd":
        return body
    zstandard = load("zstandard", "A page compressed with Zstandard", "warc")
    unpacked = bytearray()
    reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(body)
    try:
        while piece := reader.read(1 << 20):
            unpacked += piece
            if len(unpacked) > MAX_BODY:
                raise TooLong
    except zstandard.ZstdError:
        pass
    return bytes(unpacked) or body


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "chunked": _unchunk,
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _unpack_brotli,
    "zstd": _unpack_zstd,
}
