"""Start a Spark session with the settings that our tasks need, and explain its errors."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import MissingExtra, SparkError

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

MIN_JAVA = 17
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java options for a quick start; Java only moves bytes, so its optimising compiler gains
nothing.
"""
LOOPBACK = "127.0.0.1"
WAIT = 10
"""Seconds to wait for a master to accept a connection."""
WATCH = 5.0
"""Seconds between two checks of a cluster at work."""
MAX_FAILED_CHECKS = 6
"""Number of failed checks in a row before the work is cancelled."""
LOST = "as part of cancellation of all jobs"
"""Part of Spark's message about cancelled work."""


def is_submitted() -> bool:
    """Whether spark-submit runs this program and has chosen the master."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


@contextmanager
def spark_session(
    master: str | None = None, settings: dict[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session that ends with the `with` block; an active session is reused and stays open.

    `settings` are Spark's own.
    """
    kind = _require_pyspark()
    active = kind.getActiveSession()
    if active is not None:
        yield active
        return
    java = require_java()
    if master is None and not is_submitted():
        master = "local[*]"
    if master:
        require_master(master)
    os.environ["PYTHONSAFEPATH"] = "1"  # inherited by Java and its Python workers
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = kind.builder.appName("whatsrelated")
    for name, value in {**_defaults(master), **(settings or {})}.items():
        builder = builder.config(name, value)
    if master:
        builder = builder.master(master)
    try:
        session = builder.getOrCreate()
    except Exception as error:
        raise SparkError(f"Spark did not start ({reason(error)}); Java is {java}.") from error
    try:
        with watched(session.sparkContext):
            yield session
    finally:
        with suppress(Exception):  # a signal may have closed the connection to Java
            session.stop()


def stop_java(session: SparkSession) -> None:
    """Kill the Java process that we started for a session, since it may still be writing."""
    process = getattr(session.sparkContext._gateway, "proc", None)
    if process is not None:
        process.kill()
        process.wait()


@contextmanager
def watched(context: SparkContext) -> Iterator[None]:
    """Cancel all jobs if an entire standalone cluster is lost; Spark itself would wait forever."""
    master = str(context.master)
    ended = threading.Event()

    def watch() -> None:
        missed = 0
        while not ended.wait(WATCH):
            missed = 0 if _is_there(master, context) else missed + 1
            if missed >= MAX_FAILED_CHECKS:
                context.cancelAllJobs()

    watching = threading.Thread(target=watch, daemon=True)
    if master.startswith("spark://"):
        watching.start()
    try:
        yield
    finally:
        ended.set()
        if watching.is_alive():
            watching.join()


def _is_there(master: str, context: SparkContext) -> bool:
    """Whether a cluster has a master or executors; the status also counts the driver."""
    try:
        require_master(master)
    except SparkError:
        return bool(context._jsc.sc().getExecutorMemoryStatus().size() > 1)
    return True


def _defaults(master: str | None) -> dict[str, str]:
    """Our settings: no web interface, no imports from the current folder, loopback if local."""
    defaults = {
        "spark.executorEnv.PYTHONSAFEPATH": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.defaultJavaOptions": QUICK_JAVA,
        "spark.executor.defaultJavaOptions": QUICK_JAVA,
    }
    is_local = master is not None and (
        master.startswith("local") or re.search(r"//(127\.|localhost\b)", master)
    )
    if is_local:
        os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
        defaults |= {"spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK}
    return defaults


def _require_pyspark() -> type[SparkSession]:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtra(
            "spark needs an extra package: pip install 'whatsrelated[spark]'."
        ) from error
    return SparkSession


def require_java() -> str:
    """The version of Java; raise SparkError if Spark cannot run on it."""
    home = os.environ.get("JAVA_HOME")
    command = str(Path(home, "bin", "java")) if home else "java"
    if shutil.which(command) is None:
        where = f" in JAVA_HOME ({home})" if home else ""
        raise SparkError(
            f"Spark needs Java {MIN_JAVA}, but no Java was found{where}; install it (Debian: "
            "openjdk-17-jre-headless), or set JAVA_HOME."
        )
    try:
        output = subprocess.run([command, "-version"], capture_output=True, text=True, timeout=60)
        version = re.search(r'version "((?:1\.)?+([0-9]++)[^"]*+)"', output.stderr + output.stdout)
    except (OSError, subprocess.TimeoutExpired):
        version = None
    if version is None:
        raise SparkError(f"{command} does not report its version; set JAVA_HOME to Java 17.")
    if int(version[2]) < MIN_JAVA:
        raise SparkError(
            f"Spark needs Java {MIN_JAVA}, but {command} is version {version[1]}; set JAVA_HOME."
        )
    return version[1]


def require_master(master: str) -> None:
    """Raise SparkError if the master of a standalone cluster does not accept connections."""
    standalone = re.fullmatch(r"spark://(.+)", master)
    if standalone is None:
        if not re.match(r"(local(\[.*\])?|yarn|k8s://.+)$", master):
            raise SparkError(
                f"{master!r:.80} is not a Spark master; use local[*], spark://host:port, yarn "
                "or k8s://address."
            )
        return
    refusals = []
    for address in standalone[1].split(","):
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host.strip("[]"), int(port)), WAIT):
                return
        except (OSError, ValueError) as error:
            refusals.append(str(getattr(error, "strerror", None) or error))
    raise SparkError(f"No Spark master at {master} ({refusals[0]}); start it, or set --master.")


def reason(error: BaseException) -> str:
    """The cause of an error in one line; for a Spark error, the innermost cause."""
    text = str(error)
    raised = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception|Interrupt)): (.+)$", text, re.M)
    causes = re.findall(r"(?:^Caused by: |: )(?:[\w.$]+(?:Exception|Error)): ([^\n]+)", text, re.M)
    ours = [why for kind, why in raised if not kind.startswith(("Py4J", "PySpark"))]
    chosen = ours[0] if ours else causes[-1] if causes else text.strip().split("\n")[0]
    return " ".join(chosen.split())[:300].rstrip(".")


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Turn Spark's errors into one sentence."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(("py4j", "pyspark")):
            raise
        why = reason(error)
        if LOST in str(error):
            why = "the cluster's master and executors were lost; start it again"
        if "No space left on device" in str(error):
            why = "a disk is full; free some space, or choose another folder with --scratch"
        raise SparkError(f"{what}: {why}.") from error
