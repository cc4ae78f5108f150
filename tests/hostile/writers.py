"""Every verb that writes, run in a folder of its own, with a signal or on a full disk."""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

import whatsrelated
from tests.apps.mentions.sites import vault
from tests.hostile.crafting import OTHER
from tests.hostile.graphs import QUERY
from tests.hostile.processes import RELATED, Run, environment_of, limits
from tests.waiting import PATIENCE
from whatsrelated.apps.mentions.edits import UNDO
from whatsrelated.errors import RelatedError
from whatsrelated.machine.files import UNFINISHED

OURS = Path(whatsrelated.__file__).parent
CRAWLED, PAGES = "the address of a site", 40
"""Stands for an address in a command; the number of its pages."""
BUCKET = "s3://attacked"
"""A bucket on this machine."""
WRITERS: dict[str, list[str]] = {
    "build": ["build", "links.tsv", "-o", "web.graph"],
    "build new": ["build", "out.site", "-o", "out.graph", "--report", "out.tsv"],
    "update": ["update", "web.graph", "links.tsv"],
    "pack": ["pack", "-g", "web.graph"],
    "rank": ["rank", "-g", "web.graph", "--by", "mbcc", "--csv"],
    "rank file": ["rank", "-g", "web.graph", "--parquet", "out.parquet"],
    "rank picture": ["rank", "-g", "web.graph", "--compare", "hits,mbcc", "--picture", "out.svg"],
    "similarity": ["similarity", QUERY, OTHER, "-g", "web.graph", "--picture", "out.svg"],
    "pages": ["pages", "-g", "web.graph", "--index"],
    "export": ["export", "-g", "web.graph", "-o", "out.jsonl"],
    "export names": [
        *("export", "-g", "web.graph", "-o", "out.tsv", "--format", "edges"),
        *("--names-to", "out-names.tsv"),
    ],
    "export to S3": ["export", "-g", "web.graph", "-o", f"{BUCKET}/out.tsv"],
    "all to S3": ["all", "web.graph", "--by", "cocitation", "-o", f"{BUCKET}/out.csv"],
    "export arrays": ["export", "-g", "web.graph", "-o", "out", "--format", "npy"],
    "all": ["all", "web.graph", "--by", "cocitation", "-o", "out.jsonl"],
    "all parquet": ["all", "web.graph", "--by", "cocitation", "-o", "out.parquet"],
    "all database": ["all", "web.graph", "--by", "cocitation", "-o", "out.sqlite"],
    "gaps": ["gaps", "web.graph", "--report", "out.html"],
    "gaps apply": ["gaps", "out.notes", "--apply"],
    "gaps undo": ["gaps", "out.undo", "--undo"],
    "gaps patch": ["gaps", "out.notes", "--patch", "out.patch", "--sarif", "out.sarif"],
    "gaps dismiss": ["gaps", "web.graph", "--ignore", "out.tsv", "--dismiss", QUERY, OTHER],
    "diff": ["diff", "web.graph", "web.graph", "--by", "cocitation", "--report", "out.html"],
    "evaluate": [
        *("evaluate", "web.graph", "--hold-out", "0.3", "--by", "cocitation,companion"),
        *("--report", "out.html", "--per-query", "out.csv", "--save-runs", "out"),
        *("--checkpoint", "out.checkpoint"),
    ],
    "study": [
        *("study", "web.graph", "--into", "out.study", "--by", "cocitation,companion"),
        *("--queries", "queries.txt", "--judges", "ann,bob", "--port", "0"),
    ],
    "publish": ["publish", "web.graph", "-o", "out.published"],
    "site": ["site", "out.site"],
    "site data": ["site", "out.site", "--data", "out.json"],
    "watch": ["watch", "out.site", "-o", "out.graph"],
    "crawl": ["crawl", CRAWLED, "-o", "out.graph", "--delay", "0"],
    "obsidian": ["obsidian", "install", "out.vault"],
    "token": ["token", "ann", "--tokens", "out.toml"],
}
"""Every verb that writes a graph or a file, each with its output in the current folder."""
ONLY_READ = {
    *("check", "common", "compare", "completion", "config", "demo", "doctor", "info", "links"),
    *("mcp", "mentions", "path", "serve", "to"),
}
"""The other verbs, but for spark, which takes seconds to start: see `test_spark`."""
ENDLESS = ("study", "watch")
"""Verbs that run until they are ended."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGKILL)
TIMERS = (-signal.SIGPROF, -signal.SIGALRM)
"""What ends a process that takes too long."""
SIZES = (1, 500, 2_000, 8_000, 30_000)
"""Bytes that a file may have on a full disk."""


@dataclass(frozen=True)
class Outcome:
    """What came of a case: the faults that it has, and a line about them."""

    faults: tuple[str, ...] = ()
    line: str = ""
    cases: int = 1


class Folder:
    """A folder with a graph, links to add to it, and a file that nobody may touch."""

    def __init__(self, graph: Path, place: Path) -> None:
        shutil.rmtree(place, ignore_errors=True)
        self.place = place / "work"
        shutil.copytree(graph, self.place / "web.graph")
        (self.place / "queries.txt").write_text(f"{QUERY}\n{OTHER}\n")
        (self.place / "out.vault" / ".obsidian").mkdir(parents=True)
        (self.place / "out.site").mkdir()
        for page in range(PAGES):
            (self.place / "out.site" / f"{page}.html").write_text(site_page(page))
        (self.place / "out.notes").mkdir()
        self._notes = note_texts(vault(self.place / "out.notes"))
        shutil.copytree(linked_notes(), self.place / "out.undo")
        lines = (f"https://new.org/{i}\thttps://www.h{i % 12}.org/{i % 99}\n" for i in range(3000))
        (self.place / "links.tsv").write_text("".join(lines))
        (place / "mine.txt").write_text("three years of work")
        self._graph_pages = len(whatsrelated.open(graph))
        self._before = self._digests()

    def started(self, verb: str, file_size: int | None = None) -> subprocess.Popen[bytes]:
        """The process of a verb; it ignores no signal, even if we run in the background."""
        set_limits = limits(None, file_size)

        def prepare() -> None:
            for number in (signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            set_limits()

        return subprocess.Popen(
            [*RELATED, *command(verb)],
            cwd=self.place,
            env={**environment_of(file_size), "XDG_CACHE_HOME": str(self.place / "out.cache")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=prepare,
        )

    def _paths(self) -> set[str]:
        """Everything in the folder, even while folders in it vanish, on which rglob fails."""
        return {
            f"{folder}/{name}"
            for folder, folders, files in os.walk(self.place)
            for name in (*folders, *files)
        }

    def run(
        self,
        verb: str,
        number: signal.Signals | None = None,
        seconds: float | None = None,
        file_size: int | None = None,
    ) -> Run:
        """Run a verb, and send it a signal after some time, or as soon as it writes.

        Python ignores SIGPIPE, so for that nobody reads the verb's output any more.
        """
        before = self._paths()
        process = self.started(verb, file_size)
        end = time.monotonic() + (PATIENCE if seconds is None else seconds)
        while number is not None and process.poll() is None and time.monotonic() < end:
            if seconds is None and self._paths() != before:
                break
            time.sleep(0.003)
        if number == signal.SIGPIPE and process.stdout is not None:
            process.stdout.close()
            number = signal.SIGTERM if verb in ENDLESS else None
        if number is not None:
            process.send_signal(number)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Run(-signal.SIGALRM, "", "It did not end in time.")
        texts = ((text or b"").decode("utf-8", "replace") for text in (out, err))
        return Run(process.returncode, *texts)

    def _digests(self) -> dict[str, str]:
        """The files that are not of an output: all but graphs, `out*`, and temporary ones."""
        top = self.place.parent
        return {
            str(file.relative_to(top)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in top.rglob("*")
            if file.is_file() and not any(_is_output(part) for part in file.relative_to(top).parts)
        }

    def faults(self, run: Run, *, tidy: bool) -> Iterator[str]:
        """What is wrong after a verb ran; `tidy`: it could clean up."""
        if run.status in TIMERS:
            yield "hangs"
        elif "Traceback (most recent call last)" in run.err and not _was_starting(run):
            yield "tracebacks"
        if self._digests() != self._before:
            yield "touched"
        try:
            graph = whatsrelated.open(self.place / "web.graph", verify="full")
            is_whole = len(graph) >= self._graph_pages or graph.store.read_pages >= 3000
        except RelatedError:
            is_whole = False
        for notes in ("out.notes", "out.undo"):
            is_whole &= note_texts(self.place / notes) == self._notes
        if not is_whole or not all(self._has_page(page) for page in range(PAGES)):
            yield "lost pages"
        if tidy and any(_is_unfinished(file) for file in self.place.rglob("*")):
            yield "leftovers"

    def _has_page(self, page: int) -> bool:
        """Whether a page of the site is whole, with related pages or without."""
        text = (self.place / "out.site" / f"{page}.html").read_text()
        before, after = site_page(page).split("</main>")
        return text.startswith(before) and text.endswith(f"</main>{after}")


@cache
def crawled_site() -> str:
    """The address of a small site on this machine."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.strip("/").removesuffix(".html") or "0"
            self.send_response(200 if name.isdecimal() else 404)
            self.send_header("content-type", "text/html")
            self.end_headers()
            if name.isdecimal():
                self.wfile.write(site_page(int(name)).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


@cache
def linked_notes() -> Path:
    """Notes to which `gaps --apply` has added links, with the record of them."""
    place = tempfile.TemporaryDirectory()
    folder = vault(Path(place.name))
    subprocess.run([*RELATED, "gaps", folder, "--apply"], check=True, capture_output=True)
    assert (folder / UNDO).exists()
    atexit.register(place.cleanup)
    return folder


@cache
def start_s3() -> None:
    """Start a server for the bucket; commands find it by their environment."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
        AWS_ACCESS_KEY_ID="key",
        AWS_SECRET_ACCESS_KEY="secret",
        AWS_DEFAULT_REGION="us-east-1",
    )
    boto3.client("s3").create_bucket(Bucket=BUCKET.removeprefix("s3://"))


def command(verb: str) -> list[str]:
    """The words of a verb that writes."""
    if any(word.startswith(BUCKET) for word in WRITERS[verb]):
        start_s3()
    return [crawled_site() if word == CRAWLED else word for word in WRITERS[verb]]


def site_page(page: int) -> str:
    """A page of a site, whose end shows that it is whole."""
    targets = [(page + k) % PAGES for k in (3, 5, 7)]
    links = "".join(f'<a href="{target}.html">About {target}</a>' for target in targets)
    return f"<html><title>{page}</title><main>{links}</main></body></html>"


def note_texts(folder: Path) -> dict[str, str]:
    """The texts of notes without their links, to which `gaps --apply` adds some."""
    link = re.compile(r"\[([^][]*)\]\([^()]*\)")
    return {file.name: link.sub(r"\1", file.read_text()) for file in folder.glob("*.md")}


def _was_starting(run: Run) -> bool:
    """Whether Python was interrupted before `__main__` could set how signals end it."""
    files = re.findall(r'File "(.+?)", line', run.err)
    ours = {Path(file).name for file in files if Path(file).is_relative_to(OURS)}
    return "KeyboardInterrupt" in run.err and ours <= {"__init__.py", "__main__.py"}


def _is_output(name: str) -> bool:
    return name.startswith(("web.graph", "out")) or _is_unfinished(Path(name))


def _is_unfinished(file: Path) -> bool:
    return UNFINISHED.fullmatch(file.name) is not None or file.name.startswith(".building")


def kill(folder: Folder, verb: str, number: signal.Signals, seconds: float | None) -> Outcome:
    """Send a signal to a verb after some time, or as soon as it writes."""
    run = folder.run(verb, number, seconds)
    found = list(folder.faults(run, tidy=number != signal.SIGKILL))
    if run.status < 0 and run.status not in (-number, -signal.SIGTERM, *TIMERS):
        found.append("signals")
    when = "when it writes" if seconds is None else f"after {seconds:.2f} s"
    return _outcome(found, f"{verb}, {number.name} {when}", run)


def fill(folder: Folder, verb: str, size: int) -> Outcome:
    """Run a verb that may write files of so many bytes only."""
    ending = (signal.SIGTERM, 3.0) if verb in ENDLESS else ()
    run = folder.run(verb, *ending, file_size=size)
    found = list(folder.faults(run, tidy=True))
    if run.status < 0 and run.status not in (-signal.SIGTERM, *TIMERS):
        found.append("signals")
    return _outcome(found, f"{verb}, files of {size:,} bytes", run)


def _outcome(found: list[str], what: str, run: Run) -> Outcome:
    last = (run.err.strip() or "nothing").splitlines()[-1]
    return Outcome(tuple(found), f"{what}: status {run.status}, {last:.200}")
