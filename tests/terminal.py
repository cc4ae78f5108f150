"""A shell in a terminal: commands run one after the other, each with what it printed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

WIDTH = 120
MARK = "\x1e"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Shell:
    """A folder and an environment that commands may change for later ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONWARNINGS": "error",
            "TERM": "dumb",
            "COLUMNS": str(WIDTH),
        }
        self.environment.pop("RELATED_GRAPH", None)

    def outputs(self, commands: list[str]) -> list[str]:
        """What each command prints on a terminal, in the order given."""
        script = "".join(f"{command}\nprintf '{MARK}'\n" for command in commands)
        parts = self._run(script + "env -0 > .environment\n").split(MARK)
        self._keep_environment()
        return [_as_seen(part) for part in parts[: len(commands)]]

    def _run(self, script: str) -> str:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
        with subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
        ):
            os.close(theirs)
            read = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        return read.decode()

    def _keep_environment(self) -> None:
        file = self.folder / ".environment"
        pairs = (entry.split("=", 1) for entry in file.read_text().split("\0") if entry)
        self.environment = dict(pairs)
        file.unlink()


def _as_seen(text: str) -> str:
    """What is left to see of a text on a terminal: no colours, no overwritten progress."""
    lines = ESCAPES.sub("", text.replace("\r\n", "\n")).split("\n")
    return "\n".join(line.rsplit("\r", 1)[-1].rstrip() for line in lines)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # The other side is closed.
        return b""
