"""A share of every family of attacks, with a seed, and what came of them in numbers.

    python -m tests.hostile.attack --seed N --minutes M

mutations   mutated files through every reader
crafted     changed graphs with correct checksums, by the command and over HTTP
kills       signals at random moments to every verb that writes
disk        the same verbs with a limit on the size of files, as on a full disk
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import whatsrelated
from tests.hostile import crafting, mutations
from tests.hostile.graphs import build_small
from tests.hostile.processes import RELATED, Forks, Run, related
from tests.hostile.readers import in_this_process
from whatsrelated.errors import RelatedError
from whatsrelated.graph.saving import repack
from whatsrelated.machine import workers
from whatsrelated.machine.files import UNFINISHED

KINDS = ("cases", "signals", "tracebacks", "hangs", "touched", "lost pages", "leftovers")
WRITERS: dict[str, list[str]] = {
    "build": ["build", "links.tsv", "-o", "web.graph"],
    "build new": ["build", "links.tsv", "-o", "out.graph"],
    "update": ["update", "web.graph", "links.tsv"],
    "pack": ["pack", "-g", "web.graph"],
    "rank": ["rank", "-g", "web.graph", "--by", "mbcc", "--csv"],
    "rank file": ["rank", "-g", "web.graph", "--parquet", "out.parquet"],
    "pages": ["pages", "-g", "web.graph", "--index"],
    "export": ["export", "-g", "web.graph", "-o", "out.jsonl"],
    "export arrays": ["export", "-g", "web.graph", "-o", "out", "--format", "npy"],
    "all": ["all", "web.graph", "--by", "cocitation", "-o", "out.jsonl"],
    "gaps": ["gaps", "web.graph", "--report", "out.html"],
}
"""Every verb that writes a graph or a file, each with its output in the current folder."""
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
        lines = (f"https://new.org/{i}\thttps://www.h{i % 12}.org/{i % 99}\n" for i in range(3000))
        (self.place / "links.tsv").write_text("".join(lines))
        (place / "mine.txt").write_text("three years of work")
        self._graph_pages = len(whatsrelated.open(graph))
        self._before = self._digests()

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
        if not is_whole:
            yield "lost pages"
        if tidy and any(_is_unfinished(file) for file in self.place.rglob("*")):
            yield "leftovers"


def _was_starting(run: Run) -> bool:
    """Whether Python was interrupted while it imported the command, which cannot help it."""
    return "_find_and_load" in run.err and run.err.rstrip().endswith("KeyboardInterrupt")


def _is_output(name: str) -> bool:
    return name.startswith(("web.graph", "out")) or _is_unfinished(Path(name))


def _is_unfinished(file: Path) -> bool:
    return UNFINISHED.fullmatch(file.name) is not None or file.name.startswith(".building")


def kill(folder: Folder, verb: str, number: signal.Signals, seconds: float) -> Outcome:
    """Send a signal to a verb after some time."""
    process = subprocess.Popen(
        [*RELATED, *WRITERS[verb]],
        cwd=folder.place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(seconds)
    process.send_signal(number)
    out, err = process.communicate()
    run = Run(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))
    found = list(folder.faults(run, tidy=number != signal.SIGKILL))
    if run.status < 0 and run.status != -number:
        found.append("signals")
    return _outcome(found, f"{verb}, {number.name} after {seconds:.2f} s", run)


def fill(folder: Folder, verb: str, size: int) -> Outcome:
    """Run a verb that may write files of so many bytes only."""
    run = related(*WRITERS[verb], cwd=folder.place, file_size=size)
    found = list(folder.faults(run, tidy=True))
    if run.status < 0 and run.status not in TIMERS:
        found.append("signals")
    return _outcome(found, f"{verb}, files of {size:,} bytes", run)


def _outcome(found: list[str], what: str, run: Run) -> Outcome:
    last = (run.err.strip() or "nothing").splitlines()[-1]
    return Outcome(tuple(found), f"{what}: status {run.status}, {last:.200}")


def mutated(seed: int, place: Path) -> Iterator[Outcome]:
    workers.results = in_this_process  # type: ignore[assignment]
    targets = list(mutations.targets(place))
    for number in count(seed):
        for target in targets:
            fault = target.fault(number)
            kind = "hangs" if fault and fault.what.startswith("over ") else "tracebacks"
            yield Outcome((kind,), str(fault)) if fault else Outcome()


def crafted(seed: int, place: Path) -> Iterator[Outcome]:
    plain = build_small(place / "plain.graph")
    packed = place / "packed.graph"
    shutil.copytree(plain, packed)
    repack(packed, packed=True)
    forks = Forks()
    for number in count(seed):
        for graph in (plain, packed):
            yield Outcome()
            seeds = range(number, number + 1)
            for what, run in crafting.faults(forks, graph, place / "copy", seeds):
                kind = "signals" if run.status < 0 else "tracebacks"
                found = ("hangs" if run.status in TIMERS else kind,)
                yield Outcome(found, f"{graph.stem}, {what}: {run.err[-200:]}", cases=0)


def killed(seed: int, place: Path) -> Iterator[Outcome]:
    graph = build_small(place / "small.graph")
    for number in count(seed):
        draw = random.Random(number)
        folder = Folder(graph, place / "case")
        yield kill(folder, draw.choice(list(WRITERS)), draw.choice(SIGNALS), draw.random() * 1.5)


def filled(seed: int, place: Path) -> Iterator[Outcome]:
    graph = build_small(place / "small.graph")
    for number in count(seed):
        draw = random.Random(number)
        folder = Folder(graph, place / "case")
        yield fill(folder, draw.choice(list(WRITERS)), draw.choice(SIZES))


FAMILIES: dict[str, tuple[float, Callable[[int, Path], Iterator[Outcome]]]] = {
    "mutations": (0.3, mutated),
    "crafted": (0.3, crafted),
    "kills": (0.25, killed),
    "disk": (0.15, filled),
}
"""Each with its share of the time."""


def attack(family: str, seed: int, seconds: float) -> Counter[str]:
    """Run a family in a process of its own for some time; a crash of it is a signal."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run(family, seed, seconds, writing)
    os.close(writing)
    counts: Counter[str] = Counter()
    with os.fdopen(reading) as lines:
        for line in lines:
            cases, *faults, _ = line.split("\t")
            counts["cases"] += int(cases)
            counts.update(faults)
    _, state = os.waitpid(child, 0)
    if os.WIFSIGNALED(state):
        counts["signals"] += 1
        print(f"{family}: the process was ended by signal {os.WTERMSIG(state)}", flush=True)
    return counts


def _run(family: str, seed: int, seconds: float, pipe: int) -> None:
    """The life of the child: a line for every case, with its faults."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as place, os.fdopen(pipe, "w", buffering=1) as written:
        for outcome in FAMILIES[family][1](seed, Path(place)):
            if outcome.faults:
                print(f"{family}: {', '.join(outcome.faults)}: {outcome.line}", flush=True)
            written.write("\t".join([str(outcome.cases), *outcome.faults, "\n"]))
            if time.monotonic() > end:
                break
    os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.attack")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", choices=FAMILIES)
    told = parser.parse_args()
    chosen = [told.only] if told.only else list(FAMILIES)
    whole = sum(FAMILIES[family][0] for family in chosen)
    total: Counter[str] = Counter()
    print("\t".join(["family", *KINDS]))
    for family in chosen:
        share = FAMILIES[family][0] / whole
        counts = attack(family, 1_000_000 * told.seed, 60 * told.minutes * share)
        total += counts
        print("\t".join([family, *(f"{counts[kind]:,}" for kind in KINDS)]), flush=True)
    return 1 if sum(total.values()) > total["cases"] else 0


if __name__ == "__main__":
    sys.exit(main())
