"""A worker's record of a page, and the file that holds records until all pages have been read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

import msgspec


class PageRecord(msgspec.Struct, array_like=True, omit_defaults=True):
    """A page read by a worker, with the distinct names of its content links.

    `same_as` is the page that it claims to be a copy of.  `left_out` counts the links that are not
    in `links`, by reason; `refused` counts those that are not addresses. `navigation` lists the
    pages of the same site that only its navigation links to.  For a capture, `time` is its date and
    `digest` its payload's digest; one that `stands_in` counts only if the page has no other
    capture. `places` has each link's position in the tree, if the source keeps it: a pair of
    hashes, as in `HtmlPage`. `kind` describes a file that is not a page. `lines` has the line of
    the first link to each page in `links`, then in `navigation`; 0 if unknown.
    """

    path: str
    name: str
    links: list[str]
    title: str = ""
    same_as: str = ""
    anchors: list[str] = []
    text: str = ""
    left_out: dict[str, int] = {}
    refused: dict[str, int] = {}
    aliases: list[str] = []
    slug: str = ""
    url: str = ""
    time: int = 0
    digest: str = ""
    stands_in: bool = False
    navigation: list[str] = []
    places: list[list[tuple[int, int]]] = []
    kind: str = ""
    lines: list[int] = []


encode_record = msgspec.msgpack.Encoder().encode
decode_record = msgspec.msgpack.Decoder(PageRecord).decode


class PageSpool:
    """Pages on disk, written once and read as often as needed, in the same order."""

    def __init__(self, folder: str | None = None) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 -- closed by `close`

    def add(self, page: bytes) -> None:
        """Append an encoded page."""
        self._file.write(len(page).to_bytes(4, "little"))
        self._file.write(page)

    def __iter__(self) -> Iterator[PageRecord]:
        self._file.seek(0)
        while head := self._file.read(4):
            yield decode_record(self._file.read(int.from_bytes(head, "little")))

    def close(self) -> None:
        self._file.close()
