"""Given a page, the related pages, from the link structure alone."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "Answer",
    "Cocitation",
    "Companion",
    "Comparison",
    "ExtendedCocitation",
    "Graph",
    "Hits",
    "HubRank",
    "Lli",
    "Mbcc",
    "Page",
    "PageRank",
    "RandomizedHits",
    "Ranking",
    "Refused",
    "RelatedError",
    "Result",
    "Similarity",
    "build",
    "open",
]

_HOMES = {
    "Answer": "whatsrelated.query.answer",
    "Cocitation": "whatsrelated.methods.cocitation",
    "Companion": "whatsrelated.methods.companion",
    "Comparison": "whatsrelated.query.comparison",
    "ExtendedCocitation": "whatsrelated.methods.extended_cocitation",
    "Graph": "whatsrelated.api",
    "Hits": "whatsrelated.methods.hits",
    "HubRank": "whatsrelated.ranks.hubrank",
    "Lli": "whatsrelated.methods.lli",
    "Mbcc": "whatsrelated.ranks.mbcc",
    "Page": "whatsrelated.stream",
    "PageRank": "whatsrelated.ranks.pagerank",
    "RandomizedHits": "whatsrelated.ranks.randomized_hits",
    "Ranking": "whatsrelated.ranks.ranking",
    "Refused": "whatsrelated.stream",
    "RelatedError": "whatsrelated.errors",
    "Result": "whatsrelated.query.answer",
    "Similarity": "whatsrelated.query.similarity",
    "build": "whatsrelated.api",
    "open": "whatsrelated.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
