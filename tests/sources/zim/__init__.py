"""ZIM files made for the tests, in every form that the format has."""

from __future__ import annotations

import hashlib
import lzma
import struct
from dataclasses import dataclass
from pathlib import Path

import zstandard

KINDS = {"plain": 1, "lzma": 4, "zstd": 5}


@dataclass(frozen=True)
class Item:
    """An entry: a page of this text, or a redirect to another path."""

    path: str
    text: str = ""
    to: str = ""
    mime: str = "text/html"
    title: str = ""


def zim(*items: Item, kind: str = "zstd", namespace: str = "C", extended: bool = False) -> bytes:
    """The bytes of a ZIM file; every two contents share a cluster."""
    entries = sorted(items, key=lambda item: item.path.encode())
    mimes = sorted({item.mime for item in entries if not item.to})
    contents = [item for item in items if not item.to]
    clusters = [contents[at : at + 2] for at in range(0, len(contents), 2)]
    place = {item.path: divmod(number, 2) for number, item in enumerate(contents)}
    numbers = {item.path: number for number, item in enumerate(entries)}
    dirents = []
    for item in entries:
        names = item.path.encode() + b"\0" + item.title.encode() + b"\0"
        if item.to:
            head = struct.pack("<HBcII", 0xFFFF, 0, namespace.encode(), 0, numbers[item.to])
        else:
            cluster, blob = place[item.path]
            mime = mimes.index(item.mime)
            head = struct.pack("<HBcIII", mime, 0, namespace.encode(), 0, cluster, blob)
        dirents.append(head + names)
    packed = [_cluster([item.text.encode() for item in some], kind, extended) for some in clusters]
    mime_list = b"".join(mime.encode() + b"\0" for mime in mimes) + b"\0"
    body = mime_list
    places = []
    for part in [*dirents, *packed]:
        places.append(80 + len(body))
        body += part
    paths = 80 + len(body)
    body += struct.pack(f"<{len(places)}Q", *places)
    head = struct.pack(
        "<4sHH16sIIQQQQIIQ",
        *(b"ZIM\x04", 6, 1, bytes(16), len(entries), len(packed)),
        *(paths, paths, paths + 8 * len(entries), 80, 0, 0xFFFFFFFF, 80 + len(body)),
    )
    return head + body + hashlib.md5(head + body).digest()


def _cluster(blobs: list[bytes], kind: str, extended: bool) -> bytes:
    width = 8 if extended else 4
    ends = [width * (len(blobs) + 1)]
    for blob in blobs:
        ends.append(ends[-1] + len(blob))
    data = b"".join(end.to_bytes(width, "little") for end in ends) + b"".join(blobs)
    pack = {"plain": bytes, "lzma": lzma.compress, "zstd": zstandard.compress}[kind]
    return bytes([KINDS[kind] | (16 if extended else 0)]) + pack(data)


def write_zim(path: Path, *items: Item, **form: object) -> Path:
    path.write_bytes(zim(*items, **form))  # type: ignore[arg-type]
    return path
