"""`/api/rank`: the best pages of the whole graph, by a rank.

A rank with its own defaults is stored beside the graph, as the command stores
it; with other options it is computed and soon forgotten, so that no client can fill
the disk or the memory.  Ranks have a thread of their own: a query never waits for one.
"""

from __future__ import annotations

from whatsrelated import Ranking
from whatsrelated.api.asking import DEFAULT_RANK
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import (
    MOST_RESULTS,
    OwnerChoice,
    Parameter,
    Parameters,
    Values,
)
from whatsrelated.apps.serve.responses import HTTPResponse, json_response
from whatsrelated.options import Option, configure
from whatsrelated.ranks import RANKS

RANK = Parameters(
    "rank",
    own={
        "top": Parameter(
            Option(20, "how many pages are wanted", low=1, high=MOST_RESULTS, kind=int)
        ),
        "hubs": Parameter(Option(False, "the best hubs, where the rank knows hubs", kind=bool)),
    },
    choice=OwnerChoice(RANKS, DEFAULT_RANK, "the rank"),
)


def rank(call: Call) -> HTTPResponse:
    """The best pages of the whole graph, by a rank."""
    values = call.values()
    ranking = compute_rank(call, values)
    reply = ranking.reply(values.own["top"], hubs=values.own["hubs"])
    return json_response(reply, cacheable=True)


def compute_rank(call: Call, values: Values) -> Ranking:
    """The ranking that was chosen."""
    by = values.own["by"]
    return call.served.graph.rank(configure(RANKS[by], values.options[by]))
