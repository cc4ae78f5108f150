"""The shapes of what the API answers, as JSON schemas."""

from __future__ import annotations

from typing import Any

from whatsrelated.server.picture import ROLES


def _object(**properties: Any) -> dict[str, Any]:
    required = [name for name in properties if not name.endswith("_")]
    told = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {"type": "object", "required": required, "properties": told}


def _list(of: Any) -> dict[str, Any]:
    return {"type": "array", "items": of}


_TEXT = {"type": "string"}
_TITLE = {"type": ["string", "null"]}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer", "minimum": 0}
_ANY = {"type": "object"}
_PAGE = _object(url=_TEXT, title=_TITLE, **{"in": _COUNT, "out": _COUNT})

SCHEMAS: dict[str, Any] = {
    "Error": _object(
        error=_object(
            status={"type": "integer"},
            kind=_TEXT,
            sentence=_TEXT,
            nearest_={"type": ["string", "null"]},
        )
    ),
    "Answer": _object(
        version={"const": 1},
        asked=_list(_TEXT),
        answered_for=_list(_TEXT),
        by=_TEXT,
        options=_ANY,
        results=_list(_object(url=_TEXT, title=_TITLE, score=_NUMBER, evidence_=_ANY)),
        vicinity=_object(pages=_COUNT, links=_COUNT),
        took_ms=_NUMBER,
        notes=_list(_TEXT),
    ),
    "Answers": _object(
        version={"const": 1},
        answers=_list(
            {
                "anyOf": [
                    {"$ref": "#/components/schemas/Answer"},
                    {"$ref": "#/components/schemas/Error"},
                ]
            }
        ),
    ),
    "Pages": _object(version={"const": 1}, pages=_list(_PAGE)),
    "Links": _object(
        version={"const": 1},
        url=_TEXT,
        title=_TITLE,
        links_in_=_list(_object(url=_TEXT, title=_TITLE, text_=_TITLE)),
        links_out_=_list(_object(url=_TEXT, title=_TITLE, text_=_TITLE)),
    ),
    "Comparison": _object(
        version={"const": 1},
        asked=_list(_TEXT),
        methods=_list(_TEXT),
        pages=_list(_object(url=_TEXT, title=_TITLE, places=_list({"type": ["integer", "null"]}))),
        shared=_list(_list(_COUNT)),
        agreement=_list(_list({"type": ["number", "null"]})),
        answers=_list({"$ref": "#/components/schemas/Answer"}),
    ),
    "Similarity": _object(
        version={"const": 1},
        asked=_list(_TEXT),
        by=_TEXT,
        options=_ANY,
        pages=_list(_object(url=_TEXT, title=_TITLE)),
        scores=_list(_list({"type": ["number", "null"]})),
        took_ms=_NUMBER,
        notes=_list(_TEXT),
    ),
    "Vicinity": _object(
        version={"const": 1},
        asked=_list(_TEXT),
        answered_for=_list(_TEXT),
        pages=_COUNT,
        links=_COUNT,
        roles=_ANY,
        nodes=_list(
            _object(
                url=_TEXT,
                title=_TITLE,
                roles=_list({"enum": list(ROLES)}),
                hub=_NUMBER,
                authority=_NUMBER,
            )
        ),
        edges=_list({**_list(_COUNT), "minItems": 2, "maxItems": 2}),
    ),
    "Ranked": _object(
        version={"const": 1},
        by=_TEXT,
        options=_ANY,
        rounds=_COUNT,
        residual=_NUMBER,
        results=_list(_object(url=_TEXT, title=_TITLE, score=_NUMBER)),
        notes=_list(_TEXT),
    ),
    "Methods": _object(
        version={"const": 1}, default=_TEXT, methods=_list(_ANY), common=_list(_ANY)
    ),
    "Document": {"type": "object"},
    "Health": _object(
        version={"const": 1},
        status={"enum": ["ok", "old graph"]},
        trouble=_TITLE,
        pages=_COUNT,
        links=_COUNT,
        fingerprint=_TEXT,
    ),
}
