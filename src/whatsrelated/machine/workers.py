"""Worker processes: do the same work on many items, any of which may crash or hang.

Compiled code, such as a parser or a kernel, cannot be interrupted and may crash.
Only the item that caused it is lost:

1. each worker is sent a few items ahead and answers them one by one;
2. a worker that spends too long on one item is killed; a worker that crashes or exceeds its memory
   limit dies. The item is lost, and the reason is recorded;
3. another worker takes its place and continues with the next item.

Results come in the order of the items; only a window of them is in memory. Workers start when they
are needed, by `python -c …` rather than by a fork: the calling program may have threads, and its
main module may not be importable.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from whatsrelated.errors import RelatedError
from whatsrelated.machine.resources import limit_address_space, processors

Work = Callable[[str], bytes]
"""The function that a worker applies to each item; must be picklable."""

AHEAD = 16
"""Maximum number of items sent to a worker before it has answered the first."""

AHEAD_BYTES = 16_384
"""Maximum total size of these items in bytes; a pipe blocks beyond that."""

WINDOW = 1024
"""Maximum number of items in progress or waiting for an earlier one."""

MEMORY = 4 << 30
"""Bytes of address space that a worker may use by default."""

STARTING = 60.0
"""Seconds that a worker may take to start."""

clock = time.monotonic
"""The clock for all time limits, in seconds."""

_DONE, _FAILED, _STARTED = b"+", b"-", b"!"
_START = "import sys; from whatsrelated.machine.workers import serve; serve(*sys.argv[1:])"


class ItemFailed(Exception):
    """Raised if an item cannot be processed; the message is the reason to report."""


@dataclass(frozen=True, slots=True)
class Lost:
    """An item without a result, and the reason."""

    reason: str


def results(
    work: Work,
    items: Iterable[str],
    *,
    noun: str,
    workers: int = 0,
    seconds: float = 20.0,
    memory: int | None = MEMORY,
    window: int = WINDOW,
) -> Iterator[tuple[str, bytes | Lost]]:
    """Each item and the result of its work, in the order of the items.

    `noun` is the word for a worker in reasons such as "crashed the reader". `workers` is the
    maximum number of processes; 0 starts one per processor. `seconds` is the time limit for one
    item, and `memory` the limit of each process in bytes; None means no limit. `window` is the
    maximum number of items in progress or waiting.
    """
    pool = WorkerPool(work, workers or processors(), seconds, noun, memory, window)
    try:
        yield from pool.run(iter(items))
    finally:
        pool.close()


def _answer(work: Work, item: str) -> bytes | Lost:
    try:
        return work(item)
    except ItemFailed as error:
        return Lost(str(error))
    except MemoryError:
        return Lost("too large for memory")
    except Exception as error:  # any error is this item's fault; the others continue
        return Lost(f"failed with {type(error).__name__}")


def _environment() -> dict[str, str]:
    """A worker's environment: it can import our modules, but nothing from the current folder.

    `-P` keeps that folder out of sys.path; otherwise `-c` would put it first.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    home = {"PYTHONHOME": os.environ["PYTHONHOME"]} if "PYTHONHOME" in os.environ else {}
    return {**inherited, **home, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class WorkerProcess:
    """One process, its unanswered items, and the time when it began the first of them."""

    def __init__(self, work: bytes, memory: int | None) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by `end`
        flags = ["-P", "-B"] if sys.dont_write_bytecode else ["-P"]
        self.process = subprocess.Popen(
            [sys.executable, *flags, "-c", _START, "" if memory is None else str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(),
            bufsize=0,
        )
        self.waiting: deque[tuple[int, str]] = deque()
        self.bytes_ahead = 0
        self.since = clock()
        self.started = False
        self._received = bytearray()
        self._send_message(work)

    @property
    def answers(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def has_room(self, item: str) -> bool:
        """Whether the item can be sent without blocking."""
        if not self.waiting:
            return True
        return len(self.waiting) < AHEAD and self.bytes_ahead + len(item) * 4 <= AHEAD_BYTES

    def send(self, number: int, item: str) -> None:
        """Send an item to the process, which answers items in order."""
        if not self.waiting:
            self.since = clock()
        self.waiting.append((number, item))
        self.bytes_ahead += len(item) * 4
        self._send_message(item.encode("utf-8", "surrogateescape"))

    def _send_message(self, message: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            _write_whole(self.process.stdin.fileno(), len(message).to_bytes(4, "little") + message)

    def receive(self) -> Iterator[tuple[int, bytes | Lost]]:
        """The answers that have arrived; EOFError if the worker has ended."""
        piece = os.read(self.answers.fileno(), 1 << 20)
        if not piece:
            raise EOFError
        self.since = clock()
        self._received += piece
        while len(self._received) >= 5:
            end = 5 + int.from_bytes(self._received[1:5], "little")
            if len(self._received) < end:
                break
            mark, answer = bytes(self._received[:1]), bytes(self._received[5:end])
            del self._received[:end]
            if mark == _STARTED:
                self.started = True
                continue
            number, _ = self.drop()
            yield number, answer if mark == _DONE else Lost(answer.decode())

    def drop(self) -> tuple[int, str]:
        """Remove the first item from the list."""
        number, item = self.waiting.popleft()
        self.bytes_ahead -= len(item) * 4
        self.since = clock()
        return number, item

    def end(self) -> None:
        """Kill the process and close its files."""
        assert self.process.stdin is not None
        self.process.kill()
        self.process.stdin.close()
        self.answers.close()
        self.process.wait()
        self._errors.close()

    def last_error(self) -> str:
        """The last line on the standard error of the process."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "nothing")

    def deadline(self, seconds: float) -> float:
        """The deadline of the process for its current item."""
        return self.since + (seconds if self.started else max(seconds, STARTING))


class WorkerPool:
    """Sends items to workers and puts their answers in order; see `results`."""

    def __init__(
        self,
        work: Work,
        max_workers: int,
        seconds: float,
        noun: str,
        memory: int | None = MEMORY,
        window: int = WINDOW,
    ) -> None:
        self.work = pickle.dumps(work)
        self.memory = memory_bound(memory)
        self.max_workers = max_workers
        self.seconds = seconds
        self.noun = noun
        self.window = window
        self.workers: list[WorkerProcess] = []
        self.selector = selectors.DefaultSelector()
        self.names: dict[int, str] = {}
        self.ready: dict[int, bytes | Lost] = {}

    def run(self, items: Iterator[str]) -> Iterator[tuple[str, bytes | Lost]]:
        """Each item and its result, in the order of the items."""
        sent = yielded = 0
        following: str | None = next(items, None)
        while following is not None or yielded < sent:
            while following is not None and sent - yielded < self.window:
                worker = self._free_worker(following)
                if worker is None:
                    break
                self.names[sent] = following
                worker.send(sent, following)
                sent += 1
                following = next(items, None)
            if yielded not in self.ready:
                self._wait()
            while yielded in self.ready:
                yield self.names.pop(yielded), self.ready.pop(yielded)
                yielded += 1

    def _free_worker(self, item: str) -> WorkerProcess | None:
        freest = min(self.workers, key=lambda worker: len(worker.waiting), default=None)
        if freest is not None and not freest.waiting:
            return freest
        if len(self.workers) < self.max_workers:
            return self._start()
        return freest if freest is not None and freest.has_room(item) else None

    def _start(self) -> WorkerProcess:
        worker = WorkerProcess(self.work, self.memory)
        self.workers.append(worker)
        self.selector.register(worker.answers, selectors.EVENT_READ, worker)
        return worker

    def _wait(self) -> None:
        """Collect answers, and replace workers that are past their deadline."""
        busy = [worker for worker in self.workers if worker.waiting]
        until = min((worker.deadline(self.seconds) for worker in busy), default=0.0)
        events = self.selector.select(max(0.0, until - clock()) + 0.01)
        answered: list[WorkerProcess] = [key.data for key, _ in events]
        for worker in answered:
            try:
                self.ready.update(worker.receive())
            except EOFError:
                self._replace(worker, f"crashed {self.noun}")
        now = clock()
        for worker in busy:
            if worker not in answered and now >= worker.deadline(self.seconds):
                self._replace(worker, f"took over {self.seconds:g} s")

    def _replace(self, worker: WorkerProcess, reason: str) -> None:
        self.selector.unregister(worker.answers)
        self.workers.remove(worker)
        message = worker.last_error()
        worker.end()
        if not worker.started:
            raise RelatedError(
                f"A worker process could not start; its last message: {message:.200}."
            )
        if worker.waiting:
            number, _ = worker.drop()
            self.ready[number] = Lost(reason)
        if worker.waiting:
            other = self._start()
            for number, item in worker.waiting:
                other.send(number, item)

    def interrupt(self) -> None:
        """Kill all processes, so a thread in `run` does not wait for them."""
        for worker in self.workers:
            worker.process.kill()

    def close(self) -> None:
        """End all processes; no thread may be in `run`."""
        for worker in self.workers:
            worker.end()
        self.workers.clear()
        self.selector.close()


def serve(memory: str = "") -> None:
    """Run a worker: read the work function, then answer one item after another."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.dup(1)
    os.dup2(2, 1)
    limit_address_space(int(memory) if memory else None)
    message = _read_message(requests)
    if message is None:
        return
    work: Work = pickle.loads(message)
    _write_whole(answers, _STARTED + bytes(4))
    while (message := _read_message(requests)) is not None:
        answer = _answer(work, message.decode("utf-8", "surrogateescape"))
        mark, body = (
            (_FAILED, answer.reason.encode()) if isinstance(answer, Lost) else (_DONE, answer)
        )
        try:
            _write_whole(answers, mark + len(body).to_bytes(4, "little") + body)
        except BrokenPipeError:
            return


def memory_bound(memory: int | None) -> int | None:
    """The memory limit of a worker; $RELATED_WORKER_MEMORY overrides any limit that is not None."""
    bound = os.environ.get("RELATED_WORKER_MEMORY", "")
    return int(bound) if memory is not None and bound.isdigit() else memory


def _read_message(stream: IO[bytes]) -> bytes | None:
    head = stream.read(4)
    if len(head) < 4:
        return None
    return stream.read(int.from_bytes(head, "little"))


def _write_whole(descriptor: int, message: bytes) -> None:
    view = memoryview(message)
    while view:
        view = view[os.write(descriptor, view) :]
