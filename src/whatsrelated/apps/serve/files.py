"""Serve the original pages of a folder at /files/PATH, only to users of this machine.

Files are served only if the server listens on a loopback address and is not exposed by a proxy.
They are the pages in the folder that the graph was built from, and the style sheets, images and
fonts there. Their scripts do not run. Notes and other plain text are shown as text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from whatsrelated.api.stores import PageAddresses
from whatsrelated.apps.serve.responses import HTML, NOT_CACHED
from whatsrelated.apps.serve.settings import Settings, is_loopback

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from whatsrelated.api import Graph
    from whatsrelated.apps.serve.app import Server

TEXT = "text/plain; charset=utf-8"
ASSETS = {
    ".css": "text/css; charset=utf-8",
    **{f".{name}": f"image/{name}" for name in ("png", "gif", "webp", "avif", "jpeg")},
    ".jpg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
    **{f".{name}": f"font/{name}" for name in ("woff", "woff2", "ttf", "otf")},
}
"""Suffixes of the files that a browser needs to display a page."""
MEDIA_TYPES = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), HTML),
    **dict.fromkeys((".md", ".markdown", ".mdx", ".rst", ".txt", ".org", ".adoc"), TEXT),
    **ASSETS,
}
"""Suffixes of the files that are shown."""
NO_SCRIPTS = {"content-security-policy": "script-src 'none'; connect-src 'none'"}


def shows_files(settings: Settings) -> bool:
    """Whether the settings make the server reachable only from this machine."""
    exposed = settings.root_path or settings.hosts or settings.cors
    return is_loopback(settings.host) and not exposed


def addresses(graph: Graph, settings: Settings) -> PageAddresses:
    """The template of the addresses that open the pages of a graph."""

    def at_files(file: Path, name: str) -> str | None:
        return f"files/{quote(name)}" if file.suffix.lower() in MEDIA_TYPES else None

    def nowhere(file: Path, name: str) -> None:
        return None

    shown = shows_files(settings)
    return PageAddresses(graph.store, at_files if shown else nowhere, settings.open_with, shown)


async def file(request: Request) -> Response:
    """A file of the folder."""
    server: Server = request.scope["app"]
    shown = None
    if shows_files(server.settings):
        opens: PageAddresses = server.live.served.derived(
            "addresses", lambda graph: addresses(graph, server.settings)
        )
        shown = opens.file_at(request.path_params["path"], ASSETS)
    media_type = None if shown is None else MEDIA_TYPES.get(shown.suffix.lower())
    if shown is None or media_type is None:
        raise HTTPException(404)
    return FileResponse(shown, headers={**NOT_CACHED, **NO_SCRIPTS}, media_type=media_type)
