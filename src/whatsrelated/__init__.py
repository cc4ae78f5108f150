"""Given a page, the related pages, from the link structure alone."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "MBCC",
    "Answer",
    "Cocitation",
    "Graph",
    "HubRank",
    "Page",
    "PageRank",
    "RandomizedHITS",
    "Ranking",
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
    "HubRank": "whatsrelated.ranks.hubrank",
    "MBCC": "whatsrelated.ranks.mbcc",
    "Page": "whatsrelated.stream",
    "PageRank": "whatsrelated.ranks.pagerank",
    "RandomizedHITS": "whatsrelated.ranks.randomized_hits",
    "Ranking": "whatsrelated.ranks.ranking",
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
