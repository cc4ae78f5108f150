"""Pages related to all of several query pages (DH99, sec. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from whatsrelated.contract.found import Found


def join(founds: Sequence[Found], names: Sequence[str]) -> Found:
    """Pages related to all query pages, from each one's whole list (DH99, sec. 6).

    Pages in all lists first, then those in all but one, and so on; within
    these by the geometric mean of the scores, each divided by its list's
    largest, a missing one being half of that list's smallest.  `names` are the query pages.
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
        parts = [
            {"of": name, **found.evidence(page)}
            for name, found in zip(names, founds, strict=True)
            if page in found.pages
        ]
        every = "both" if len(names) == 2 else f"all {len(names)}"
        to = every if len(parts) == len(names) else f"{len(parts)} of the {len(names)}"
        return {"sentence": f"Related to {to} pages.", "lists": parts}

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
