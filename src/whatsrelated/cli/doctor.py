"""`related doctor`: check the installation, and suggest fixes.

Each check reports that all is well, a remark (something is slow or missing) or a fault.
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
"""Extras used only to develop this package."""
SECONDS = 3.0
MIN_FILES = 1024


class Finding(NamedTuple):
    """A check, its result, and how to fix the problem."""

    state: Literal["fine", "remark", "wrong"]
    what: str
    found: str
    way_out: str = ""


@click.command(name="doctor")
@graph_option
@click.option("--server", metavar="URL", help="Check this server too.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(graph: GraphChoice, server: str | None, as_json: bool) -> int:
    """Check the installation, the graph and a server, and suggest fixes.

    The exit status is 1 if something is wrong.
    """
    findings = [*_platform(), *_extras(), *_options(), *_graph(graph)]
    if server is not None:
        findings.append(_server(server))
    if as_json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(["", "what", "found", "fix"], findings)
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
            "pip install --force-reinstall whatsrelated; in a clone, make build with a compiler",
        )
    if sys.platform != "win32":
        import resource

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        enough = limit == resource.RLIM_INFINITY or limit >= MIN_FILES
        yield Finding(
            "fine" if enough else "remark",
            "open files",
            "unlimited" if limit == resource.RLIM_INFINITY else f"at most {limit:,}",
            "" if enough else f"ulimit -n {MIN_FILES}",
        )


def _extras() -> Iterator[Finding]:
    """Which packages of each extra are installed."""
    extras: dict[str, list[str]] = {}
    for line in metadata.requires("whatsrelated") or ():
        named = re.match(r"""([\w.-]++).*\bextra == ['"]([\w-]+)['"]""", line)
        if named and named[2] not in UNSHIPPED and named[1] != "whatsrelated":
            extras.setdefault(named[2], []).append(named[1])
    for extra, packages in sorted(extras.items()):
        missing = [name for name in packages if not _version(name)]
        versions = ", ".join(f"{name} {_version(name) or 'missing'}" for name in packages)
        yield Finding(
            "remark" if missing else "fine",
            f"extra {extra}",
            versions,
            f"pip install 'whatsrelated[{extra}]'" if missing else "",
        )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _options() -> Iterator[Finding]:
    """Check the option files; an error in one of them would stop every verb."""
    from whatsrelated.cli.verbs import VERBS

    try:
        config_files.read(VERBS)
    except OptionError as error:
        yield Finding("wrong", "options", str(error), "fix the file, or set RELATED_CONFIG=")
        return
    present = [str(file) for file in config_files.files() if file.is_file()]
    yield Finding("fine", "options", ", ".join(present) or "no file")


def _graph(graph: GraphChoice) -> Iterator[Finding]:
    """Check that the graph opens, and that it fits the disk and memory."""
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
    """Check that a second generation fits on the disk and that the graph fits in memory."""
    from whatsrelated.machine.resources import available_memory

    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    free = shutil.disk_usage(folder).free
    room = free >= 1.3 * size
    yield Finding(
        "fine" if room else "remark",
        "disk",
        f"{_bytes(free)} free; the graph takes {_bytes(size)}",
        ""
        if room
        else "an update needs as much again: free some space, or choose another folder with --temp",
    )
    memory = available_memory()
    fits = memory >= size
    yield Finding(
        "fine" if fits else "remark",
        "memory",
        f"{_bytes(memory)} available for {_bytes(size)}",
        "" if fits else "queries wait for the disk; related pack makes the graph smaller",
    )
    if not os.access(folder, os.W_OK):
        yield Finding("remark", "graph", "read-only: ranks are not stored", f"chmod u+w {folder}")


def _bytes(count: float) -> str:
    units = ["B", "kB", "MB", "GB", "TB"]
    while count >= 1000 and len(units) > 1:
        count /= 1000
        units.pop(0)
    return f"{count:.3g} {units[0]}"


def _server(url: str) -> Finding:
    """Check that a server answers and serves the graph that is on disk."""
    if not url.startswith(("http://", "https://")):
        raise OptionError(f"doctor: --server must be an http:// or https:// URL, got {url!r:.200}.")
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
