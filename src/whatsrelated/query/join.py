"""Pages related to all of several query pages (DH99, sec. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.contract.found import Found
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store

MOST_TOLD = 2
"""Maximum number of query pages whose reasons are all in the sentence."""


def join(founds: Sequence[Found], queries: Sequence[int], store: Store) -> Found:
    """Pages related to all query pages, from the full list of each (DH99, sec. 6).

    Pages in all lists first, then those in all but one, and so on; within
    these by the geometric mean of the scores, each divided by its list's
    largest, a missing one being half of that list's smallest.
    """
    lists = [found for found in founds if len(found)]
    pages = np.unique(np.concatenate([found.pages for found in founds]))
    lists_with = np.zeros(len(pages), np.int64)
    logs = np.zeros(len(pages), np.float64)
    for found in lists:
        scaled = found.scores / found.scores.max()
        own = np.full(len(pages), scaled.min() / 2)
        places = np.searchsorted(pages, found.pages)
        own[places] = scaled
        lists_with[places] += 1
        logs += np.log(own)

    def evidence(page: int) -> dict[str, Any]:
        own = {
            query: found
            for query, found in zip(queries, founds, strict=True)
            if page in found.pages
        }
        lists = [{"of": store.url(query), **each.evidence(page)} for query, each in own.items()]
        say = Wording(store, queries, page)
        told = lists if len(lists) <= MOST_TOLD else []
        if len(lists) < len(queries) or not told:
            told = [say.evidence(say.related_to(list(own))), *told]
        return {
            "sentence": " ".join(part["sentence"] for part in told),
            "named": [named for part in told for named in part.get("named", ())],
            "lists": lists,
        }

    return Found(
        pages,
        np.exp(logs / max(len(lists), 1)),
        groups=lists_with,
        vicinity_pages=sum(found.vicinity_pages for found in founds),
        vicinity_links=sum(found.vicinity_links for found in founds),
        notes=tuple(dict.fromkeys(note for found in founds for note in found.notes)),
        details={"lists": [found.details for found in founds]},
        evidence=evidence,
        reason="; ".join(found.reason for found in founds if found.reason),
    )
