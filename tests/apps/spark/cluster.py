"""A real standalone cluster on loopback: a master and two workers, each a process.

Ports are free ones, chosen by the processes themselves and read from what they log.
Every process is started in a group of its own and ended with the group, by its id.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

DEADLINE = 600
"""Seconds that only a hang takes."""


QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java that starts quickly; a job of a minute gains nothing from its best compiler."""
SETTINGS = {
    "spark.executor.memory": "512m",
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": QUICK,
    "spark.executor.extraJavaOptions": QUICK,
    "spark.sql.codegen.wholeStage": "false",
    "spark.speculation": "true",
}


def spark_home() -> Path:
    import pyspark

    return Path(pyspark.__file__).parent


def eventually(what: str, found: Callable[[], str | None]) -> str:
    """Wait for a result; the error on a timeout names what was awaited."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        value = found()
        if value is not None:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what}: nothing after {DEADLINE} s")


@dataclass
class Process:
    """A process of the cluster, and what it logs."""

    process: subprocess.Popen[bytes]
    log: Path

    def logged(self, pattern: str) -> str:
        """The first group of a pattern, once it is logged."""

        def look() -> str | None:
            assert self.process.poll() is None, self.log.read_text(errors="replace")[-3000:]
            found = re.search(pattern, self.log.read_text(errors="replace"))
            return found[1] if found else None

        return eventually(f"{self.log.name} should log {pattern}", look)

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        children = descendants(self.process.pid)
        for pid in (self.process.pid, *children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(DEADLINE)

    def finish(self) -> None:
        """Wait for a job that must succeed."""
        status = self.process.wait(DEADLINE)
        assert status == 0, self.log.read_text(errors="replace")[-4000:]


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                status = (entry / "stat").read_text()
                parent = int(status.rpartition(")")[2].split()[1])
                parents.setdefault(parent, []).append(int(entry.name))
    found = list(parents.get(pid, []))
    for child in found:
        found += parents.get(child, [])
    return found


@dataclass
class Cluster:
    """A master and its workers."""

    folder: Path
    master: Process | None = None
    workers: list[Process] = field(default_factory=list)
    url: str = ""

    def start(self, name: str, *words: str) -> Process:
        """Start a process of Spark, such as its master."""
        log = self.folder / f"{name}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [str(spark_home() / "bin" / "spark-class"), *words],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=environment(),
                start_new_session=True,
            )
        return Process(process, log)

    def add_worker(self) -> Process:
        """Start one more worker, with one processor."""
        number = len(self.workers)
        worker = self.start(
            f"worker-{number}",
            "org.apache.spark.deploy.worker.Worker",
            *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
            *("--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / f"work-{number}")),
            self.url,
        )
        self.workers.append(worker)
        worker.logged(r"(Successfully registered with master)")
        return worker

    def executors(self) -> list[int]:
        """The processes that run tasks, by id."""
        return [
            pid
            for worker in self.workers
            for pid in descendants(worker.process.pid)
            if b"CoarseGrainedExecutorBackend" in command_of(pid)
        ]


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def environment() -> dict[str, str]:
    """The environment of everything that belongs to the cluster."""
    return {
        **os.environ,
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "SPARK_HOME": str(spark_home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_DAEMON_MEMORY": "256m",
    }


@contextmanager
def submitted(
    cluster: Cluster, folder: Path, script: Path, *words: str | int | Path
) -> Iterator[Process]:
    """A script submitted by spark-submit, as people do; ended with the block."""
    confs = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")]
    log = folder / "submit.log"
    submit = str(spark_home() / "bin" / "spark-submit")
    with log.open("wb") as file:
        process = subprocess.Popen(
            [submit, "--master", cluster.url, *confs, str(script), *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment(),
            start_new_session=True,
        )
    job = Process(process, log)
    try:
        yield job
    finally:
        if process.poll() is None:
            job.kill()


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A cluster with two workers, ended with the block whatever happens in it."""
    cluster = Cluster(folder)
    try:
        cluster.master = cluster.start(
            "master",
            "org.apache.spark.deploy.master.Master",
            *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
        )
        cluster.url = cluster.master.logged(r"Starting Spark master at (spark://\S+)")
        cluster.master.logged(r"(I have been elected leader)")
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        for process in [*cluster.workers, *([cluster.master] if cluster.master else [])]:
            process.kill()
