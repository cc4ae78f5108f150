"""`related doctor`: what this installation has, what it lacks, and what to do about it.

Each check gives findings: fine, a remark (something is slower or left out), or wrong.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
import urllib.request
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal, NamedTuple

import click

from whatsrelated.cli import config_files
from whatsrelated.cli.output import print_json, print_table
from whatsrelated.cli.parameters import GraphChoice, graph_option
from whatsrelated.errors import GraphFormatError, OptionError, RelatedError

UNSHIPPED = ("test", "docs")
"""Extras for the development of this package."""
SECONDS = 3.0
LEAST_FILES = 1024


class Finding(NamedTuple):
    """What was looked at, how it is, and what to do about it."""

    state: Literal["fine", "remark", "wrong"]
    what: str
    found: str
    way_out: str = ""


@click.command(name="doctor")
@graph_option
@click.option("--server", metavar="URL", help="Look at this server too, such as one of yours.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(graph: GraphChoice, server: str | None, as_json: bool) -> int:
    """Look at the installation, the graph and a server: what is wrong, and the way out.

    The exit status is 1 where something is wrong.
    """
    findings = [*_platform(), *_extras(), *_options(), *_graph(graph)]
    if server is not None:
        findings.append(_server(server))
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(["", "what", "found", "way out"], findings)
    return int(any(finding.state == "wrong" for finding in findings))


def _platform() -> Iterator[Finding]:
    from whatsrelated import kernels

    version = metadata.version("whatsrelated")
    yield Finding("fine", "whatsrelated", f"{version} in {Path(__file__).parent.parent}")
    yield Finding(
        "fine", "platform", f"Python {platform.python_version()}, {platform.platform(terse=True)}"
    )
    if kernels.in_use() == "compiled":
        yield Finding("fine", "kernels", "compiled")
    else:
        yield Finding(
            "remark",
            "kernels",
            f"{kernels.in_use()}, many times slower",
            "pip install --force-reinstall whatsrelated; from a clone, make build with a compiler",
        )
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        enough = most == resource.RLIM_INFINITY or most >= LEAST_FILES
        yield Finding(
            "fine" if enough else "remark",
            "open files",
            "unlimited" if most == resource.RLIM_INFINITY else f"{most:,} at most",
            "" if enough else f"ulimit -n {LEAST_FILES}",
        )


def _extras() -> Iterator[Finding]:
    """What is installed of each extra."""
    extras: dict[str, list[str]] = {}
    for line in metadata.requires("whatsrelated") or ():
        named = re.match(r"""([\w.-]++).*\bextra == ['"]([\w-]+)['"]""", line)
        if named and named[2] not in UNSHIPPED and named[1] != "whatsrelated":
            extras.setdefault(named[2], []).append(named[1])
    for extra, packages in sorted(extras.items()):
        missing = [name for name in packages if not _version(name)]
        found = ", ".join(f"{name} {_version(name) or 'missing'}" for name in packages)
        yield Finding(
            "remark" if missing else "fine",
            f"extra {extra}",
            found,
            f"pip install 'whatsrelated[{extra}]'" if missing else "",
        )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _options() -> Iterator[Finding]:
    """The files of options; what is wrong in one would end every verb."""
    from whatsrelated.cli.verbs import VERBS

    try:
        config_files.read(VERBS)
    except OptionError as error:
        yield Finding("wrong", "options", str(error), "mend the file, or RELATED_CONFIG= without")
        return
    there = [str(file) for file in config_files.files() if file.is_file()]
    yield Finding("fine", "options", ", ".join(there) or "no file")


def _graph(graph: GraphChoice) -> Iterator[Finding]:
    """The graph: whether it opens, and the disk and the memory that it needs."""
    folder = graph.folder
    if folder is not None and graph.path is None and not folder.exists():
        yield Finding("remark", "graph", f"no {folder}", "related build SOURCE -o web.graph")
        return
    try:
        store = graph.open().store
        store.verify()
    except (RelatedError, OSError) as error:
        newer = isinstance(error, GraphFormatError) and error.newer
        way = "install a newer whatsrelated" if newer else "build the graph again"
        yield Finding("wrong", "graph", str(error), way)
        return
    where = folder or "the sample Web"
    yield Finding("fine", "graph", f"{where}: {store.n_pages:,} pages, {store.n_links:,} links")
    if folder is not None:
        yield from _room(folder)


def _room(folder: Path) -> Iterator[Finding]:
    """Whether a new generation fits on the disk beside the old, and the graph into memory."""
    from whatsrelated.machine.resources import available_memory

    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    free = shutil.disk_usage(folder).free
    room = free >= 1.3 * size
    yield Finding(
        "fine" if room else "remark",
        "disk",
        f"{_bytes(free)} free, the graph has {_bytes(size)}",
        "" if room else "an update needs as much again: free some, or build with --temp elsewhere",
    )
    memory = available_memory()
    fits = memory >= size
    yield Finding(
        "fine" if fits else "remark",
        "memory",
        f"{_bytes(memory)} available for {_bytes(size)}",
        "" if fits else "answers wait for the disk; related pack makes the graph smaller",
    )
    if not os.access(folder, os.W_OK):
        yield Finding("remark", "graph", "read-only: no rank is kept", f"chmod u+w {folder}")


def _bytes(count: float) -> str:
    units = ["B", "kB", "MB", "GB", "TB"]
    while count >= 1000 and len(units) > 1:
        count /= 1000
        units.pop(0)
    return f"{count:.3g} {units[0]}"


def _server(url: str) -> Finding:
    """Whether a server answers, and whether it serves the graph that is on disk."""
    if not url.startswith(("http://", "https://")):
        raise OptionError(f"doctor: a server is http://… or https://…, got {url!r:.200}.")
    address = url.rstrip("/") + "/api/health"
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as reply:
            health = json.loads(reply.read(1 << 20))
        state = str(health["status"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = getattr(error, "reason", None) or error
        return Finding("wrong", "server", f"{url}: {why}"[:300], "start it: related serve GRAPH")
    if state == "ok":
        return Finding("fine", "server", f"{url} answers")
    return Finding(
        "wrong", "server", f"{url}: {state}, {health.get('trouble')}"[:300], "build the graph again"
    )
