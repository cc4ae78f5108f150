"""Questions with weights: query pages that count more or less, and pages to move away from.

Without weights, several pages are joined: pages related to all of them come first (`join`). With
weights, they are one question, and a page closely related to one of them is a good result:

- a method that supports weights (`weighs`) takes them all in one question, and gives each page its
  share (`walk`, `blend`);
- for any other method, the lists of the query pages are added, each with its weight, and those of
  the pages to move away from are subtracted. Each list is divided by its largest score, unless the
  method's scores are on one scale (`companion`).

A page that the user knows is a hint: a query page with a small weight, if the method supports
weights.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates
from whatsrelated.errors import OptionError, PageNotFound
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Callable

    from whatsrelated.contract.question import Question
    from whatsrelated.graph.store import Store
    from whatsrelated.methods import Method

MAX_WEIGHTED = 500
"""Maximum number of pages in a question with weights, including hints."""
MAX_WEIGHT = 1000.0
"""Maximum weight of a page; a larger number after a colon is usually a port."""
MAX_NAMED = 3
"""Maximum number of query pages in the evidence of a result."""
RESTART, ERROR = 0.3, 1e-4
"""The walk that finds the query pages nearest to a result."""

_WEIGHT = re.compile(r"(.+):([0-9]++(?:\.[0-9]++)?|\.[0-9]++)", re.S)
_PORT = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#]*:[0-9]+", re.I)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the query pages by name, in order, and of the pages to move away from."""

    pages: Mapping[str, float]
    away: Mapping[str, float]

    @classmethod
    def of(cls, pages: Any, unlike: Any) -> Weights | None:
        """The weights in the arguments of a call; None if there are none."""
        away = _weights_of("unlike", unlike)
        if not isinstance(pages, Mapping) and not away:
            return None
        weights = _weights_of("pages", pages)
        if not weights:
            raise OptionError("related: no pages given; name at least one.")
        if len(weights) + len(away) > MAX_WEIGHTED:
            count = f"{len(weights) + len(away):,}"
            raise OptionError(f"related: at most {MAX_WEIGHTED} pages with weights, got {count}.")
        return cls(weights, away)


def _weights_of(name: str, values: Any) -> dict[str, float]:
    """Pages with their weights, from a dictionary, a list or a single page."""
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, Mapping):
        if not isinstance(values, Collection) or isinstance(values, bytes):
            raise OptionError(
                f"related: {name} must be pages, or a dictionary of pages and their weights, "
                f"got {values!r:.80}."
            )
        values = dict.fromkeys(values, 1.0)
    for page, weight in values.items():
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not is_number or not 0 < weight <= MAX_WEIGHT:  # NaN is neither
            raise OptionError(
                f"related: the weight of {page!s:.200} must be above 0 and at most "
                f"{MAX_WEIGHT:g}, got {weight!r:.80}."
            )
    return {page: float(weight) for page, weight in values.items()}


def read_weights(store: Store, texts: Sequence[str]) -> list[str] | dict[str, float]:
    """Pages as users type them, with PAGE:WEIGHT for a weight; a list if none has a weight.

    A number after a colon is a weight only if the whole text is not a page, but the text before it
    is. The number after a host, as in http://localhost:8000, is always a port.
    """
    pairs = [_read_weight(store, text) for text in texts]
    if all(weight is None for _, weight in pairs):
        return list(texts)
    weights: dict[str, float] = {}
    for page, weight in pairs:
        if page in weights:
            raise OptionError(f"related: {page:.200} is given twice; give it one weight.")
        weights[page] = 1.0 if weight is None else weight
    return weights


def _read_weight(store: Store, text: str) -> tuple[str, float | None]:
    parts = _WEIGHT.fullmatch(text)
    if parts is None or _PORT.fullmatch(text) or store.look_up(text) is not None:
        return text, None
    page, weight = parts.groups()
    try:
        store.page(page)
    except PageNotFound as error:
        raise PageNotFound(
            f"{str(error).rstrip('.')}; {text:.200} is not a page either. In PAGE:WEIGHT, the page "
            "must be in the graph.",
            page,
            error.nearest,
            error.candidates,
        ) from None
    return page, float(weight)


def add_lists(
    lists: Sequence[Candidates],
    weights: Sequence[float],
    queries: Sequence[int],
    store: Store,
    *,
    scaled: bool,
) -> Candidates:
    """The weighted sum of several lists; negative weights are subtracted.

    With `scaled`, the scores are on one scale; otherwise each list is divided by its largest score.
    Pages with a sum of 0 or less are left out.
    """
    pages = np.unique(np.concatenate([one.pages for one in lists]))
    sums = np.zeros(len(pages))
    for one, weight in zip(lists, weights, strict=True):
        if len(one):
            largest = 1.0 if scaled else one.scores.max() or 1.0
            sums[pages.searchsorted(one.pages)] += weight * one.scores / largest
    positive = [one for one, weight in zip(lists, weights, strict=True) if weight > 0]
    largest_sum = np.abs(sums).max(initial=0)
    kept = sums > 1e-12 * largest_sum

    def evidence(page: int) -> dict[str, Any]:
        parts = {
            query: (weight * one.scores[one.pages == page][0], one)
            for query, weight, one in zip(queries, weights, positive, strict=False)
            if page in one.pages
        }
        first = sorted(parts, key=lambda query: -parts[query][0])
        return related_evidence(
            store, queries, page, first, lambda query: parts[query][1].evidence(page)
        )

    return Candidates(
        pages[kept],
        sums[kept],
        vicinity_pages=sum(one.vicinity_pages for one in lists),
        vicinity_links=sum(one.vicinity_links for one in lists),
        notes=tuple(dict.fromkeys(note for one in lists for note in one.notes)),
        details={"lists": [one.details for one in lists]},
        evidence=evidence,
        reason="; ".join(one.reason for one in positive if one.reason)
        or "every page that was found is closer to the pages in unlike",
    )


def related_evidence(
    store: Store,
    queries: Sequence[int],
    page: int,
    related: Sequence[int],
    evidence_for: Callable[[int], dict[str, Any]],
) -> dict[str, Any]:
    """Why a page is related to a weighted query: the query pages it is related to, nearest first,
    and the reasons for the nearest.
    """
    related = related or queries[:1]
    lists = [{"of": store.url(query), **evidence_for(query)} for query in related[:MAX_NAMED]]
    if len(queries) == 1:
        return {key: value for key, value in lists[0].items() if key != "of"}
    say = Wording(store, queries, page)
    parts = [say.evidence(say.related_to(related)), *lists[:1]]
    return {
        "sentence": " ".join(part["sentence"] for part in parts if part.get("sentence")),
        "named": [named for part in parts for named in part.get("named", ())],
        "lists": lists,
    }


def explain_weighted(question: Question, method: Method) -> Callable[[int], dict[str, Any]]:
    """The evidence of a method that supports weights: for each result, the nearest query pages, and
    how each of them alone is related to it.
    """
    store = question.store
    alone: dict[int, Candidates] = {}

    def evidence_for(query: int, page: int) -> dict[str, Any]:
        if query not in alone:
            alone[query] = method.find(question.of_one(query))
        if page in alone[query].pages:
            return alone[query].evidence(page)
        say = Wording(store, (query,), page)
        return say.evidence(say.related_to([query]))

    return lambda page: related_evidence(
        store,
        question.pages,
        page,
        nearest_queries(question, page),
        lambda query: evidence_for(query, page),
    )


def nearest_queries(question: Question, page: int) -> list[int]:
    """The query pages from which a walk reaches the page, largest contribution first. The walk is
    symmetric: its probability from a query page to the page equals the probability of the way back
    times the ratio of their degrees.
    """
    store, queries = question.store, np.array(question.pages, np.uint32)
    pages, probabilities, _, _ = kernels.walk.push(
        scratch_of(kernels.walk.Scratch),
        store.links,
        np.array([page], np.uint32),
        np.ones(1),
        RESTART,
        ERROR,
    )
    back = dict(zip(pages.tolist(), probabilities.tolist(), strict=True))
    degrees = np.maximum(store.in_degree(queries) + store.out_degree(queries), 1)
    parts = question.shares / degrees * [back.get(query, 0.0) for query in question.pages]
    order = np.lexsort((queries, -parts))
    return [question.pages[place] for place in order.tolist() if parts[place] > 0]
