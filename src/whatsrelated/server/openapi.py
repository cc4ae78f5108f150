"""The OpenAPI document: made from the table of routes and the options' own declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import metadata
from typing import Any

from whatsrelated.methods import METHODS
from whatsrelated.names.canonical import MAX_BYTES
from whatsrelated.options import Configured, Option
from whatsrelated.query.request import Request
from whatsrelated.server.answers import MOST_QUERIES
from whatsrelated.server.questions import MOST_TEXT, MOST_URLS, options_over_http
from whatsrelated.server.route import Route
from whatsrelated.server.schemas import SCHEMAS

ERRORS = {
    "400": "The question is wrong: a sentence says what, and the way out.",
    "401": "A token is needed.",
    "404": "No such page; the nearest is told.",
    "408": "The request did not come in time.",
    "413": "The body is too large.",
    "414": "The query string is too long.",
    "415": "The body is not JSON.",
    "421": "The server is not called by this name.",
    "431": "The head of the request is too large.",
    "503": "The server is busy; ask again after the seconds of Retry-After.",
    "504": "The query took too long.",
}
ONLY_POST = ("408", "413", "415")


def document(routes: Iterable[Route]) -> dict[str, Any]:
    """The whole document, for OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "What's Related",
            "version": metadata.version("whatsrelated"),
            "description": "Given a page, the related pages, from the link structure alone.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": {route.path: _path(route) for route in routes if not route.page},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _path(route: Route) -> dict[str, Any]:
    name = route.path.strip("/").replace("/", "_").replace(".", "_")
    told: dict[str, Any] = {
        "get": {
            "operationId": name,
            "summary": route.sentence,
            "parameters": list(_parameters(route)),
            "responses": _responses(route, route.kind, route.schema, post=False),
        }
    }
    if route.post is not None:
        told["post"] = {
            "operationId": f"{name}_batch",
            "summary": "The answers to a list of queries, an error in the place of each without.",
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": _batch()}},
            },
            "responses": _responses(route, "application/json", "Answers", post=True),
        }
    return told


def _parameters(route: Route) -> Iterable[dict[str, Any]]:
    for name, option in route.options.items():
        schema = schema_of(option, one=name not in route.repeated, url=name == "url")
        yield _parameter(name, option.sentence, schema, required=name in route.required)
    if route.whole:
        for name, owners in all_options().items():
            yield _parameter(name, _sentence(owners), _union(owners), required=False)


def _parameter(name: str, sentence: str, schema: Any, *, required: bool) -> dict[str, Any]:
    told = {"name": name, "in": "query", "description": sentence, "schema": schema}
    return {**told, "required": True} if required else told


def all_options() -> dict[str, dict[str, Option]]:
    """Every option of a query by name, and by the method that has it (`related`: all)."""
    found: dict[str, dict[str, Option]] = {}
    owners: list[type[Configured]] = [Request, *METHODS.values()]
    for owner in owners:
        for name, option in options_over_http(owner).items():
            found.setdefault(name, {})[owner.name] = option
    return found


def _sentence(owners: Mapping[str, Option]) -> str:
    texts = [
        option.sentence if owner == "related" else f"{owner}: {option.sentence}"
        for owner, option in owners.items()
    ]
    return "; ".join(texts)


def _union(owners: Mapping[str, Option]) -> dict[str, Any]:
    schemas: list[dict[str, Any]] = []
    for option in owners.values():
        schema = schema_of(option)
        if schema not in schemas:
            schemas.append(schema)
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def schema_of(option: Option, *, one: bool = True, url: bool = False) -> dict[str, Any]:
    """The JSON schema of an option's values."""
    if url:
        text = {"type": "string", "minLength": 1, "maxLength": MAX_BYTES}
        if one:
            return text
        return {"type": "array", "items": text, "minItems": 1, "maxItems": MOST_URLS}
    if option.kind is tuple:
        return schema_of(option, one=False, url=True)
    if option.choices:
        schema: dict[str, Any] = {"type": "string", "enum": list(option.choices)}
    elif option.kind is bool:
        schema = {"type": "boolean"}
    elif option.kind is str:
        schema = {"type": "string", "maxLength": MOST_TEXT}
    else:
        schema = {"type": "integer" if option.kind is int else "number", **_bounds(option)}
        if option.words:
            schema = {"anyOf": [schema, {"type": "string", "enum": list(option.words)}]}
    if not one:
        schema = {"type": "array", "items": schema, "maxItems": MOST_URLS}
    return schema if option.default is None else {**schema, "default": option.default}


def _bounds(option: Option) -> dict[str, float]:
    bounds = {}
    if option.low is not None:
        bounds["exclusiveMinimum" if option.open_low else "minimum"] = option.low
    if option.high is not None:
        bounds["maximum"] = option.high
    return bounds


def _responses(route: Route, kind: str, schema: str | None, *, post: bool) -> dict[str, Any]:
    content = {"schema": {"$ref": f"#/components/schemas/{schema}"}} if schema else {}
    told: dict[str, Any] = {"200": {"description": "The answer.", "content": {kind: content}}}
    if route.keep and not post:
        told["200"]["headers"] = {"etag": {"schema": {"type": "string"}}}
        told["304"] = {"description": "The asker holds the answer already."}
    for status, sentence in ERRORS.items():
        if (post or status not in ONLY_POST) and not (route.free and status == "401"):
            told[status] = {
                "description": sentence,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            }
    return told


def _batch() -> dict[str, Any]:
    options = {name: _union(owners) for name, owners in all_options().items()}
    url = {"type": "string", "minLength": 1, "maxLength": MAX_BYTES}
    many = {"type": "array", "items": url, "minItems": 1, "maxItems": MOST_URLS}
    query = {
        "type": "object",
        "required": ["url"],
        "properties": {
            "url": {"anyOf": [url, many]},
            "by": {"type": "string", "enum": list(METHODS)},
            "why": {"type": "boolean"},
            **options,
        },
    }
    return {
        "type": "object",
        "required": ["queries"],
        "additionalProperties": False,
        "properties": {"queries": {"type": "array", "items": query, "maxItems": MOST_QUERIES}},
    }
