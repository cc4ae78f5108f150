"""A share of every family of attacks, with a seed, and what came of them in numbers.

    python -m tests.hostile.attack --seed N --minutes M
    python -m tests.hostile.attack --seed N --only mutations --cases 100000

mutations   mutated files through every reader
crafted     changed graphs with correct checksums, by the command and over HTTP
saved       mutated files that the program saved, or that options read
mcp         mutated calls of every tool for agents, over both transports
kills       signals at random moments to every verb that writes
disk        the same verbs with a limit on the size of files, as on a full disk
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path

from tests.hostile import crafting, mutations
from tests.hostile.agents import NOTE_CALLS, Agents, graph_of_notes
from tests.hostile.graphs import build_small
from tests.hostile.processes import Forks
from tests.hostile.readers import in_this_process
from tests.hostile.saved_files import SavedFiles
from tests.hostile.writers import SIGNALS, SIZES, TIMERS, WRITERS, Folder, Outcome, fill, kill
from whatsrelated.graph.saving import repack
from whatsrelated.machine import workers

PROGRESS = 60.0
"""Seconds between two lines about how far a family is."""
KINDS = ("cases", "signals", "tracebacks", "hangs", "touched", "lost pages", "leftovers")


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


def saved(seed: int, place: Path) -> Iterator[Outcome]:
    files = SavedFiles(build_small(place / "small.graph"), place)
    for number in count(seed):
        for what, run in files.runs(number):
            found = "hangs" if run.status in TIMERS else "tracebacks"
            yield Outcome() if run.is_tidy else Outcome((found,), f"{what}: {run.err[-300:]}")


def called(seed: int, place: Path) -> Iterator[Outcome]:
    (place / "of notes").mkdir()
    notes = graph_of_notes(place)
    with (
        Agents(build_small(place / "small.graph"), place) as agents,
        Agents(notes, place / "of notes", NOTE_CALLS) as others,
    ):
        for number in count(seed):
            for what, fault in chain(agents.faults(number), others.faults(number)):
                yield Outcome(("tracebacks",), f"{what}: {fault}") if fault else Outcome()


def killed(seed: int, place: Path) -> Iterator[Outcome]:
    graph = build_small(place / "small.graph")
    for number in count(seed):
        draw = random.Random(number)
        seconds = draw.choice((None, draw.random() * 1.5))
        verb = list(WRITERS)[number % len(WRITERS)]
        yield kill(Folder(graph, place / "case"), verb, draw.choice(SIGNALS), seconds)


def filled(seed: int, place: Path) -> Iterator[Outcome]:
    graph = build_small(place / "small.graph")
    for number in count(seed):
        verb = list(WRITERS)[number % len(WRITERS)]
        yield fill(Folder(graph, place / "case"), verb, random.Random(number).choice(SIZES))


FAMILIES: dict[str, tuple[float, Callable[[int, Path], Iterator[Outcome]]]] = {
    "mutations": (0.25, mutated),
    "crafted": (0.2, crafted),
    "saved": (0.1, saved),
    "mcp": (0.05, called),
    "kills": (0.25, killed),
    "disk": (0.15, filled),
}
"""Each with its share of the time."""


def attack(family: str, seed: int, seconds: float, cases: float = math.inf) -> Counter[str]:
    """Run a family in its own process until the time or the cases are used up."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run(family, seed, seconds, cases, writing)
    os.close(writing)
    counts: Counter[str] = Counter()
    shown = time.monotonic()
    with os.fdopen(reading) as lines:
        for line in lines:
            cases, *faults, _ = line.split("\t")
            counts["cases"] += int(cases)
            counts.update(faults)
            if time.monotonic() > shown + PROGRESS:
                shown = time.monotonic()
                print(f"{family}: {counts['cases']:,} so far", flush=True)
    _, state = os.waitpid(child, 0)
    if os.WIFSIGNALED(state):
        counts["signals"] += 1
        print(f"{family}: the process was ended by signal {os.WTERMSIG(state)}", flush=True)
    elif state:
        counts["tracebacks"] += 1
        print(f"{family}: the attack itself failed", flush=True)
    return counts


def _run(family: str, seed: int, seconds: float, cases: float, pipe: int) -> None:
    """The life of the child: a line for every case, with its faults."""
    end, done = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as place, os.fdopen(pipe, "w", buffering=1) as written:
        for outcome in FAMILIES[family][1](seed, Path(place)):
            if outcome.faults:
                print(f"{family}: {', '.join(outcome.faults)}: {outcome.line}", flush=True)
            written.write("\t".join([str(outcome.cases), *outcome.faults, "\n"]))
            done += outcome.cases
            if time.monotonic() > end or done >= cases:
                break
    os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.attack")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--cases", type=int, help="for each family, however long that takes")
    parser.add_argument("--only", choices=FAMILIES)
    told = parser.parse_args()
    minutes = math.inf if told.cases else told.minutes
    chosen = [told.only] if told.only else list(FAMILIES)
    whole = sum(FAMILIES[family][0] for family in chosen)
    total: Counter[str] = Counter()
    print("\t".join(["family", *KINDS]))
    for family in chosen:
        share = FAMILIES[family][0] / whole
        limits = (60 * minutes * share, told.cases or math.inf)
        counts = attack(family, 1_000_000 * told.seed, *limits)
        total += counts
        print("\t".join([family, *(f"{counts[kind]:,}" for kind in KINDS)]), flush=True)
    return 1 if sum(total.values()) > total["cases"] else 0


if __name__ == "__main__":
    sys.exit(main())
