"""`related mcp`: offer a graph as tools for agents."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import click

from whatsrelated.apps.serve.settings import Address, Settings, port_option
from whatsrelated.apps.serve.verb import cache_graph, require_packages, token, token_option
from whatsrelated.apps.watch.folders import follow, is_folder_of_pages
from whatsrelated.cli.output import say
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.errors import OptionError
from whatsrelated.options import configure

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from whatsrelated.api import Graph


@dataclass(frozen=True)
class McpAddress(Address):
    """Where the server for agents listens."""

    name: ClassVar[str] = "mcp"
    port: int = port_option(8767)


@click.command(name="mcp")
@click.argument("folder", required=False, metavar="[FOLDER]")
@graph_option
@click.option("--http", is_flag=True, help="Use HTTP instead of standard input and output.")
@options_of([McpAddress], without=["hosts"])
@token_option
def command(
    folder: str | None,
    graph: GraphChoice,
    http: bool,
    token_file: str | None,
    **options: Any,
) -> int:
    """Answer AI agents over the Model Context Protocol, from the graph in FOLDER.

    As with related serve, FOLDER is a graph, or a folder of notes or pages whose graph is cached
    and kept up to date.
    """
    from whatsrelated.apps.mcp.app import mcp_server

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    if folder and graph.is_given:
        raise OptionError(f"mcp: name only one graph, got {folder} and {graph.path}.")
    require_packages("mcp")
    server = mcp_server(_current(graph.at(folder)))
    if not http:
        server.run("stdio")
        return 0
    address = configure(McpAddress, drop_unset(options))
    settings = Settings(host=address.host, port=address.port)
    return _serve(server, settings, token(token_file))


def _current(graph: GraphChoice) -> Callable[[], Graph]:
    """A function that returns the newest generation; also starts watching a folder of pages for
    changes.
    """
    from whatsrelated.apps.serve.live import Live

    path = graph.folder
    if path is not None and is_folder_of_pages(path):
        folder, path = path, cache_graph(path)
        threading.Thread(target=follow, args=(folder, path), daemon=True).start()
    live = Live(graph.at(str(path) if path else None).open, path, room=0)
    live.open()

    def current() -> Graph:
        live.look()
        return live.served.graph

    return current


def _serve(server: MCPServer[Any], settings: Settings, token: str | None) -> int:
    """Answer over HTTP until a signal arrives."""
    from whatsrelated.apps.mcp.app import PATH, http_application
    from whatsrelated.apps.serve.connection import BoundedServer
    from whatsrelated.apps.serve.settings import LOOPBACK
    from whatsrelated.apps.serve.workers import address_of, listen

    if settings.host not in LOOPBACK and token is None:
        raise OptionError(
            f"mcp: other machines can reach {settings.host}, so set a token with --token-file "
            "or $RELATED_TOKEN."
        )
    (listening,) = listen(settings)
    application = http_application(server, settings, token)
    click.echo(address_of(listening).rstrip("/") + PATH)
    say("Add this address to your agent; press Ctrl-C to stop.")
    with suppress(KeyboardInterrupt):
        BoundedServer(application, settings).run([listening])
    return 0
