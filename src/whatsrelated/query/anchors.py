"""Anchor texts: how other pages describe a page, if the graph stores them.

They are not part of any score but are shown with the evidence of every method.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store

MAX_PARENTS = 200
"""Number of parents to read per page, most linked first."""
MAX_TEXTS = 5
MAX_CHARACTERS = 100


def texts_of_links(store: Store, page: int) -> dict[str, str]:
    """The anchor texts of a page's links, by URL; several texts for one URL are joined."""
    anchors = store.column("anchors")
    texts: dict[str, dict[str, None]] = {}
    for line in anchors.text_of(page).splitlines() if anchors else ():
        url, _, text = line.partition("\t")
        texts.setdefault(url, {})[text] = None
    return {url: " · ".join(different) for url, different in texts.items()}


def calls_of(store: Store, page: int) -> list[dict[str, Any]]:
    """The most common anchor texts of the links to a page, and how many pages use each."""
    texts = store.column("anchors")
    if texts is None:
        return []
    name = store.url(page)
    counts: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    for parent in store.links_to(page)[:MAX_PARENTS].tolist():
        pairs = (line.partition("\t") for line in texts.text_of(parent).splitlines())
        distinct = {
            " ".join(text.split())[:MAX_CHARACTERS] for url, _, text in pairs if url == name
        }
        for text in sorted(distinct - {""}):
            counts[text.casefold()] += 1
            spelt.setdefault(text.casefold(), text)
    best = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_TEXTS]
    return [{"text": spelt[text], "pages": count} for text, count in best]
