"""Threads that run queries, with a short queue in front and a deadline behind.

The kernels run without the GIL, so threads share the cores.  Past the queue a
query is refused at once: a client learns in a millisecond what it would
learn by waiting ten seconds, and the memory of a server under any load is bounded.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

_Task = tuple[Callable[[], Any], float, "asyncio.Future[Any]", asyncio.AbstractEventLoop]


class Busy(Exception):
    """The queue is full, or the query waited in it until its deadline."""


class Late(Exception):
    """The query ran past its deadline."""


class Pool:
    """`threads` queries at a time, `queue` more waiting; counts are the event loop's own."""

    def __init__(self, threads: int, queue: int) -> None:
        self.threads = threads
        self.queue = queue
        self.size = 0  # how many run or wait
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._started = False

    @property
    def running(self) -> int:
        return min(self.size, self.threads)

    @property
    def waiting(self) -> int:
        return self.size - self.running

    async def run(self, work: Callable[[], T], deadline: float) -> T:
        """What `work` returns, run in a thread; Busy or Late where that cannot be."""
        if self.size >= self.threads + self.queue:
            raise Busy
        self._start()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self.size += 1
        self._tasks.put((work, deadline, future, loop))
        alarm = loop.call_later(max(0.0, deadline - time.monotonic()), _end, future, None, Late())
        try:
            return await future
        finally:
            alarm.cancel()

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for number in range(self.threads):
                threading.Thread(target=self._work, name=f"query-{number}", daemon=True).start()

    def stop(self) -> None:
        """Let the threads end when they have done what is in the queue."""
        if self._started:
            self._started = False
            for _ in range(self.threads):
                self._tasks.put(None)

    def _work(self) -> None:
        while task := self._tasks.get():
            work, deadline, future, loop = task
            result, error = None, None
            try:
                if time.monotonic() >= deadline:
                    raise Busy
                result = work()
            except BaseException as raised:
                error = raised
            loop.call_soon_threadsafe(self._finish, future, result, error)
            del task, work, future, result, error

    def _finish(
        self, future: asyncio.Future[Any], result: Any, error: BaseException | None
    ) -> None:
        self.size -= 1
        _end(future, result, error)


def _end(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
