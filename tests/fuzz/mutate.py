"""Seeded mutations of bytes and of text."""

from __future__ import annotations

import random

NUMBERS = (
    *(b"0", b"-1", b"1", b"255", b"65536", b"2147483648", b"4294967295", b"4294967296"),
    *(b"9223372036854775807", b"18446744073709551616", b"1e308", b"nan", b"9" * 4400),
)
PIECES = (
    *(
        b"\x00",
        b"\xff\xff\xff\xff",
        b"\xff" * 10,
        b"\x80" * 9,
        b"\r\n",
        b"\t",
        b'"',
        b"\xef\xbb\xbf",
    ),
    *(b"\xc2\xb2", b"\xed\xa0\x80", b"[[[[", b"<!--", b"%00", b"\xe2\x80\xae", b"://", b"\x1b["),
)


def mutate(seed: bytes, key: str, others: list[bytes]) -> bytes:
    """The seed with some changes, the same for the same key."""
    draw = random.Random(key)
    data = bytearray(seed)
    for _ in range(draw.choice((1, 1, 2, 4, 8))):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(12)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[at:at] = draw.choice(PIECES)
        elif kind == 2:
            del data[at : at + draw.choice((1, 2, 8, 64))]
        elif kind == 3:
            data[at : at + draw.choice((1, 2, 4, 8))] = draw.choice(NUMBERS)
        elif kind == 4:
            end = at + draw.choice((1, 4, 16, 64))
            data[at:at] = data[at:end] * draw.choice((1, 2, 50))
        elif kind == 5:
            size = draw.choice((1, 2, 4, 8))
            data[at : at + size] = draw.randbytes(size)
        elif kind == 6:
            del data[at:]
        elif kind == 7 and others:
            other = draw.choice(others)
            start = draw.randrange(len(other) + 1)
            data[at : at + 64] = other[start : start + 64]
        else:
            digits = [place for place, byte in enumerate(data) if 48 <= byte < 58]
            if digits:
                place = draw.choice(digits)
                data[place : place + 1] = draw.choice(NUMBERS)
    return bytes(data[: 1 << 16])
