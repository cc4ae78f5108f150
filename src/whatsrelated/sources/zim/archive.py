"""A ZIM file: entries by path, and clusters of compressed contents.

The header has the offsets of all parts; each offset is checked before use. An entry is a redirect
to another entry, or a piece of a cluster; entries are sorted by namespace and path. A cluster is
plain or compressed with Zstandard, LZMA, zlib or bzip2. It begins with the offsets of its pieces,
eight bytes each if it is extended and four otherwise. A split file (`.zimaa`, `.zimab` …) is read
as one.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from whatsrelated.errors import MissingExtra, ReadError
from whatsrelated.machine.packages import load

MAGIC = b"ZIM\x04"
REDIRECT, LINK_TARGET, DELETED = 0xFFFF, 0xFFFE, 0xFFFD
MAX_CLUSTER = 1 << 28
"""Maximum size of an unpacked cluster, in bytes."""
LONGEST_PATH = 1 << 14
MAX_REDIRECTS = 16
CHECKSUM = 16

_HEADER = struct.Struct("<4sHH16sIIQQQQIIQ")
_EXTENDED = 0x10


class ZimEntry(NamedTuple):
    """An entry: its type, its names, and its position or redirect target."""

    mime: str
    namespace: str
    path: str
    title: str
    cluster: int = 0
    blob: int = 0
    target: int = -1

    @property
    def is_redirect(self) -> bool:
        return self.target >= 0

    @property
    def is_page(self) -> bool:
        """Whether it is an HTML page, in namespace C or, in older files, A."""
        return self.namespace in "AC" and self.mime.startswith(
            ("text/html", "application/xhtml+xml")
        )


class Archive:
    """A ZIM file opened for reading; raises ReadError if it is damaged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pieces = [_map(part) for part in parts_of(path)]
        self._starts = np.cumsum([0, *map(len, self._pieces)]).tolist()
        self.size: int = self._starts[-1]
        self._read_header()

    def damaged(self, what: str) -> ReadError:
        return ReadError(f"{self.path} is damaged or not a ZIM file: {what}.")

    def bytes_at(self, first: int, size: int) -> bytes:
        """Up to `size` bytes of the file."""
        data = b""
        piece = bisect_right(self._starts, first) - 1
        while size > 0 and 0 <= piece < len(self._pieces):
            at = first - self._starts[piece]
            part = self._pieces[piece][at : at + size]
            data += part
            first += len(part)
            size -= len(part)
            piece += 1
        return data

    def _read_header(self) -> None:
        head = self.bytes_at(0, _HEADER.size)
        if len(head) < _HEADER.size or not head.startswith(MAGIC):
            raise self.damaged("its header is incomplete")
        fields = _HEADER.unpack(head)
        self.count: int = fields[4]
        clusters: int = fields[5]
        paths, _, cluster_places, mimes = fields[6:10]
        checksum: int = fields[12]
        end = self.size - CHECKSUM
        if not 0 < checksum <= end:
            raise self.damaged(f"its checksum cannot be at byte {checksum:,} of {self.size:,}")
        for what, place, size in (
            ("list of types", mimes, 1),
            ("list of paths", paths, 8 * self.count),
            ("list of clusters", cluster_places, 8 * clusters),
        ):
            if not 72 <= place <= end - size:
                raise self.damaged(f"its {what} cannot be at byte {place:,} of {self.size:,}")
        self.end = checksum
        self._entry_places = self._places(paths, self.count)
        self._cluster_places = self._places(cluster_places, clusters)
        self._cluster_ends = np.append(np.sort(self._cluster_places), checksum)
        first = min([paths, cluster_places, *self._cluster_places[:1].tolist()])
        self._mimes = self._read_mimes(mimes, first)

    def _places(self, first: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        places = np.frombuffer(self.bytes_at(first, 8 * count), "<u8")
        if len(places) and int(places.max()) >= self.end:
            raise self.damaged(f"a position in its lists is beyond its end, {int(places.max()):,}")
        return places

    def _read_mimes(self, place: int, end: int) -> list[str]:
        listed = self.bytes_at(place, min(end - place, 1 << 16) if end > place else 1 << 16)
        mimes, whole, _ = listed.partition(b"\0\0")
        names = mimes.split(b"\0")
        if not whole or not all(b"/" in name and name.isascii() for name in names):
            raise self.damaged("its list of types is missing")
        return [name.decode() for name in names]

    def entry(self, number: int) -> ZimEntry:
        """The entry with that number."""
        place = int(self._entry_places[number])
        head = self.bytes_at(place, 1024)
        if len(head) < 16:
            raise self.damaged(f"entry {number:,} is cut short")
        mime, _, namespace, _ = struct.unpack_from("<HBcI", head)
        first = 16 if mime < DELETED else 12 if mime == REDIRECT else 8
        parts = head[first:].split(b"\0", 2)
        if len(parts) < 3:
            parts = self.bytes_at(place + first, LONGEST_PATH).split(b"\0", 2)
        if len(parts) < 3:
            raise self.damaged(f"the path of entry {number:,} is not terminated")
        path, title = (part.decode(errors="replace") for part in parts[:2])
        kind = ("", namespace.decode("latin-1"), path, title or path)
        if mime == REDIRECT:
            target = struct.unpack_from("<I", head, 8)[0]
            if target >= self.count:
                raise self.damaged(f"entry {number:,} redirects to entry {target:,}")
            return ZimEntry(*kind, target=target)
        if mime in (LINK_TARGET, DELETED):
            return ZimEntry(*kind)
        if mime >= len(self._mimes):
            raise self.damaged(f"entry {number:,} has type {mime:,} of {len(self._mimes):,}")
        cluster, blob = struct.unpack_from("<II", head, 8)
        if cluster >= len(self._cluster_places):
            raise self.damaged(f"entry {number:,} is in cluster {cluster:,}")
        return ZimEntry(self._mimes[mime], *kind[1:], cluster=cluster, blob=blob)

    def find(self, namespace: str, path: str) -> int | None:
        """The entry with that path, or None."""
        target = namespace.encode("latin-1"), path.encode("utf-8", "replace")
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            entry = self.entry(middle)
            key = entry.namespace.encode("latin-1"), entry.path.encode("utf-8", "replace")
            if key == target:
                return middle
            low, high = (middle + 1, high) if key < target else (low, middle)
        return None

    def final(self, number: int) -> ZimEntry | None:
        """The entry with that number, after following redirects; None if they never end."""
        for _ in range(MAX_REDIRECTS):
            entry = self.entry(number)
            if not entry.is_redirect:
                return entry
            number = entry.target
        return None

    def blobs(self, cluster: int) -> list[bytes]:
        """The pieces of a cluster."""
        start = int(self._cluster_places[cluster])
        end = int(self._cluster_ends[np.searchsorted(self._cluster_ends, start, side="right")])
        kind = self.bytes_at(start, 1)[0]
        data = self._unpack(cluster, kind & 15, self.bytes_at(start + 1, end - start - 1))
        width = 8 if kind & _EXTENDED else 4
        first = int.from_bytes(data[:width], "little")
        if first % width or not width <= first <= len(data):
            raise self.damaged(f"cluster {cluster:,} has no list of its pieces")
        places = np.frombuffer(data[:first], f"<u{width}").tolist()
        if sorted(places) != places or places[-1] > len(data):
            raise self.damaged(f"a piece of cluster {cluster:,} lies outside it")
        return [data[low:high] for low, high in pairwise(places)]

    def _unpack(self, cluster: int, kind: int, packed: bytes) -> bytes:
        if kind in (0, 1):
            return packed
        try:
            data = _unpack(kind, packed)
        except MissingExtra:
            raise
        except Exception as error:  # every library raises different errors
            raise self.damaged(f"cluster {cluster:,} cannot be unpacked") from error
        if len(data) > MAX_CLUSTER:
            raise self.damaged(f"cluster {cluster:,} unpacks to more than {MAX_CLUSTER >> 20} MiB")
        return data


def _unpack(kind: int, packed: bytes) -> bytes:
    """Unpack a cluster, up to one byte beyond MAX_CLUSTER."""
    max_size = MAX_CLUSTER + 1
    if kind == 5:
        zstandard = load("zstandard", "This ZIM file", "zst")
        unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        with unpacker.stream_reader(packed) as stream:
            return bytes(stream.read(max_size))
    if kind == 4:
        import lzma

        return lzma.LZMADecompressor().decompress(packed, max_size)
    if kind == 3:
        import bz2

        return bz2.BZ2Decompressor().decompress(packed, max_size)
    if kind == 2:
        import zlib

        return zlib.decompressobj().decompress(packed, max_size)
    raise ValueError(kind)


def parts_of(path: Path) -> list[Path]:
    """The files of a split ZIM file, in order; the file itself if it is not split."""
    if path.suffix != ".zimaa":
        return [path]
    return list(_split_parts(path))


def _split_parts(path: Path) -> Iterator[Path]:
    for number in range(26 * 26):
        part = path.with_suffix(f".zim{chr(97 + number // 26)}{chr(97 + number % 26)}")
        if not part.exists():
            return
        yield part


def _map(path: Path) -> mmap.mmap | bytes:
    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise ReadError(f"{path} cannot be opened: {error.strerror}.") from error
