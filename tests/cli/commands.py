"""The command as people type it, run by itself."""

from __future__ import annotations

import os
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
