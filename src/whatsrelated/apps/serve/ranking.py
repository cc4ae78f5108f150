"""`/api/rank`: the best pages of the graph, by a rank.

A rank with default options is stored with the graph, as the command does. With other options it is
computed and soon forgotten, so no client can fill the disk or the memory. Ranks have their own
thread, so queries never wait for one.
"""

from __future__ import annotations

from whatsrelated import Ranking
from whatsrelated.api.asking import DEFAULT_RANK
from whatsrelated.apps.serve.endpoint import Call
from whatsrelated.apps.serve.parameters import (
    MAX_RESULTS,
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
    path_parameters={
        "top": Parameter(Option(20, "maximum number of pages", low=1, high=MAX_RESULTS, kind=int)),
        "hubs": Parameter(Option(False, "return the best hubs, if the rank has hubs", kind=bool)),
    },
    choice=OwnerChoice(RANKS, DEFAULT_RANK, "the rank"),
)


def rank(call: Call) -> HTTPResponse:
    """The best pages of the graph, by a rank."""
    values = call.values()
    ranking = compute_rank(call, values)
    reply = ranking.reply(values.path_values["top"], hubs=values.path_values["hubs"])
    return json_response(reply, cacheable=True)


def compute_rank(call: Call, values: Values) -> Ranking:
    """The chosen ranking."""
    by = values.path_values["by"]
    return call.served.graph.rank(configure(RANKS[by], values.options[by]))
