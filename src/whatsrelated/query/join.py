"""Pages related to all of several query pages (DH99, sec. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.contract.candidates import Candidates
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store

MAX_REASONS = 2
"""Maximum number of query pages whose reasons are all in the sentence."""


def join(all_lists: Sequence[Candidates], queries: Sequence[int], store: Store) -> Candidates:
    """Pages related to all query pages, from the full list of each (DH99, sec. 6).

    Pages in all lists come first, then those in all but one, and so on. Within each group, pages
    are sorted by the geometric mean of their scores, each divided by its list's largest; a missing
    score counts as half of that list's smallest.
    """
    lists = [one for one in all_lists if len(one)]
    pages = np.unique(np.concatenate([one.pages for one in all_lists]))
    lists_with = np.zeros(len(pages), np.int64)
    logs = np.zeros(len(pages), np.float64)
    for one in lists:
        scaled = one.scores / one.scores.max()
        scores = np.full(len(pages), scaled.min() / 2)
        positions = np.searchsorted(pages, one.pages)
        scores[positions] = scaled
        lists_with[positions] += 1
        logs += np.log(scores)

    explained: list[int] = []

    def evidence(page: int) -> dict[str, Any]:
        for one in all_lists:
            one.explain_together(explained)
        related = {
            query: one for query, one in zip(queries, all_lists, strict=True) if page in one.pages
        }
        lists = [{"of": store.url(query), **one.evidence(page)} for query, one in related.items()]
        say = Wording(store, queries, page)
        parts = lists if len(lists) <= MAX_REASONS else []
        if len(lists) < len(queries) or not parts:
            parts = [say.evidence(say.related_to(list(related))), *parts]
        return {
            "sentence": " ".join(part["sentence"] for part in parts),
            "named": [page for part in parts for page in part.get("named", ())],
            "lists": lists,
        }

    return Candidates(
        pages,
        np.exp(logs / max(len(lists), 1)),
        groups=lists_with,
        vicinity_pages=sum(one.vicinity_pages for one in all_lists),
        vicinity_links=sum(one.vicinity_links for one in all_lists),
        notes=tuple(dict.fromkeys(note for one in all_lists for note in one.notes)),
        details={"lists": [one.details for one in all_lists]},
        evidence=evidence,
        explained=explained,
        reason="; ".join(one.reason for one in all_lists if one.reason),
    )
