"""The OpenAPI document, generated from the routes, their parameters and their reply types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from whatsrelated import __version__
from whatsrelated.apps.serve.answers import MAX_QUERIES
from whatsrelated.apps.serve.endpoint import Endpoint
from whatsrelated.apps.serve.parameters import MAX_TEXT, Parameter, Parameters
from whatsrelated.apps.serve.replies import AnswersReply, ErrorReply
from whatsrelated.contract.replies import ReplyPart
from whatsrelated.names.canonical import MAX_BYTES

ERRORS = {
    "400": "The request is invalid; the message explains why, and how to fix it.",
    "401": "A token is needed.",
    "404": "No such page; the reply names the closest matches.",
    "408": "The request did not arrive in time.",
    "413": "The body is too large.",
    "414": "The query string is too long.",
    "415": "The body is not JSON.",
    "421": "Unknown host.",
    "431": "The head of the request is too large.",
    "503": "The server is busy; try again after Retry-After seconds.",
    "504": "The query took too long.",
}
ONLY_POST = ("408", "413", "415")
REFERENCE = "#/components/schemas/{name}"


def document(routes: Iterable[Endpoint], root: str = "") -> dict[str, Any]:
    """The whole OpenAPI 3.1 document; `root` is the path under which the server is reached."""
    listed = [route for route in routes if not route.page]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "What's Related",
            "version": __version__,
            "description": "Find related pages from links alone.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": root or "/"}],
        "paths": {**{route.path: _path(route) for route in listed}, "/files/{path}": _files()},
        "components": {
            "schemas": _components(listed),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _components(routes: Iterable[Endpoint]) -> dict[str, Any]:
    """The schema of every reply; a field is required unless it can be UNSET."""
    replies = [route.reply for route in routes if route.reply is not None]
    structs: list[type[ReplyPart]] = [ErrorReply, AnswersReply, *replies]
    _, components = msgspec.json.schema_components(structs, ref_template=REFERENCE)
    for struct in _with_bases(ReplyPart):
        if struct.__name__ in components:
            components[struct.__name__]["required"] = [
                field.encode_name
                for field in msgspec.structs.fields(struct)
                if field.default is not msgspec.UNSET
            ]
    return dict(components)


def _with_bases(struct: type[ReplyPart]) -> Iterable[type[ReplyPart]]:
    yield struct
    for below in struct.__subclasses__():
        yield from _with_bases(below)


def _path(route: Endpoint) -> dict[str, Any]:
    name = route.path.strip("/").replace("/", "_").replace(".", "_")
    operations: dict[str, Any] = {
        "get": {
            "operationId": name,
            "summary": route.sentence,
            "parameters": list(_parameters(route.parameters)),
            "responses": _responses(route, route.media_type, route.reply, post=False),
        }
    }
    if route.post is not None:
        operations["post"] = {
            "operationId": f"{name}_batch",
            "summary": "The answers to a list of queries, each an answer or an error.",
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": _batch(route.parameters)}},
            },
            "responses": _responses(route, "application/json", AnswersReply, post=True),
        }
    return operations


def _files() -> dict[str, Any]:
    """The pages of a folder, which are not an endpoint with a query."""
    path = {"name": "path", "in": "path", "required": True, "schema": {"type": "string"}}
    failed = {"application/json": _content(ErrorReply)}
    errors = {status: text for status, text in ERRORS.items() if status not in ONLY_POST}
    return {
        "get": {
            "operationId": "files",
            "summary": "A page of the folder the graph was built from, on this machine only.",
            "parameters": [{**path, "description": "the path of the page in its folder"}],
            "responses": {
                "200": {"description": "The file.", "content": {"*/*": {"schema": {}}}},
                **{
                    status: {"description": text, "content": failed}
                    for status, text in errors.items()
                },
            },
        }
    }


def _parameters(parameters: Parameters) -> Iterable[dict[str, Any]]:
    for name, owners in parameters.declared.items():
        listed: dict[str, Any] = {
            "name": name,
            "in": "query",
            "description": _sentence(owners),
            "schema": _schema(name, parameters),
        }
        required = any(each.required for each in owners.values())
        yield {**listed, "required": True} if required else listed


def _sentence(owners: Mapping[str, Parameter]) -> str:
    """The description of a parameter, by owner if they differ."""
    by_sentence: dict[str, list[str]] = {}
    for owner, each in owners.items():
        by_sentence.setdefault(each.option.sentence, []).append(owner)
    return "; ".join(
        f"{', '.join(names)}: {sentence}" if all(names) else sentence
        for sentence, names in by_sentence.items()
    )


def _schema(name: str, parameters: Parameters) -> dict[str, Any]:
    """The JSON schema of a parameter's values, over all owners."""
    if name == "by" and parameters.choice is not None and parameters.choice.max_count == 1:
        choice = parameters.choice
        return {"type": "string", "enum": list(choice.owners), "default": choice.default}
    schemas: list[dict[str, Any]] = []
    for each in parameters.declared[name].values():
        schema = schema_of(each)
        if schema not in schemas:
            schemas.append(schema)
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def schema_of(parameter: Parameter) -> dict[str, Any]:
    """The JSON schema of a parameter's values."""
    schema = _schema_of_one(parameter)
    if parameter.max_count > 1:
        counts = {"minItems": parameter.min_count, "maxItems": parameter.max_count}
        schema = {"type": "array", "items": schema, **counts}
    default = parameter.option.default
    return schema if default is None or parameter.pages else {**schema, "default": default}


def _schema_of_one(parameter: Parameter) -> dict[str, Any]:
    option = parameter.option
    if parameter.pages:
        return {"type": "string", "minLength": 1, "maxLength": MAX_BYTES}
    if option.choices:
        return {"type": "string", "enum": list(option.choices)}
    if option.kind is bool:
        return {"type": "boolean"}
    if option.kind is str:
        pattern = {"pattern": f"^{parameter.pattern}$"} if parameter.pattern else {}
        return {"type": "string", "maxLength": MAX_TEXT, **pattern}
    schema = {"type": "integer" if option.kind is int else "number", **_bounds(parameter)}
    if option.words:
        return {"anyOf": [schema, {"type": "string", "enum": list(option.words)}]}
    return schema


def _bounds(parameter: Parameter) -> dict[str, float]:
    option, bounds = parameter.option, {}
    if option.low is not None:
        bounds["exclusiveMinimum" if option.open_low else "minimum"] = option.low
    if option.high is not None:
        bounds["maximum"] = option.high
    return bounds


def _responses(
    route: Endpoint, media_type: str, reply: type[ReplyPart] | None, *, post: bool
) -> dict[str, Any]:
    responses: dict[str, Any] = {
        "200": {"description": "The answer.", "content": {media_type: _content(reply)}}
    }
    if route.cacheable and not post:
        responses["200"]["headers"] = {"etag": {"schema": {"type": "string"}}}
        responses["304"] = {"description": "The client already has this answer."}
    for status, sentence in ERRORS.items():
        if (post or status not in ONLY_POST) and not (route.free and status == "401"):
            content = {"application/json": _content(ErrorReply)}
            responses[status] = {"description": sentence, "content": content}
    return responses


def _content(reply: type[ReplyPart] | None) -> dict[str, Any]:
    if reply is None:
        return {"schema": {}}
    return {"schema": {"$ref": REFERENCE.format(name=reply.__name__)}}


def _batch(parameters: Parameters) -> dict[str, Any]:
    """The schema of a body with a list of queries."""
    properties = {name: _schema(name, parameters) for name in parameters.declared}
    url = properties["url"]
    query = {
        "type": "object",
        "required": ["url"],
        "properties": {**properties, "url": {"anyOf": [url["items"], url]}},
    }
    return {
        "type": "object",
        "required": ["queries"],
        "additionalProperties": False,
        "properties": {"queries": {"type": "array", "items": query, "maxItems": MAX_QUERIES}},
    }
