"""`related serve`: serve a graph over HTTP, with a web page."""

from __future__ import annotations

import logging
import os
import sys
import webbrowser
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from whatsrelated.apps.serve.settings import Settings, is_loopback
from whatsrelated.apps.watch.folders import cached_graph, follow, is_folder_of_pages
from whatsrelated.cli.long_help import LongCommand
from whatsrelated.cli.output import counted, say
from whatsrelated.cli.parameters import (
    GraphChoice,
    drop_unset,
    graph_option,
    options_of,
)
from whatsrelated.cli.progress import ProgressLine
from whatsrelated.errors import MissingExtra, OptionError
from whatsrelated.options import configure

if TYPE_CHECKING:
    from whatsrelated.apps.serve.app import Server
    from whatsrelated.apps.serve.live import Live
    from whatsrelated.apps.serve.multi_graph import MultiGraphServer
    from whatsrelated.apps.serve.tokens import Tokens

MIN_TOKEN = 8
NEEDED = (
    "httptools",
    "starlette",
    "uvicorn",
    *(["uvloop"] if sys.platform != "win32" else []),
)


token_option = click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False),
    help="Require the token in this file; by default $RELATED_TOKEN, if it is set.",
)


@click.command(name="serve", cls=LongCommand)
@click.argument("folders", nargs=-1, metavar="[FOLDER | NAME=FOLDER...]")
@graph_option
@token_option
@click.option(
    "--tokens",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Require a token from this file, each for its own graphs (see related token).",
)
@click.option("--browse", is_flag=True, help="Open the page in a browser.")
@options_of([Settings])
def command(
    folders: tuple[str, ...],
    graph: GraphChoice,
    token_file: str | None,
    tokens: Path | None,
    browse: bool,
    **options: Any,
) -> int:
    """Serve the graph in FOLDER over HTTP, with an API and a page to browse it.

    FOLDER is $RELATED_GRAPH or ./web.graph by default; `sample` is the sample Web. A new build in
    the same FOLDER is picked up without a pause; SIGHUP checks for it at once. For a FOLDER of
    notes or pages, a graph is built in a cache, and edits are picked up as they are made. Name
    several graphs as NAME=FOLDER; each is served under /NAME/.
    """
    require_packages("serve")
    from whatsrelated.apps.serve.tokens import Tokens, one_token, read_tokens

    accepted = one_token(token(token_file)) | (read_tokens(tokens) if tokens else Tokens())
    return serve(folders or (graph.path,), accepted, graph, browse=browse, **drop_unset(options))


def serve(
    folders: Sequence[str | None],
    tokens: Tokens | None = None,
    opened_as: GraphChoice | None = None,
    browse: bool = False,
    **options: Any,
) -> int:
    """Serve a graph, or several by name, until a signal arrives.

    `opened_as` is the generation to open, and how to verify it.
    """
    require_packages("serve")
    from whatsrelated.apps.serve.tokens import Tokens
    from whatsrelated.apps.serve.workers import serve as serve_until_stopped

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    logging.getLogger("whatsrelated").setLevel(logging.INFO)
    _log_requests()
    settings = configure(Settings, options)
    tokens = tokens or Tokens()
    _refuse_open_door(settings, tokens)
    places = _places(folders)
    if settings.writable and (not tokens or None in (place.graph for place in places.values())):
        raise OptionError(
            "serve: --writable needs a graph in a folder, and a token: "
            "use --token-file or $RELATED_TOKEN."
        )
    if settings.accept_into is not None and not tokens:
        raise OptionError("serve: --accept-into needs a token: use --token-file or $RELATED_TOKEN.")
    alone = len(places) == 1 and not str(folders[0]).startswith(f"{next(iter(places))}=")
    opening = GraphChoice() if opened_as is None else opened_as
    server = _server(places, settings, tokens, alone, opening)

    def ready(address: str) -> None:
        for each, place in zip(server.servers.values(), places.values(), strict=True):
            graph = each.live.served.graph
            pages, links = counted(len(graph), "pages"), counted(graph.n_links, "links")
            say(f"Serving {place}: {pages}, {links}.")
        click.echo(address)
        opened = browse and has_screen() and webbrowser.open(address)
        say("Press Ctrl-C to stop." if opened else "Open it in a browser; press Ctrl-C to stop.")

    follows = [
        partial(follow, place.pages, place.graph)
        for place in places.values()
        if place.graph and place.pages and place.pages.is_dir()
    ]
    return serve_until_stopped(server, ready, follows)


class GraphLocation(NamedTuple):
    """The location of a graph; `pages` is the folder or file that a cached graph is built from."""

    graph: Path | None
    pages: Path | None = None

    @property
    def name(self) -> str:
        """The name of the folder the user gave."""
        return Path(str(self)).name if self.graph else "sample"

    def __str__(self) -> str:
        return "the sample Web" if self.graph is None else str(self.pages or self.graph)


def _places(folders: Sequence[str | None]) -> dict[str, GraphLocation]:
    """The locations of the graphs, by name; a single graph is named after its folder."""
    alone = folders[0]
    if len(folders) == 1 and (alone is None or "=" not in alone or Path(alone).exists()):
        place = locate(alone)
        return {place.name: place}
    locations: dict[str, GraphLocation] = {}
    for argument in folders:
        name, equals, folder = str(argument).partition("=")
        if not equals or not folder:
            raise OptionError(f"serve: several graphs need names, NAME=FOLDER; got {name!r:.200}.")
        if name in locations:
            raise OptionError(f"serve: two graphs are named {name!r:.80}.")
        locations[name] = locate(folder)
    return locations


def locate(folder: str | None) -> GraphLocation:
    """The location of a graph; the graph of a folder of pages is built in the cache."""
    path = GraphChoice(folder).folder
    if path is not None and (is_folder_of_pages(path) or path.is_file()):
        return GraphLocation(cache_graph(path), path)
    return GraphLocation(path)


def _server(
    places: dict[str, GraphLocation],
    settings: Settings,
    tokens: Tokens,
    alone: bool,
    opening: GraphChoice,
) -> Server | MultiGraphServer:
    """The server of one graph, or of several by name."""
    from whatsrelated.apps.serve.app import Server
    from whatsrelated.apps.serve.live import Live
    from whatsrelated.apps.serve.multi_graph import MultiGraphServer

    def live(place: GraphLocation) -> Live:
        graph = opening.at("sample" if place.graph is None else str(place.graph))
        return Live(graph.open, place.graph, settings.cache << 20)

    for name in sorted(tokens.named_graphs() - set(places)):
        raise OptionError(
            f"serve: a token is for {name!r:.80}, which is not among the graphs served: "
            f"{', '.join(places):.500}."
        )
    graphs = {name: live(place) for name, place in places.items()}
    if not alone:
        return MultiGraphServer(graphs, settings, tokens)
    ((name, only),) = graphs.items()
    return Server(only, settings, tokens, name=name)


def _refuse_open_door(settings: Settings, tokens: Tokens) -> None:
    """Refuse to serve other machines without a token, unless --open is set."""
    if settings.open or tokens or is_loopback(settings.host):
        return
    raise OptionError(
        f"serve: anyone who can reach {settings.host:.80} could query the graph; "
        "set a token (--token-file, --tokens, $RELATED_TOKEN), or use --open."
    )


def has_screen() -> bool:
    """Whether a graphical browser can be opened here."""
    desktops = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, desktops))


def _log_requests() -> None:
    """Write the access log without any prefix."""
    plain = logging.StreamHandler()
    plain.setFormatter(logging.Formatter("%(message)s"))
    log = logging.getLogger("whatsrelated.access")
    log.handlers, log.propagate = [plain], False


def cache_graph(folder: Path) -> Path:
    """The cached graph of a folder of pages; shows progress while it is built."""
    with ProgressLine() as progress:
        return cached_graph(folder, progress)


def require_packages(verb: str) -> None:
    """Raise an error if a package is missing."""
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
    """The bearer token that clients must send, from a file or the environment."""
    read = Path(file).read_text(errors="replace").strip() if file else None
    value = os.environ.get("RELATED_TOKEN") if read is None else read
    if value is not None and (len(value) < MIN_TOKEN or not value.isascii()):
        raise OptionError(f"serve: a token must have at least {MIN_TOKEN} plain characters.")
    return value
