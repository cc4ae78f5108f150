"""How many of our files and functions do four calls pass through?

    python -m benchmarks.hops

That is how many you have to read to follow such a call from end to end.  Each call runs once
before it is counted, so imports and caches do not count.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import whatsrelated as wr
from tests.apps.serve import serving
from whatsrelated.cli import main
from whatsrelated.sample import pages

OURS = str(Path(wr.__file__).parent)
PAGE = "https://www.nytimes.com/"
entered: set[tuple[str, int]] = set()


def note(frame: FrameType, event: str, _: Any) -> None:
    """Record a call of one of our functions."""
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(OURS) and code.co_name[0] != "<":
        entered.add((code.co_filename, code.co_firstlineno))


def count(name: str, walk: Callable[[], Any]) -> None:
    """Print the files and functions that a call enters, in all threads."""
    walk()
    entered.clear()
    sys.setprofile(note)
    walk()
    sys.setprofile(None)
    print(f"{name}: {len({file for file, _ in entered})} files, {len(entered)} functions")


def command(*words: str) -> None:
    """Run the command `related` in this process."""
    sys.argv = ["related", *words]
    silence = io.StringIO()
    with (
        contextlib.redirect_stdout(silence),
        contextlib.redirect_stderr(silence),
        contextlib.suppress(SystemExit),
    ):
        main()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        links, path = Path(place, "links.tsv"), Path(place, "web.graph")
        graph = wr.Graph.from_pages(pages())
        graph.save(path)
        rows = (f"{url}\t{to}" for url in graph for to in graph[url].links)
        links.write_text("\n".join(rows), encoding="utf-8")
        count("TSV to disk", lambda: command("build", str(links), "-o", f"{place}/new.graph"))
        count("related to", lambda: command("to", PAGE, "--graph", str(path)))
        count("PageRank in memory", lambda: wr.Graph(graph.store).rank("pagerank"))
        threading.setprofile(note)
        with serving(path, cache=0) as client:
            count("/api/related", lambda: client.related(PAGE))
