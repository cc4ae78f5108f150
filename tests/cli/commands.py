"""The command as people type it, run by itself."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
import sys
from pathlib import Path

RELATED = Path(sys.executable).with_name("related")


LINKS = "https://a.org/\thttps://x.org/\nhttps://a.org/\thttps://y.org/\nhttps://b.org/\thttps://y.org/\nhttps://b.org/\thttps://x.org/\n"


def related(
    *words: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RELATED, *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        env={**os.environ, **environment},
    )


def related_on_a_terminal(*words: str, cwd: Path | None = None, **environment: str) -> str:
    """What the command prints on a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [RELATED, *words],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", **environment},
    )
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # how Linux reports that the other end is closed
        while piece := os.read(ours, 1 << 16):
            printed += piece
    os.close(ours)
    process.wait()
    return printed.decode().replace("\r\n", "\n")
