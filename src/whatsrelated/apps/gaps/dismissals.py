"""Findings that someone has reviewed and dismissed, in a file of decisions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from whatsrelated.api.asking import read_decisions
from whatsrelated.errors import ReadError
from whatsrelated.machine.files import open_own


def dismiss(path: str | Path, links: Iterable[tuple[str, str]]) -> int:
    """Append links to a file unless it already has them; return the number added."""
    exists = Path(path).exists()
    known = read_decisions(path) if exists else []
    fresh = [
        line
        for line in dict.fromkeys("\t".join(_one_line(name) for name in link) for link in links)
        if line not in known
    ]
    try:
        ends = not exists or Path(path).read_bytes()[-1:] in (b"", b"\n")
        text = "".join(f"{line}\n" for line in [*([] if ends else [""]), *fresh])
        with open_own(Path(path), "ab") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        raise ReadError(f"{path} cannot be written: {error.strerror}.") from None
    return len(fresh)


def _one_line(name: str) -> str:
    return " ".join(name.split())
