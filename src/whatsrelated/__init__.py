"""Given a page, the related pages, from the link structure alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whatsrelated.api import Graph, build, open
    from whatsrelated.api.contents import GraphPage
    from whatsrelated.api.updating import update
    from whatsrelated.contract.found import Found, Result
    from whatsrelated.contract.question import Question
    from whatsrelated.errors import (
        BuildError,
        GraphFormatError,
        MissingExtra,
        NotConverged,
        OptionError,
        OutOfMemory,
        OutOfTime,
        PageNotFound,
        ReadError,
        RelatedError,
        SparkError,
    )
    from whatsrelated.methods import Method
    from whatsrelated.methods.blend import Blend
    from whatsrelated.methods.cocitation import Cocitation
    from whatsrelated.methods.companion import Companion
    from whatsrelated.methods.coupling import Coupling
    from whatsrelated.methods.cpa import Cpa
    from whatsrelated.methods.extended_cocitation import ExtendedCocitation
    from whatsrelated.methods.hits import Hits
    from whatsrelated.methods.hubfinder import HubFinder
    from whatsrelated.methods.lli import Lli
    from whatsrelated.methods.pagesim import PageSim
    from whatsrelated.methods.peers import Peers
    from whatsrelated.methods.simrank import SimRank
    from whatsrelated.methods.walk import Walk
    from whatsrelated.query.answer import Answer
    from whatsrelated.query.comparison import Comparison
    from whatsrelated.query.neighbours import Common
    from whatsrelated.query.similarity import Similarity
    from whatsrelated.ranks import Rank
    from whatsrelated.ranks.degrees import InDegree, OutDegree
    from whatsrelated.ranks.hits import HitsRank
    from whatsrelated.ranks.hubrank import HubRank
    from whatsrelated.ranks.mbcc import Mbcc
    from whatsrelated.ranks.pagerank import PageRank
    from whatsrelated.ranks.randomized_hits import RandomizedHits
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.stream import Page, Refused

    __version__: str

__all__ = [
    "Answer",
    "Blend",
    "BuildError",
    "Cocitation",
    "Common",
    "Companion",
    "Comparison",
    "Coupling",
    "Cpa",
    "ExtendedCocitation",
    "Found",
    "Graph",
    "GraphFormatError",
    "GraphPage",
    "Hits",
    "HitsRank",
    "HubFinder",
    "HubRank",
    "InDegree",
    "Lli",
    "Mbcc",
    "Method",
    "MissingExtra",
    "NotConverged",
    "OptionError",
    "OutDegree",
    "OutOfMemory",
    "OutOfTime",
    "Page",
    "PageNotFound",
    "PageRank",
    "PageSim",
    "Peers",
    "Question",
    "RandomizedHits",
    "Rank",
    "Ranking",
    "ReadError",
    "Refused",
    "RelatedError",
    "Result",
    "SimRank",
    "Similarity",
    "SparkError",
    "Walk",
    "__version__",
    "build",
    "open",
    "update",
]

_HOMES = {
    "Answer": "query.answer",
    "Blend": "methods.blend",
    "BuildError": "errors",
    "Cocitation": "methods.cocitation",
    "Common": "query.neighbours",
    "Companion": "methods.companion",
    "Comparison": "query.comparison",
    "Coupling": "methods.coupling",
    "Cpa": "methods.cpa",
    "ExtendedCocitation": "methods.extended_cocitation",
    "Found": "contract.found",
    "Graph": "api",
    "GraphFormatError": "errors",
    "GraphPage": "api.contents",
    "Hits": "methods.hits",
    "HitsRank": "ranks.hits",
    "HubFinder": "methods.hubfinder",
    "HubRank": "ranks.hubrank",
    "InDegree": "ranks.degrees",
    "Lli": "methods.lli",
    "Mbcc": "ranks.mbcc",
    "Method": "methods",
    "MissingExtra": "errors",
    "NotConverged": "errors",
    "OptionError": "errors",
    "OutOfMemory": "errors",
    "OutOfTime": "errors",
    "OutDegree": "ranks.degrees",
    "Page": "stream",
    "PageNotFound": "errors",
    "PageRank": "ranks.pagerank",
    "PageSim": "methods.pagesim",
    "Peers": "methods.peers",
    "Question": "contract.question",
    "RandomizedHits": "ranks.randomized_hits",
    "Rank": "ranks",
    "Ranking": "ranks.ranking",
    "ReadError": "errors",
    "Refused": "stream",
    "RelatedError": "errors",
    "SparkError": "errors",
    "Result": "contract.found",
    "SimRank": "methods.simrank",
    "Similarity": "query.similarity",
    "Walk": "methods.walk",
    "build": "api",
    "open": "api",
    "update": "api.updating",
}
"""Where each name is defined; nothing is imported before it is used."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module, metadata

        if name == "__version__":
            value = metadata.version(__name__)
        elif name in _HOMES:
            module, _, defined = _HOMES[name].partition(":")
            value = getattr(import_module(f"{__name__}.{module}"), defined or name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
