"""How long does it take until an edit of a note shows up in `related serve FOLDER`?

    python -m benchmarks.edits [NOTES] [EDITS]

Writes a vault of 10,000 notes (eight links each) to a temporary folder and serves it.  Then it
edits one note repeatedly, and queries its links until the new one is there.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen


def write_vault(root: Path, notes: int) -> None:
    draw = random.Random(1)
    for number in range(notes):
        folder = root / f"f{number % 50}"
        folder.mkdir(exist_ok=True)
        links = " ".join(f"[[note {draw.randrange(notes)}]]" for _ in range(8))
        text = f"# Note {number}\n\n{links}\n\n" + "Words and more words. " * 60
        (folder / f"note {number}.md").write_text(text)


def main(notes: int = 10_000, edits: int = 10) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary, "vault")
        vault.mkdir()
        write_vault(vault, notes)
        begun = time.monotonic()
        with subprocess.Popen(
            [Path(sys.executable).with_name("related"), "serve", vault, "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "XDG_CACHE_HOME": temporary},
        ) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            print(f"{notes:,} notes, served after {time.monotonic() - begun:.1f} s")
            note = vault / "f3" / "note 3.md"
            took = []
            for number in range(edits):
                time.sleep(3)
                other = number + 10  # a link to itself would not count
                note.write_text(f"[[note {other}]]")
                saved = time.monotonic()
                while links(address, note) != [f"f{other % 50}/note {other}"]:
                    time.sleep(0.01)
                took.append(time.monotonic() - saved)
            server.terminate()
    print(f"an edit counts after {statistics.median(took):.2f} s, at most {max(took):.2f} s")


def links(address: str, note: Path) -> list[str]:
    with urlopen(f"{address}api/links?{urlencode({'url': str(note)})}") as answer:
        return [link["url"] for link in json.load(answer)["links_out"]]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
