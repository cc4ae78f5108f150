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

from whatsrelated.api.stores import PageAddresses, Store, source_folders
from whatsrelated.apps.serve.responses import HTML, NOT_CACHED
from whatsrelated.apps.serve.settings import Settings, is_loopback

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from whatsrelated.api import Graph
    from whatsrelated.apps.serve.app import Server

TEXT = "text/plain; charset=utf-8"
MEDIA_TYPES = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), HTML),
    **dict.fromkeys((".md", ".markdown", ".mdx", ".rst", ".txt", ".org", ".adoc"), TEXT),
    ".css": "text/css; charset=utf-8",
    **{f".{name}": f"image/{name}" for name in ("png", "gif", "webp", "avif", "jpeg")},
    ".jpg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
    **{f".{name}": f"font/{name}" for name in ("woff", "woff2", "ttf", "otf")},
}
"""The files that are shown, by suffix."""
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
    found = None
    if shows_files(server.settings):
        found = _find(server.live.served.graph.store, request.path_params["path"])
    if found is None:
        raise HTTPException(404)
    headers = {**NOT_CACHED, **NO_SCRIPTS}
    return FileResponse(found, headers=headers, media_type=MEDIA_TYPES[found.suffix.lower()])


def _find(store: Store, path: str) -> Path | None:
    """The file at a path in a source folder; None if it is hidden, or a link that leads out of the
    folder.
    """
    hidden = any(part.startswith(".") for part in path.split("/"))
    if hidden or "\\" in path or "\0" in path or Path(path).suffix.lower() not in MEDIA_TYPES:
        return None
    for root in source_folders(store):
        try:
            whole = (root / path).resolve()
            if root.is_dir() and whole.is_relative_to(root.resolve()) and whole.is_file():
                return whole
        except OSError:  # a path that no file can have
            continue
    return None
