"""Read part of a plain text file, which lets several machines share one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from whatsrelated.sources.files import LONGEST_LINE, PIECE, File


class FilePart(File):
    """The lines that begin in a byte range of a plain file.

    The sample comes from the whole file.
    """

    def __init__(self, path: str | Path, first: int, last: int) -> None:
        super().__init__(path)
        self.first, self.last = first, last

    def pieces(self) -> Iterator[bytes]:
        with self._open() as raw:
            if self.first:
                raw.seek(self.first - 1)
                _read_line_end(raw)
            while (at := raw.tell()) < self.last:
                data = self._read_raw(raw, min(PIECE, self.last - at))
                if not data:
                    return
                yield data
                if raw.tell() == self.last and not data.endswith(b"\n"):
                    yield from _read_line_end(raw)


def _read_line_end(raw: IO[bytes]) -> list[bytes]:
    """The bytes up to the end of the line; an overlong line is cut just above the limit."""
    pieces = [raw.readline(PIECE)]
    while pieces[-1] and not pieces[-1].endswith(b"\n"):
        piece = raw.readline(PIECE)
        if len(pieces) * PIECE > LONGEST_LINE:
            pieces[-1] = piece
        else:
            pieces.append(piece)
    return pieces
