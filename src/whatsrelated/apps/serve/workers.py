"""The processes of the server: a supervisor, and workers that answer.

1. The parent opens the graph, so that a damaged one is an error at once, and binds one socket
   per worker to the same port, so that the kernel spreads connections.
2. The parent forks the workers, which share the mapped graph.
3. A worker that dies is replaced.  Its socket stays open, so queued clients only wait.
4. For each folder of notes, another process keeps its graph up to date.
5. On SIGTERM and SIGINT, no new connections are accepted and running queries finish. On SIGHUP, the
   workers immediately check for a new generation of the graph.

On a system without fork (Windows), a single process answers.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from starlette.types import ASGIApp

from whatsrelated.apps.serve.app import Server
from whatsrelated.apps.serve.connection import BoundedServer
from whatsrelated.apps.serve.cors import AllowOrigins
from whatsrelated.apps.serve.front import UnderPath
from whatsrelated.apps.serve.multi_graph import MultiGraphServer
from whatsrelated.apps.serve.settings import Settings, listed
from whatsrelated.errors import OptionError
from whatsrelated.machine.resources import allow_open_files

SIGNALS = {
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGCHLD")
    if hasattr(signal, name)
}
Follow = Callable[[Callable[[], None], Callable[[], bool]], None]
"""Keeps a graph up to date. It calls its first argument after each update, and stops once the
second returns true.
"""
SHORT_LIFE = 1.0
"""If a worker dies within this many seconds, its replacement starts only after the same delay."""


def serve(
    server: Server | MultiGraphServer,
    ready: Callable[[str], None] = lambda address: None,
    follows: Sequence[Follow] = (),
) -> int:
    """Serve until a signal arrives; `ready` is called with the address once the server answers.

    `follows` keep graphs up to date, each in its own process.
    """
    sockets = listen(server.settings)
    for each in server.servers.values():
        each.open()
    if not hasattr(os, "fork"):
        return _serve_alone(server, sockets, ready, follows)
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    gc.freeze()
    jobs: list[Callable[[], NoReturn]] = [
        partial(_work, server, number, sockets) for number in range(len(sockets))
    ]
    jobs += [partial(_follow, follow, sockets, os.getpid()) for follow in follows]
    workers = _Supervisor(jobs, sockets)
    ready(address_of(sockets[0]))
    for each in server.servers.values():
        each.close()
    return workers.watch()


def _serve_alone(
    server: Server | MultiGraphServer,
    sockets: list[socket.socket],
    ready: Callable[[str], None],
    follows: Sequence[Follow],
) -> int:
    """Serve in this process, without a supervisor."""
    if len(sockets) > 1:
        raise OptionError(f"serve: workers must be 1 on a system without fork, got {len(sockets)}.")
    allow_open_files()
    for follow in follows:
        never = lambda: None, lambda: False
        threading.Thread(target=follow, args=never, daemon=True).start()
    ready(address_of(sockets[0]))
    with suppress(KeyboardInterrupt):
        Worker(server).run(sockets)
    return 0


def listen(settings: Settings) -> list[socket.socket]:
    """A listening socket for each worker, all on the same port."""
    host, port = settings.host, settings.port
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        if settings.workers > 1 and port:
            _bind(family, address, shared=False).close()
        sockets: list[socket.socket] = []
        for _ in range(settings.workers):
            sockets.append(_bind(family, address, shared=settings.workers > 1))
            address = sockets[0].getsockname()
        for each in sockets:
            each.listen(2048)
    except OSError as error:
        why = error.strerror or str(error)
        raise OptionError(
            f"serve: cannot listen on {host} port {port}: {why}; choose another with --port."
        ) from error
    return sockets


def _bind(family: int, address: Any, *, shared: bool) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Supervisor:
    """The parent of the workers, which starts, replaces and stops them."""

    def __init__(self, jobs: list[Callable[[], NoReturn]], sockets: list[socket.socket]) -> None:
        self.jobs = jobs
        self.sockets = sockets
        self.alive: dict[int, tuple[int, float]] = {}
        for number in range(len(jobs)):
            self._start(number)

    def _start(self, number: int) -> None:
        pid = os.fork()
        if pid == 0:
            self.jobs[number]()
        self.alive[pid] = number, time.monotonic()

    def watch(self) -> int:
        """Wait for signals and for workers that die; return when all have ended."""
        stopping = False
        while self.alive:
            got = signal.sigwait(SIGNALS)
            if got == signal.SIGCHLD:
                for number in self._reap():
                    if not stopping:
                        self._start(number)
                continue
            if got != signal.SIGHUP and not stopping:
                stopping = True
                for each in self.sockets:
                    each.close()
            for pid in self.alive:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGHUP if got == signal.SIGHUP else signal.SIGTERM)
        return 0

    def _reap(self) -> list[int]:
        """The numbers of the workers that have died."""
        numbers = []
        with suppress(ChildProcessError):
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                number, begun = self.alive.pop(pid)
                time.sleep(SHORT_LIFE if time.monotonic() - begun < SHORT_LIFE else 0)
                numbers.append(number)
        return numbers


def _work(server: Server | MultiGraphServer, number: int, sockets: list[socket.socket]) -> NoReturn:
    """Run a worker from the fork to its end."""
    status = 1
    try:
        for each in sockets[:number] + sockets[number + 1 :]:
            each.close()
        worker = Worker(server)  # a signal that arrives before the worker is ready must not be lost
        stop = worker.handle_exit
        _take_signals({signal.SIGTERM: stop, signal.SIGINT: stop, signal.SIGHUP: signal.SIG_IGN})
        allow_open_files()
        for graph_server in server.servers.values():
            graph_server.start_worker(number)
        worker.run([sockets[number]])
        status = 0
    finally:
        os._exit(status)


def _follow(follow: Follow, sockets: list[socket.socket], parent: int) -> NoReturn:
    """Run the process that keeps a graph up to date; the parent notifies the workers."""
    try:
        for each in sockets:
            each.close()
        _take_signals({signal.SIGHUP: signal.SIG_IGN, signal.SIGINT: signal.SIG_IGN})
        follow(partial(os.kill, parent, signal.SIGHUP), lambda: os.getppid() != parent)
    finally:
        os._exit(1)


def _take_signals(handlers: dict[int, Any]) -> None:
    """Set a child's own signal handlers, and reset all others."""
    for each in SIGNALS:
        signal.signal(each, handlers.get(each, signal.SIG_DFL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


class Worker(BoundedServer):
    """One worker of a server."""

    def __init__(self, server: Server | MultiGraphServer) -> None:
        super().__init__(application(server), server.settings)
        self._servers = list(server.servers.values())
        for each in self._servers:
            each.connections = self.count_connections
        self._parent = os.getppid()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        if hasattr(signal, "SIGHUP"):
            with suppress(RuntimeError, ValueError):  # only the main thread handles signals
                loop.add_signal_handler(signal.SIGHUP, self._wake)
        await super().startup(sockets)

    def _wake(self) -> None:
        for each in self._servers:
            each.wake()

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            for each in self._servers:
                each.update_gauges()
            if os.getppid() != self._parent:
                return True
        return await super().on_tick(counter)


def application(server: Server | MultiGraphServer) -> ASGIApp:
    """The application under its path, with CORS if pages of other sites may query it."""
    root, origins = server.settings.root(), listed(server.settings.cors)
    app: ASGIApp = UnderPath(server, root) if root else server
    return AllowOrigins(app, origins) if origins else app
