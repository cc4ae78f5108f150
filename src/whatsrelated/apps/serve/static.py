"""Files that the page needs, from the package: read once, named by what is in them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from whatsrelated.apps.serve.call import Call
from whatsrelated.apps.serve.responses import Response

MEDIA_TYPES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


def paths() -> list[str]:
    return [f"/static/{name}" for name in MEDIA_TYPES]


def address(name: str) -> str:
    """The address of a file, relative to every page; it changes when the file does."""
    return f"static/{name}?{hashlib.sha256(_data(name)).hexdigest()[:12]}"


def file(call: Call) -> Response:
    """A file of the page, cacheable for a year: its address has its checksum."""
    return response(call.route.path.rpartition("/")[2])


@cache
def response(name: str) -> Response:
    """The file of this name."""
    forever = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(_data(name), media_type=MEDIA_TYPES[name], headers=forever)


@cache
def _data(name: str) -> bytes:
    return resources.files("whatsrelated.apps.serve").joinpath("static", name).read_bytes()
