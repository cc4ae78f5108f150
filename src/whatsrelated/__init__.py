"""Given a page, the related pages, from the link structure alone."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "Answer",
    "Cocitation",
    "Graph",
    "Page",
    "Refused",
    "RelatedError",
    "Result",
    "build",
    "open",
]

_HOMES = {
    "Answer": "whatsrelated.answer",
    "Cocitation": "whatsrelated.methods.cocitation",
    "Graph": "whatsrelated.api",
    "Page": "whatsrelated.stream",
    "Refused": "whatsrelated.stream",
    "RelatedError": "whatsrelated.errors",
    "Result": "whatsrelated.answer",
    "build": "whatsrelated.api",
    "open": "whatsrelated.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
