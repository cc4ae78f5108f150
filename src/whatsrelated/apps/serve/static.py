"""Static files of the web page, served under their checksums and cached for a year."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from whatsrelated.contract.markup import SHARED

PACKAGE = "whatsrelated.apps.serve"
DESIGN = "design.css"
"""The CSS shared by pages and reports, from the package of the shared templates."""
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOREVER = "public, max-age=31536000, immutable"


class PageFiles(StaticFiles):
    """Files whose URL contains their checksum, so browsers do not have to request them again."""

    def file_response(self, full_path: Any, *more: Any) -> Response:
        response = super().file_response(full_path, *more)
        response.headers["content-type"] = MEDIA_TYPES[Path(full_path).suffix]
        response.headers["cache-control"] = FOREVER
        return response


def mount(*packages: str) -> Mount:
    """The static files of these packages, at /static."""
    files = PageFiles(packages=[(package, "static") for package in (PACKAGE, SHARED, *packages)])
    return Mount("/static", files, middleware=[Middleware(GZipMiddleware)])


def paths() -> list[str]:
    """The paths of the files that every page uses."""
    folders = [resources.files(package) / "static" for package in (PACKAGE, SHARED)]
    return sorted(f"/static/{file.name}" for folder in folders for file in folder.iterdir())


@cache
def address(name: str, package: str = PACKAGE) -> str:
    """The URL of a file, relative to every page; it changes when the file does."""
    package = SHARED if name == DESIGN else package
    data = (resources.files(package) / "static" / name).read_bytes()
    return f"static/{name}?{hashlib.sha256(data).hexdigest()[:12]}"
