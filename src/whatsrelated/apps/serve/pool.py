"""Threads that run queries, with a short queue and a deadline.

The kernels run without the GIL, so threads share the cores. Clients take turns: one with many
waiting queries does not delay the others. If the queue is full, a query is rejected at once, unless
another client has more than its share; then that client's newest query is rejected instead. A
client learns in a millisecond what it would otherwise learn in ten seconds, and the server's memory
is bounded under any load. A query is also rejected if recent queries show that it would wait too
long. If a query runs out of time or its client leaves, it is removed from the queue, or cancelled
if it is running.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

RECENT = 8
"""Number of recent queries that dominate the mean duration."""


class Busy(Exception):
    """The queue is full or too slow, or the query waited in it until its deadline."""


class Late(Exception):
    """The query missed its deadline, or the client disconnected."""


@dataclass(eq=False, slots=True)
class _Task:
    work: Callable[[], Any]
    future: asyncio.Future[Any]
    cancel: Callable[[], None]
    client: str


class Pool:
    """Runs up to `threads` queries at a time while up to `queue` more wait. Only the event loop
    updates the counts.
    """

    def __init__(self, threads: int, queue: int) -> None:
        self.threads = threads
        self.queue = queue
        self.size = 0  # running or waiting
        self.mean = 0.0  # duration of recent queries, in seconds
        self._tasks: dict[str, deque[_Task]] = {}  # by client; the next one is the first
        self._arrived = threading.Condition()
        self._started = False

    @property
    def running(self) -> int:
        return min(self.size, self.threads)

    @property
    def waiting(self) -> int:
        return self.size - self.running

    async def run(
        self,
        work: Callable[[], T],
        deadline: float,
        *,
        cancel: Callable[[], None] = lambda: None,
        leaving: list[Callable[[], None]] | None = None,
        client: str = "",
    ) -> T:
        """The result of `work`, run in a thread; raises Busy or Late if that is not possible.

        `cancel` asks running work to stop.  The callbacks in `leaving` are called if the client
        leaves.
        """
        if not self._has_time(deadline, client) or not self._has_room(client):
            raise Busy
        self._start()
        loop = asyncio.get_running_loop()
        task = _Task(work, loop.create_future(), cancel, client)
        end = partial(self._end_early, task)
        self.size += 1
        self._put(task)
        alarm = loop.call_later(max(0.0, deadline - time.monotonic()), end)
        if leaving is not None:
            leaving.append(end)
        try:
            result: T = await task.future
            return result
        finally:
            alarm.cancel()
            if leaving is not None:
                leaving.remove(end)

    def _has_time(self, deadline: float, client: str) -> bool:
        """Whether one more query is likely to end in time; if a thread is idle, it may try."""
        with self._arrived:
            turns = len(self._tasks.get(client, ())) + 1
            ahead = sum(min(len(tasks), turns) for tasks in self._tasks.values())
        seconds = self.mean * (self.running + ahead + 1) / self.threads
        return self.size < self.threads or seconds <= deadline - time.monotonic()

    def _has_room(self, client: str) -> bool:
        """Whether one more query may wait, if necessary in place of another client's."""
        if self.size < self.threads + self.queue:
            return True
        with self._arrived:
            longest = max(self._tasks.values(), key=len, default=deque())
            if len(longest) <= len(self._tasks.get(client, ())) + 1:
                return False
            newest = longest[-1]
        self._end_early(newest)
        return self.size < self.threads + self.queue

    def _end_early(self, task: _Task) -> None:
        """Remove a task from the queue, or cancel it if it is running."""
        with self._arrived:
            waiting = self._tasks.get(task.client, deque())
            waited = task in waiting
            if waited:
                waiting.remove(task)
                if not waiting:
                    del self._tasks[task.client]
        if waited:
            self.size -= 1
        else:
            task.cancel()
        _end(task.future, None, Busy() if waited else Late())

    def _put(self, task: _Task) -> None:
        with self._arrived:
            self._tasks.setdefault(task.client, deque()).append(task)
            self._arrived.notify()

    def _take(self) -> _Task | None:
        """The next task of the client whose turn it is; None to stop."""
        with self._arrived:
            while not self._tasks:
                if not self._started:
                    return None
                self._arrived.wait()
            client = next(iter(self._tasks))
            tasks = self._tasks.pop(client)
            task = tasks.popleft()
            if tasks:
                self._tasks[client] = tasks
            return task

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for number in range(self.threads):
                threading.Thread(target=self._work, name=f"query-{number}", daemon=True).start()

    def stop(self) -> None:
        """Let the threads stop when the queue is empty."""
        with self._arrived:
            self._started = False
            self._arrived.notify_all()

    def _work(self) -> None:
        while task := self._take():
            future, result, error = task.future, None, None
            begun = time.monotonic()
            try:
                result = task.work()
            except BaseException as raised:
                error = raised
            seconds = time.monotonic() - begun
            future.get_loop().call_soon_threadsafe(self._finish, future, seconds, result, error)
            del task, future, result, error

    def _finish(
        self,
        future: asyncio.Future[Any],
        seconds: float,
        result: Any,
        error: BaseException | None,
    ) -> None:
        self.size -= 1
        self.mean += (seconds - self.mean) / RECENT
        _end(future, result, error)


def _end(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
