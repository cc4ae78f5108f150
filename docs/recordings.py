"""Record `related FOLDER` on a real folder into the README.

    python -m docs.recordings FOLDER=PAGE ...

Each argument is a folder or an archive, and a page to ask about.  A recording has the command,
what it printed, and the first results of the page that it serves, without progress or log lines.
The README has Debian's python3-doc (json).
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from urllib.parse import quote
from urllib.request import urlopen

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- recordings: python -m docs.recordings -->", "<!-- end -->"
RESULTS = 2
SECONDS = 900
"""Time limit of one recording."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


def lines_until_served(process: subprocess.Popen[str]) -> Iterator[str]:
    """What the command prints, up to the address."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(("Serving", "http")):
            yield line.rstrip()
        if ADDRESS.match(line):
            return


def record(folder: Path, query: str, cache: str) -> str:
    """The recording of one folder."""
    shown = folder if folder.is_relative_to("/usr") else Path(folder.name)
    command = [sys.executable, "-m", "whatsrelated", str(shown)]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    with subprocess.Popen(
        command,
        cwd=folder.resolve().parent,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
    ) as process:
        try:
            printed = list(lines_until_served(process))
            address = printed[-1]
            path = f"{address}api/related?limit={RESULTS}&why=1&url={quote(query)}"
            with urlopen(path, timeout=SECONDS) as reply:
                answer = json.load(reply)
        finally:
            process.send_signal(signal.SIGINT)
    listed = [f"Related to {answer['answered_for'][0]}:"]
    for number, result in enumerate(answer["results"], 1):
        listed += [
            f"{number}. {result['title'] or result['url']} ({result['grade']})",
            *wrap(
                result["evidence"]["sentence"], 100, initial_indent="   ", subsequent_indent="   "
            ),
        ]
    return "\n".join([f"$ related {shown}", *printed, "", *listed])


def main() -> None:
    asked = [argument.rpartition("=") for argument in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as cache:
        texts = [record(Path(folder), query, cache) for folder, _, query in asked]
    blocks = "\n\n".join(
        f"```console not run: it serves until it is stopped\n{text}\n```" for text in texts
    )
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n{blocks}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
