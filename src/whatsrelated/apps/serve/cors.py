"""Decide which other sites may query the server from a browser, with Starlette's CORS
middleware."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from whatsrelated.apps.serve.responses import SECURITY, error_response


class AllowOrigins(CORSMiddleware):
    """An application that web pages of these origins may query; `*` means any."""

    def __init__(self, app: ASGIApp, origins: Iterable[str]) -> None:
        super().__init__(
            app,
            [origin.lower() for origin in origins],
            allow_methods=("GET", "POST"),
            allow_headers=("authorization", "content-type", "if-none-match"),
            expose_headers=("etag", "retry-after"),
            max_age=3600,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if not self.is_allowed_origin(request_headers["origin"]):
            sentence = "Unknown origin; allow it with --cors ORIGIN."
            response = error_response(HTTPException(400, sentence, {"vary": "Origin"}))
        for name, value in SECURITY.items():
            response.headers[name] = value
        return response
