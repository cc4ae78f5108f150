"""Every reader, and files that repeat pieces of its own syntax.

python -m tests.hostile.readers NAME FOLDER reads files that are made of the seeds of one
format, and prints those for which four times the length takes more than six times the
processor time.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.fuzz.run import CORPUS
from tests.hostile.growth import slow_text
from whatsrelated.errors import RelatedError
from whatsrelated.sources import READERS, open_sources, workers

SIZE = 8192
"""Bytes of the smaller text."""
MOST = 160
"""How many pieces of a seed are tried."""
ANYWHERE = (b"\x00", b" ", b"\n", b"\t", b"a", b"\xff", b'"', b"<", b"(", b"[", b"{", b"<!--", b"&")
"""Pieces that are tried in every format."""


def pieces(seed: bytes) -> list[bytes]:
    """Tags, lines, and one to four words or marks that follow one another in a seed."""
    tokens = re.findall(rb"\w+|[ \t]+|[^\w \t]", seed)
    found = [*re.findall(rb"<[^<>]*>", seed), *re.findall(rb"[^\n]+\n", seed)]
    for length in (1, 2, 3, 4):
        found += [b"".join(tokens[at : at + length]) for at in range(len(tokens) - length + 1)]
    distinct = list(dict.fromkeys(piece for piece in found if not re.fullmatch(rb"\w+", piece)))
    return [*ANYWHERE, *distinct[:: -(-len(distinct) // MOST) or 1]]


def texts(seed: bytes) -> Iterator[Callable[[int], bytes]]:
    """Files of any size: a piece again and again, alone or where it is in the seed."""
    for piece in pieces(seed):
        place = seed.find(piece) if piece in seed else len(seed)
        for before, after in {(b"", b""), (seed[:place], b""), (seed[:place], seed[place:])}:
            yield partial(_repeated, before, piece, after)


def _repeated(before: bytes, piece: bytes, after: bytes, size: int) -> bytes:
    return before + piece * (size // len(piece)) + after


def reading(name: str, seed: Path, folder: Path) -> Callable[[bytes], None]:
    """What reads a file that stands in the place of a seed, in this process."""
    shutil.copytree(seed.parent, folder, dirs_exist_ok=True)
    file = folder / seed.name
    source = folder if READERS[name].folders else file
    if not READERS[name].folders and (folder / f"{seed.stem}.graph").exists():
        source = folder / f"{seed.stem}.graph"

    def read(text: bytes) -> None:
        file.write_bytes(text)
        for format in (None, name):
            try:
                for _ in open_sources([source], format=format):
                    if format is None:
                        break  # it was recognised
            except RelatedError:
                pass

    return read


def main(name: str, place: str) -> int:
    def results(work: workers.Work, items: Iterator[str], **_: object) -> Iterator[object]:
        for item in items:
            yield item, workers._answer(work, item)

    workers.results = results  # type: ignore[assignment]
    for seed in sorted((CORPUS / "readers" / name).iterdir()):
        read = reading(name, seed, Path(place) / seed.name)
        for text in texts(seed.read_bytes()):
            slow = slow_text(text, read, SIZE)
            if slow:
                print(f"{name}/{seed.name}: {slow}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
