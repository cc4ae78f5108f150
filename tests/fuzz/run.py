"""The three targets of the fuzzer: readers, the store, and HTTP."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, islice, product
from pathlib import Path

import httpx

from tests.fuzz.mutate import mutate
from tests.hostile.damage import files_of
from tests.hostile.graphs import QUERY
from tests.hostile.processes import MIB, Forks, Served
from whatsrelated.options import declared_options
from whatsrelated.sources import READERS

CORPUS = Path(__file__).with_name("corpus")
STORE = CORPUS / "store" / "web"
"""The graph built when the corpus was made, which later versions must open."""
CASES_PER_PROCESS = 20
QUESTIONS = (
    ["to", QUERY, "--by", "cocitation"],
    ["to", QUERY, "--by", "blend", "--why"],
    ["links", QUERY, "--json"],
    ["check"],
)


@dataclass(frozen=True)
class Fault:
    """A case that did harm: its key, which is a seed and a round, and what happened."""

    key: str
    what: str

    def __str__(self) -> str:
        return f"{self.key}: {self.what}"


@dataclass(frozen=True)
class ReaderCase:
    """A mutated file, to be read in a copy of the folder that its seed is in."""

    reader: str
    path: str
    key: str
    data: bytes

    def write(self, folder: Path) -> list[Path]:
        """The path for the reader, with the neighbouring seeds unchanged."""
        shutil.copytree(CORPUS / "readers" / self.reader, folder)
        (folder / self.path).write_bytes(self.data)
        return sources_of(self.reader, folder, self.path)


def sources_of(reader: str, folder: Path, path: str) -> list[Path]:
    """What a reader is given for a seed: its folder, all files together, or the file."""
    if READERS[reader].folders:
        return [folder]
    return sorted(folder.iterdir()) if READERS[reader].together else [folder / path]


def seeds(target: str, corpus: Path = CORPUS) -> list[str]:
    """The files of a target, as paths in its folder, in one order."""
    top = corpus / target
    return sorted(str(file.relative_to(top)) for file in top.rglob("*") if file.is_file())


def reader_cases(number: int, corpus: Path = CORPUS) -> Iterator[ReaderCase]:
    """The cases of a round: one for each seed, independent of the other seeds."""
    data = {name: (corpus / "readers" / name).read_bytes() for name in seeds("readers", corpus)}
    for name, seed in data.items():
        reader, _, path = name.partition("/")
        same = [text for other, text in data.items() if other.startswith(f"{reader}/")]
        key = f"{name} #{number}"
        yield ReaderCase(reader, path, key, mutate(seed, key, same))


def reader_faults(forks: Forks, folder: Path, rounds: range) -> Iterator[Fault]:
    """Build from mutated files, each with the reader of its seed."""
    cases = chain.from_iterable(map(reader_cases, rounds))
    while some := list(islice(cases, CASES_PER_PROCESS)):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        commands = []
        for place, case in enumerate(some):
            words = ["build", *case.write(folder / str(place)), "--format", case.reader]
            if "workers" in declared_options(READERS[case.reader]):
                words += ["--workers", "1"]
            commands.append([*words, "--memory", "128M", "-o", folder / f"{place}.graph"])
        runs = forks.run(*commands, memory=1536 * MIB, seconds=10, fresh=True)
        for case, run in zip(some, runs, strict=True):
            if not run.is_tidy:
                yield Fault(case.key, last_line(run.err))


def store_faults(forks: Forks, graph: Path, folder: Path, rounds: range) -> Iterator[Fault]:
    """Query a graph with one mutated file."""
    for number, original in product(rounds, files_of(graph)):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(graph, folder)
        file = folder / original.relative_to(graph)
        key = f"{file.name} #{number}"
        before = file.read_bytes()
        after = mutate(before, key, [])
        if random.Random(key).random() < 0.7:  # of the same length, which is checked on opening
            after = (after + before[len(after) :])[: len(before)]
        file.write_bytes(after)
        commands = [[*words, "-g", folder] for words in QUESTIONS]
        for words, run in zip(QUESTIONS, forks.run(*commands, memory=1536 * MIB), strict=True):
            if not run.is_tidy:
                yield Fault(f"{key}, {' '.join(words[:4])}", last_line(run.err))


def http_lines() -> list[bytes]:
    """The requests to mutate, one per line: the method, the path, and the body."""
    files = (CORPUS / "http" / name for name in seeds("http"))
    return [line for file in files for line in file.read_bytes().splitlines() if line]


def http_request(server: Served, line: bytes) -> httpx.Request:
    """The request of a line."""
    method, _, rest = line.partition(b" ")
    path, _, body = rest.partition(b" ")
    posted = method == b"POST"
    target = b"/" + path.lstrip(b"/") if not posted else b"/api/related"
    return httpx.Request(
        "POST" if posted else "GET",
        httpx.URL(str(server.client.base_url)).copy_with(raw_path=_ascii(target)),
        content=body if posted else None,
        headers={"content-type": "application/json"},
    )


def http_faults(server: Served, rounds: range) -> Iterator[Fault]:
    """Send a server mutated query strings and bodies."""
    lines = http_lines()
    for number, line in product(rounds, lines):
        key = f"{line.decode()} #{number}"
        try:
            answer = server.client.send(http_request(server, mutate(line, key, lines[:1])))
        except (httpx.InvalidURL, ValueError, UnicodeError):
            continue
        except httpx.HTTPError as error:
            yield Fault(key, repr(error))
            continue
        if answer.status_code == 500:
            yield Fault(key, answer.text[:100])


def _ascii(target: bytes) -> bytes:
    return b"".join(
        bytes([byte]) if 32 < byte < 127 else b"%%%02X" % byte for byte in target[:8000]
    )


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:160] if lines else "nothing was said"


def until(seconds: float, first: int = 0) -> Iterator[range]:
    """Rounds, one by one, until the time is over."""
    end = time.monotonic() + seconds
    for number in count(first):
        if time.monotonic() >= end:
            return
        yield range(number, number + 1)
