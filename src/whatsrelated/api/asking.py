"""Requests, searches and wording, for applications that present answers."""

from __future__ import annotations

from whatsrelated.methods.authorities import Authorities
from whatsrelated.methods.peers import POPULAR
from whatsrelated.query.ask import TOO_FEW, Asker, limit_notes
from whatsrelated.query.clusters import find_clusters
from whatsrelated.query.comparison import average_overlap
from whatsrelated.query.decisions import Decisions, read_decisions
from whatsrelated.query.evidence import outline
from whatsrelated.query.filters import Filters
from whatsrelated.query.neighbours import WAYS
from whatsrelated.query.pages import PageSearch
from whatsrelated.query.paths import PathRequest
from whatsrelated.query.patterns import Pattern, patterns
from whatsrelated.query.rankings import DEFAULT_RANK
from whatsrelated.query.record_batches import arrow, positions, record_batch, schema
from whatsrelated.query.request import (
    DEFAULT_METHOD,
    BasicRequest,
    Request,
    SimilarityRequest,
    split_options,
)
from whatsrelated.query.resolve import find_page
from whatsrelated.query.similarity import DEFAULT_MEASURE
from whatsrelated.query.stop_lists import state_of
from whatsrelated.query.weights import MAX_WEIGHTED, read_weights
from whatsrelated.vicinity.gathering import CHILD, COPARENT, PARENT, QUERY, SIBLING
from whatsrelated.vicinity.quoting import quote, quote_page
from whatsrelated.vicinity.wording import sentence

__all__ = [
    "CHILD",
    "COPARENT",
    "DEFAULT_MEASURE",
    "DEFAULT_METHOD",
    "DEFAULT_RANK",
    "MAX_WEIGHTED",
    "PARENT",
    "POPULAR",
    "QUERY",
    "SIBLING",
    "TOO_FEW",
    "WAYS",
    "Asker",
    "Authorities",
    "BasicRequest",
    "Decisions",
    "Filters",
    "PageSearch",
    "PathRequest",
    "Pattern",
    "Request",
    "SimilarityRequest",
    "arrow",
    "average_overlap",
    "find_clusters",
    "find_page",
    "limit_notes",
    "outline",
    "patterns",
    "positions",
    "quote",
    "quote_page",
    "read_decisions",
    "read_weights",
    "record_batch",
    "schema",
    "sentence",
    "split_options",
    "state_of",
]
