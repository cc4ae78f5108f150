"""What workers hand back for a page, and where it waits until all have been read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

import msgspec


class PageRead(msgspec.Struct, array_like=True, omit_defaults=True):
    """A page as a worker read it: its links by name, each once, the content links only.

    `same_as` is the page that it says it is a copy of.  `left_out` counts links by
    the reason why they are not among `links`, `refused` those that are no address.
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


encoded = msgspec.msgpack.Encoder().encode
decoded = msgspec.msgpack.Decoder(PageRead).decode


class Spool:
    """Pages on disk, written once and read as often as needed, in the same order."""

    def __init__(self, folder: str | None = None) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 -- by `close`
        self.pages = 0

    def add(self, page: bytes) -> None:
        self._file.write(len(page).to_bytes(4, "little"))
        self._file.write(page)
        self.pages += 1

    def __iter__(self) -> Iterator[PageRead]:
        self._file.seek(0)
        while head := self._file.read(4):
            yield decoded(self._file.read(int.from_bytes(head, "little")))

    def close(self) -> None:
        self._file.close()
