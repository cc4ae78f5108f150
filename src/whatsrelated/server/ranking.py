"""`/api/rank`: the best pages of the whole graph, by a rank.

A rank with its own defaults is kept beside the graph, as the command keeps it;
with other options it is computed and forgotten, so that nobody who asks can
fill the disk.  Ranks have a thread of their own: a query never waits for one.
"""

from __future__ import annotations

from typing import Any

from whatsrelated.api import DEFAULT_RANK
from whatsrelated.options import Option, configured
from whatsrelated.ranks import RANKS, rank_named
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.server import questions
from whatsrelated.server.replies import Reply, json_reply
from whatsrelated.server.route import Ask

TOP = {
    "by": Option(DEFAULT_RANK, "the rank", choices=tuple(RANKS)),
    "top": Option(20, "how many pages are wanted", low=1, high=questions.MOST_RESULTS, kind=int),
    "hubs": Option(False, "the best hubs, where the rank knows hubs", kind=bool),
}


def rank(ask: Ask) -> Reply:
    """The best pages of the whole graph, by a rank."""
    found = ask.fields(*questions.LISTS)
    route = {name: found.pop(name) for name in TOP if name in found}
    options = questions.taken(route, TOP, "rank")
    ranking = ranked(ask, options["by"], found)
    results = ranking.top(options["top"], hubs=options["hubs"])
    return json_reply(
        {
            "version": 1,
            "by": ranking.by.name,
            "options": ranking.by.settings(),
            "rounds": ranking.rounds,
            "residual": ranking.residual,
            "results": [result.as_dict() for result in results],
            "notes": list(ranking.notes),
        },
        keep=True,
    )


def ranked(ask: Ask, by: str, found: dict[str, Any]) -> Ranking:
    """The ranking that these fields ask for."""
    owner = rank_named(by)
    known = questions.options_over_http(owner)
    values = questions.taken(found, known, by)
    chosen = configured(owner, values)
    if chosen == owner():
        return ask.serving.graph.rank(chosen)
    return chosen.compute(ask.serving.graph.store)


def all_options() -> dict[str, Option]:
    """Every option of a rank by name, as the first rank that has it declares it."""
    found: dict[str, Option] = {}
    for name in RANKS:
        for option, told in questions.options_over_http(rank_named(name)).items():
            found.setdefault(option, told)
    return found
