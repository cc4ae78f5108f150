"""A process that runs `related` commands in forks of itself, to save start-up time.

Run as a script.  Each line of its input is a job:

    {"commands": [["info", "-g", "web.graph"], …], "cwd": …, "memory": …, "seconds": …}

`memory` is the address space of a fork, `seconds` the processor time of a command.
A fork runs the commands one after the other and notes what each wrote and its
exit status; where it is killed by a signal, that is noted of the command that
it was at, and another fork goes on with the next; with `fresh` every command has a
fork of its own.  Each line of the output is
the list of what became of the commands of one job.
"""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

Outcome = dict[str, Any]
TOP = Path(__file__).parents[2]


def main() -> None:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import_commands()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(outcomes(job)), file=answers, flush=True)


def import_commands() -> None:
    """Import what the commands need, once for all forks."""
    import whatsrelated.api  # noqa: F401
    from whatsrelated.cli.verbs import VERBS
    from whatsrelated.methods import METHODS
    from whatsrelated.ranks import RANKS

    for registry in (VERBS, METHODS, RANKS):
        for name in registry.ours:
            registry.loadable(name)


def outcomes(job: dict[str, Any]) -> list[Outcome]:
    """The outcome of each command of a job."""
    commands = job["commands"]
    if any(command[0] == "http" for command in commands):
        import_server()
    found: list[Outcome] = []
    with tempfile.TemporaryFile("w+") as notes:
        while len(found) < len(commands):
            notes.seek(0)
            notes.truncate()
            last = len(found) + 1 if job.get("fresh") else len(commands)
            child = os.fork()
            if child == 0:
                run(job, commands[len(found) : last], notes)
            _, state = os.waitpid(child, 0)
            notes.seek(0)
            found += [json.loads(line) for line in notes if line.endswith("\n")]
            if len(found) == last:
                continue
            number = os.WTERMSIG(state) if os.WIFSIGNALED(state) else signal.SIGABRT
            found.append({"status": -number, "out": "", "err": signal.Signals(number).name})
    return found


def run(job: dict[str, Any], commands: list[list[str]], notes: Any) -> None:
    """The life of a fork."""
    try:
        if job.get("cwd"):
            os.chdir(job["cwd"])
        os.environ.update(job.get("environment", {}))
        memory = job.get("memory")
        if memory and os.environ.get("RELATED_ADDRESS_SPACE") != "none":  # sanitizers need all
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for command in commands:
            seconds = job.get("seconds", 20)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.alarm(30 * seconds)
            outcome = one(command)
            signal.alarm(0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            notes.write(json.dumps(outcome) + "\n")
            notes.flush()
    finally:
        os._exit(0)


def one(command: list[str]) -> Outcome:
    """One command, with what it writes; `http GRAPH PATH…` asks a server instead."""
    from whatsrelated.cli import main as related

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    sys.stdin = io.TextIOWrapper(io.BytesIO(), "utf-8")
    sys.stdout, sys.stderr = out, err
    sys.argv = ["related", *command]
    status: Any = 0
    try:
        ask_server(*command[1:]) if command[0] == "http" else related()
    except SystemExit as done:
        status = done.code or 0
        if isinstance(status, str):
            err.write(status)
            status = 1
    except BaseException:
        traceback.print_exc(file=err)
        status = 1
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    texts = [each.buffer.getvalue().decode("utf-8", "replace") for each in (out, err)]
    return {"status": status, "out": texts[0], "err": texts[1]}


def import_server() -> Any:
    """The function that serves a graph in this process."""
    if str(TOP) not in sys.path:
        sys.path.append(str(TOP))
    import httpcore  # noqa: F401
    import jinja2  # noqa: F401
    import numpy.random  # noqa: F401
    import uvloop  # noqa: F401

    from tests.apps.serve import serving

    return serving


def ask_server(graph: str, *paths: str) -> None:
    """Serve a graph in this process and ask for each path; status 500 is an error."""
    from whatsrelated import RelatedError

    serving = import_server()
    try:
        with serving(Path(graph)) as client:
            for path in paths:
                answer = client.get(path)
                print(answer.status_code, path)
                if answer.status_code == 500:
                    raise AssertionError(f"{path}: {answer.text:.200}")
    except RelatedError as error:
        sys.exit(f"Error: {error}")


if __name__ == "__main__":
    main()
