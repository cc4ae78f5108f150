"""Mutated files through every reader, in this process: some 250 a second.

A file must be read or refused with an error of ours.
"""

from __future__ import annotations

import io
import tarfile
import traceback
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.mutate import mutate
from tests.fuzz.run import CORPUS, Fault, seeds
from tests.hostile.growth import TooLong, interrupted
from tests.hostile.readers import reading
from whatsrelated.errors import RelatedError
from whatsrelated.sources import READERS, open_sources

SECONDS = 10.0
"""Processor time after which a file counts as one that hangs its reader."""


@dataclass(frozen=True)
class Target:
    """A seed, and what reads its mutations."""

    name: str
    seed: bytes
    others: list[bytes]
    read: Callable[[bytes], object]

    def fault(self, number: int) -> Fault | None:
        """What goes wrong with the mutation of this number, if anything does."""
        key = f"{self.name} #{number}"
        try:
            with interrupted(SECONDS):
                self.read(mutate(self.seed, key, self.others))
        except TooLong:
            return Fault(key, f"over {SECONDS:.0f} s")
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            return Fault(key, f"{error!r:.120} at {Path(frame.filename).name}:{frame.lineno}")
        return None


def targets(folder: Path) -> Iterator[Target]:
    """Every seed of every reader, and folders of them in archives; they are read in a folder."""
    for reader in READERS.ours:
        names = seeds(f"readers/{reader}")
        texts = [(CORPUS / "readers" / reader / name).read_bytes() for name in names]
        for name, text in zip(names, texts, strict=True):
            place = folder / reader / name.replace("/", "_")
            yield Target(f"{reader}/{name}", text, texts, reading(reader, name, place))
    for kind, pack in ("zip", _zipped), ("tar", _tarred):
        packed = pack(CORPUS / "readers" / "markdown")
        yield Target(f"site.{kind}", packed, [], _unpacking(folder / f"site.{kind}"))


def _unpacking(file: Path) -> Callable[[bytes], object]:
    def read(text: bytes) -> None:
        file.write_bytes(text)
        try:
            for _ in open_sources([file]):
                pass
        except RelatedError:
            pass

    return read


def _zipped(folder: Path) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return written.getvalue()


def _tarred(folder: Path) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        archive.add(folder, "site")
    return written.getvalue()
