"""Commands and servers as separate processes, with limited memory and time."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.waiting import PATIENCE, PATIENT_SERVER

SCRIPT = Path(sys.executable).with_name("related")
RELATED = (
    [str(SCRIPT)]
    if SCRIPT.exists()
    else [sys.executable, "-P", "-c", "from whatsrelated.cli import main; main()"]
)
MIB = 1 << 20
TO_END = 3
"""Seconds for a server to end; then it is killed, which is not a failure."""
LIBC = ctypes.CDLL(None)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
"""From Linux's prctl.h and capability.h."""


@dataclass(frozen=True)
class Run:
    """The outcome of a process."""

    status: int
    out: str
    err: str

    @property
    def is_tidy(self) -> bool:
        """Neither killed by a signal nor ended by an exception that nobody caught."""
        return self.status >= 0 and "Traceback (most recent call last)" not in self.err

    @property
    def is_refusal(self) -> bool:
        """A proper error: status 1 or 2, and the last line is one sentence of ours."""
        lines = self.err.strip().splitlines()
        said = bool(lines) and lines[-1].startswith(("related: ", "Error: "))
        return self.is_tidy and self.status in (1, 2) and said

    def __str__(self) -> str:
        return f"status {self.status}\n{self.out[-500:]}\n{self.err[-2000:]}"


def related(*arguments: str | Path, **settings: Any) -> Run:
    """Run the command."""
    return run([*RELATED, *map(str, arguments)], **settings)


def python(code: str, *arguments: str | Path, **settings: Any) -> Run:
    """Run Python code that can import the package."""
    return run([sys.executable, "-P", "-c", code, *map(str, arguments)], **settings)


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: dict[str, str] | None = None,
    stdin: bytes = b"",
    memory: int | None = None,
    file_size: int | None = None,
    seconds: float = PATIENCE,
    **more: Any,
) -> Run:
    """Run a process; one that does not end in time counts as killed by SIGALRM."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**environment_of(file_size), **(environment or {})},
        **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},
        preexec_fn=limits(memory, file_size),
    )
    try:
        out, err = process.communicate(None if "stdin" in more else stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return Run(-14, _text(out), _text(err) + "\nIt did not end in time.")
    return Run(process.returncode, _text(out), _text(err))


def environment_of(file_size: int | None) -> dict[str, str]:
    """The environment of a process; with a limit on file sizes, it caches no bytecode.

    Python would cache it truncated, and every later process would fail.
    """
    ours = {"OPENBLAS_NUM_THREADS": "1"}
    if file_size is not None:
        ours["PYTHONDONTWRITEBYTECODE"] = "1"
    return {**os.environ, **ours}


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def limits(memory: int | None, file_size: int | None = None) -> Callable[[], None]:
    """What a child does before it runs: set limits that it cannot lift."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if file_size is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    return bound


def obey_modes() -> None:
    """Before root starts a program: take from it the right to open files against their modes.

    It stays the same user otherwise, so it can import whatever its parent can.
    """
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


class Forks:
    """Runs many commands in forks of one process: see `forkserver`."""

    def __init__(self, preexec_fn: Callable[[], None] | None = None) -> None:
        script = str(Path(__file__).with_name("forkserver.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-P", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=preexec_fn,
        )
        self._lock = threading.Lock()

    def run(self, *commands: Sequence[str | Path], **job: Any) -> list[Run]:
        """The outcome of each command."""
        listed = [[str(word) for word in command] for command in commands]
        told = {**job, "commands": listed, "cwd": str(job["cwd"]) if job.get("cwd") else None}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(told) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        assert answer, "the fork server has ended"
        return [Run(**outcome) for outcome in json.loads(answer)]

    def one(self, *command: str | Path, **job: Any) -> Run:
        """The outcome of one command."""
        return self.run(command, **job)[0]

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()


@dataclass
class Served:
    """A server as a process, a client of it, and what it logs."""

    client: httpx.Client
    process: subprocess.Popen[str]
    log_file: Path

    @property
    def address(self) -> tuple[str, int]:
        return self.client.base_url.host, self.client.base_url.port or 80

    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def workers(self) -> list[int]:
        pid = self.process.pid
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(worker) for worker in listed.split()]

    def cpu_seconds(self) -> float:
        """The processor time that the workers have taken so far."""
        ticks = 0
        for pid in self.workers():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def peak_memory(self) -> int:
        """The peak memory of a worker so far, in bytes."""
        peaks = []
        for pid in self.workers():
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            peaks += [int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")]
        return max(peaks)

    def exchange(self, *pieces: bytes, seconds: float = PATIENCE) -> bytes:
        """The response to these bytes, until the server closes."""
        with socket.create_connection(self.address, timeout=seconds) as connection:
            for piece in pieces:
                connection.sendall(piece)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@contextmanager
def served(
    graph: Path | str, log_file: Path, *arguments: str, memory: int | None = None
) -> Iterator[Served]:
    """`related serve` on a free port."""
    with log_file.open("w") as log:
        process = subprocess.Popen(
            [*RELATED, "serve", str(graph), "--port", "0", *arguments],
            env={**os.environ, **PATIENT_SERVER, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=limits(memory),
        )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address, log_file.read_text()
    try:
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            yield Served(client, process, log_file)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=TO_END)
        except subprocess.TimeoutExpired:  # a worker that never finishes its question
            for pid in Served(client, process, log_file).workers():
                os.kill(pid, 9)
            process.kill()
            process.communicate()
