"""The three targets of the fuzzer: readers, the store, and HTTP."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.fuzz.mutate import mutate
from tests.hostile.damage import files_of
from tests.hostile.graphs import QUERY
from tests.hostile.processes import MIB, Forks, Served

CORPUS = Path(__file__).with_name("corpus")
STORE = CORPUS / "store" / "web"
"""A graph as it was built when the corpus was made: later programs open it, too."""
AT_ONCE = 20
QUESTIONS = (
    ["to", QUERY, "--by", "cocitation"],
    ["to", QUERY, "--by", "blend", "--why"],
    ["links", QUERY, "--json"],
    ["check"],
)


@dataclass(frozen=True)
class Fault:
    """A case that did harm: the seed, the number that mutated it, and what happened."""

    seed: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.seed} #{self.number}: {self.what}"


def seeds(target: str) -> list[Path]:
    """The seeds of a target, in one order."""
    return sorted(file for file in (CORPUS / target).rglob("*") if file.is_file())


def reader_faults(forks: Forks, folder: Path, numbers: range) -> Iterator[Fault]:
    """Build from mutated files, each by the reader after which its folder is named."""
    listed = seeds("readers")
    data = [file.read_bytes() for file in listed]
    for start in range(numbers.start, numbers.stop, AT_ONCE):
        some = range(start, min(start + AT_ONCE, numbers.stop))
        shutil.rmtree(folder, ignore_errors=True)
        commands, called = [], []
        for number in some:
            seed = listed[number % len(listed)]
            place = folder / str(number)
            place.mkdir(parents=True)
            for other in seed.parent.iterdir():  # a `.graph` needs its `.properties`
                shutil.copy(other, place / other.name)
            (place / seed.name).write_bytes(mutate(data[number % len(listed)], number, data))
            kind = seed.parent.name
            whole = kind in ("npy", "html", "markdown")
            source = place if whole else _source(place, seed)
            words = ["build", source, "--format", kind, "-o", folder / f"{number}.graph"]
            one_by_one = ["--workers", "1"] if kind in ("html", "markdown") else []
            commands.append([*words, "--memory", "128M", *one_by_one])
            called.append(f"{kind}/{seed.name}")
        runs = forks.run(*commands, memory=1536 * MIB, seconds=10, fresh=True)
        for number, name, run in zip(some, called, runs, strict=True):
            if not run.is_tidy:
                yield Fault(name, number, last_line(run.err))


def _source(place: Path, seed: Path) -> Path:
    graph = place / f"{seed.stem}.graph"
    return graph if graph.exists() else place / seed.name


def store_faults(forks: Forks, graph: Path, folder: Path, numbers: range) -> Iterator[Fault]:
    """Ask a graph one file of which is mutated."""
    for number in numbers:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(graph, folder)
        files = files_of(folder)
        file = files[number % len(files)]
        before = file.read_bytes()
        after = mutate(before, number, [])
        if number % 3:  # of the same length, which opening compares
            after = (after + before[len(after) :])[: len(before)]
        file.write_bytes(after)
        commands = [[*words, "-g", folder] for words in QUESTIONS]
        for words, run in zip(QUESTIONS, forks.run(*commands, memory=1536 * MIB), strict=True):
            if not run.is_tidy:
                yield Fault(f"{file.name}, {' '.join(words[:4])}", number, last_line(run.err))


def http_faults(server: Served, numbers: range) -> Iterator[Fault]:
    """Ask a server with mutated query strings and bodies."""
    listed = seeds("http")
    lines = [line for file in listed for line in file.read_bytes().splitlines() if line]
    for number in numbers:
        line = mutate(lines[number % len(lines)], number, lines)
        method, _, rest = line.partition(b" ")
        path, _, body = rest.partition(b" ")
        posted = method == b"POST"
        target = b"/" + path.lstrip(b"/") if not posted else b"/api/related"
        try:
            url = httpx.URL(str(server.client.base_url)).copy_with(raw_path=_ascii(target))
            request = httpx.Request(
                "POST" if posted else "GET",
                url,
                content=body if posted else None,
                headers={"content-type": "application/json"},
            )
            answer = server.client.send(request)
        except (httpx.InvalidURL, ValueError, UnicodeError):
            continue
        except httpx.HTTPError as error:
            yield Fault(repr(line[:60]), number, repr(error))
            continue
        if answer.status_code == 500:
            yield Fault(repr(line[:60]), number, answer.text[:100])


def _ascii(target: bytes) -> bytes:
    return b"".join(
        bytes([byte]) if 32 < byte < 127 else b"%%%02X" % byte for byte in target[:8000]
    )


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:160] if lines else "nothing was said"


def until(seconds: float, step: int, first: int = 0) -> Iterator[range]:
    """Ranges of numbers, until the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield range(first, first + step)
        first += step
