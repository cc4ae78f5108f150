"""`related serve`: the graph as a service, with a page to look at."""

from __future__ import annotations

import logging
import os
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import (
    drop_unset,
    graph_folder,
    graph_option,
    open_graph,
    options_of,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import MissingExtra, OptionError
from whatsrelated.options import configure
from whatsrelated.server.settings import Settings
from whatsrelated.updates.folders import cached_graph, follow, is_folder_of_pages

LEAST_TOKEN = 8
NEEDED = ("httptools", "jinja2", "uvicorn", *(["uvloop"] if sys.platform != "win32" else []))


@click.command(name="serve")
@click.argument("folder", required=False, metavar="[FOLDER]")
@graph_option
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False),
    help="Require the token in this file; else $RELATED_TOKEN, where it is set.",
)
@options_of([Settings])
def command(folder: str | None, graph: str | None, token_file: str | None, **options: Any) -> int:
    """Serve the graph in FOLDER over HTTP: an API, and a page to browse the graph.

    FOLDER is by default $RELATED_GRAPH or ./web.graph; `sample` is the sample Web.
    A new build into the same FOLDER is served without a pause; SIGHUP looks for it at once.
    A FOLDER of notes or pages is built into a cache, and edits are taken up as they are made.
    """
    return serve(folder or graph, token(token_file), **drop_unset(options))


def serve(graph: str | None, token: str | None = None, **options: Any) -> int:
    """Serve a graph until a signal ends it."""
    require_packages("serve")
    from whatsrelated.server.app import Server
    from whatsrelated.server.live import Live
    from whatsrelated.server.workers import serve as serve_until_stopped

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    logging.getLogger("whatsrelated").setLevel(logging.INFO)
    settings = configure(Settings, options)
    path = graph_folder(graph)
    folder = None
    if path is not None and is_folder_of_pages(path):
        folder, path = path, cache_graph(path)
    if settings.writable and (token is None or path is None):
        raise OptionError(
            "serve: writable needs a graph in a folder, and a token that clients must have; "
            "give it with --token-file or $RELATED_TOKEN."
        )
    name = "sample" if path is None else str(path)
    live = Live(lambda: open_graph(name), path, settings.cache << 20)

    def ready(address: str) -> None:
        pages, links = len(live.served.graph), live.served.graph.n_links
        where = "the sample Web" if path is None else str(folder or path)
        say(f"Serving {where}: {pages:,} pages, {links:,} links.")
        click.echo(address)
        say("Open this address in a browser; press Ctrl-C to stop.")

    follows = partial(follow, folder, path) if folder and path else None
    return serve_until_stopped(Server(live, settings, token), ready, follows)


def cache_graph(folder: Path) -> Path:
    """The graph of a folder of pages in the cache, with progress where it is built."""
    with ProgressLine() as progress:
        return cached_graph(folder, progress)


def require_packages(verb: str) -> None:
    """Refuse to serve where a package is missing."""
    for package in NEEDED:
        if not _is_installed(package):
            raise MissingExtra(
                f"{verb} needs an extra package, {package}: pip install 'whatsrelated[server]'."
            )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:
        return False


def token(file: str | None) -> str | None:
    """The bearer token that clients need, from a file or the environment."""
    read = Path(file).read_text(errors="replace").strip() if file else None
    found = os.environ.get("RELATED_TOKEN") if read is None else read
    if found is not None and (len(found) < LEAST_TOKEN or not found.isascii()):
        raise OptionError(f"serve: a token must have {LEAST_TOKEN} plain characters or more.")
    return found
