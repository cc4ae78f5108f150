"""Seeded damage to a graph on disk, and every verb run on the result.

Damage is what a disk, an interrupted copy or a careless hand does: flipped bits,
a file cut short or partly zeroed, two files swapped, an offset changed.  Nothing
is signed again, so checksums reveal the damage.

A damaged graph must answer every question as the intact one does, or refuse; a
signal, a traceback and a silent difference are faults.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.graphs import QUERY
from tests.hostile.processes import MIB, Forks, Run

HEADER = 128

OTHER = "https://www.h4.org/4"
NOTE = "Note 7"
"""A name that no page has: the nearest is suggested."""

QUESTIONS: dict[str, list[str]] = {
    "check": ["check"],
    "links": ["links", QUERY, "--json"],
    "cocitation": ["to", QUERY, "--by", "cocitation", "--why"],
    "companion": ["to", OTHER, "--by", "companion", "--csv"],
    "hits": ["to", QUERY, "--by", "hits", "--csv"],
    "lli": ["to", QUERY, "--by", "lli", "--csv"],
    "pagesim": ["to", QUERY, "--by", "pagesim", "--csv"],
    "simrank": ["to", QUERY, "--by", "simrank", "--csv"],
    "blend": ["to", QUERY, OTHER, "--csv"],
    "hubfinder": ["to", QUERY, "--by", "hubfinder", "--like", "0.01", "--csv"],
    "missing": ["to", NOTE],
    "compare": ["compare", OTHER, "--by", "walk,cpa,coupling,peers", "--csv"],
    "similarity": ["similarity", QUERY, OTHER, "--csv"],
    "pagerank": ["rank", "--csv"],
    "hubs": ["rank", "--by", "hits", "--hubs", "--csv"],
    "mbcc": ["rank", "--by", "mbcc", "--csv"],
    "export": ["export", "-o", "-", "--format", "jsonl"],
    "info": ["info", "--json"],
}


@dataclass(frozen=True)
class Fault:
    """A question that a damaged graph answered wrongly."""

    seed: int
    damage: str
    question: str
    kind: str
    run: Run

    def __str__(self) -> str:
        last = (self.run.err.strip() or "nothing").splitlines()[-1]
        return f"{self.kind}: seed {self.seed}, {self.damage}, {self.question}: {last:.120}"


def files_of(graph: Path) -> list[Path]:
    """The files that may be damaged, in a fixed order."""
    listed = (file for file in graph.rglob("*") if file.is_file() and file.name != "lock")
    return sorted(file for file in listed if file.stat().st_size)


def damage(graph: Path, seed: int) -> str:
    """Damage a graph; what was done."""
    draw = random.Random(seed)
    file = draw.choice(files_of(graph))
    data = bytearray(file.read_bytes())
    kind = draw.choice(("flip", "flip", "cut", "zero", "swap", "number", "number", "noise"))
    told = f"{kind} in {file.name}"
    if kind == "flip":
        for _ in range(draw.choice((1, 1, 1, 8))):
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    elif kind == "cut":
        del data[draw.randrange(len(data)) :]
    elif kind == "zero":
        start = draw.randrange(len(data))
        size = min(draw.choice((4, 64, 512, 4096)), len(data) - start)
        data[start : start + size] = bytes(size)
    elif kind == "noise":
        start = draw.randrange(len(data))
        size = min(draw.choice((4, 64, 512)), len(data) - start)
        data[start : start + size] = draw.randbytes(size)
    elif kind == "swap":
        other = draw.choice(files_of(graph))
        data, swapped = bytearray(other.read_bytes()), bytes(data)
        other.write_bytes(swapped)
        told = f"swap of {file.name} and {other.name}"
    elif len(data) > HEADER + 8:
        place = HEADER + 4 * draw.randrange((len(data) - HEADER) // 4 - 1)
        size = draw.choice((4, 8))
        value = draw.choice((0, 1, 2**31, 2**32 - 1, draw.randrange(2**32), draw.randrange(200)))
        data[place : place + size] = value.to_bytes(8, "little")[:size]
    file.write_bytes(data)
    return told


def answers(forks: Forks, graph: Path) -> dict[str, Run]:
    """The outcome of every question."""
    commands = [[*words, "-g", str(graph)] for words in QUESTIONS.values()]
    runs = forks.run(*commands, memory=2048 * MIB, seconds=20)
    return dict(zip(QUESTIONS, runs, strict=True))


def is_same(question: str, run: Run, whole: Run) -> bool:
    if question == "missing":
        return run.status == whole.status
    if question == "info":  # the output has the path of the graph and its build time
        return run.status == whole.status
    return (run.status, run.out) == (whole.status, whole.out)


def kind_of(question: str, run: Run, whole: Run) -> str | None:
    """What is wrong with an answer, or None."""
    if run.status < 0:
        return "signal"
    if not run.is_tidy:
        return "traceback"
    if is_same(question, run, whole) or (run.is_refusal and run.status == 2):
        return None
    return "silent difference"


def faults(
    forks: Forks, graph: Path, whole: dict[str, Run], place: Path, seeds: range
) -> Iterator[Fault]:
    """Damage a copy of the graph once for each seed, and ask everything of it."""
    for seed in seeds:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(graph, place)
        told = damage(place, seed)
        for question, run in answers(forks, place).items():
            kind = kind_of(question, run, whole[question])
            if kind is not None:
                yield Fault(seed, told, question, kind, run)
