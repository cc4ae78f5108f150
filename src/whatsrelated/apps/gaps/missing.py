"""Find missing links: targets that similar pages link to but a page does not, over a whole site.

1. Collect suggestions for each page that is not a hub (see structure and suggestions).
2. Calibrate the weight of each signal with the site's own links (see calibration).
3. Put all suggestions into one list, by score.

Cost: one query with the method `peers` per page, plus the calibration.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.asking import quote_page, sentence
from whatsrelated.apps.gaps.calibration import USUAL, Formula
from whatsrelated.apps.gaps.findings import LinkPlace, MissingLink
from whatsrelated.apps.gaps.suggestions import Suggester

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.apps.gaps.pace import Pace
    from whatsrelated.apps.gaps.structure import SiteStructure

EXAMPLES = 3


def missing_links(
    site: SiteStructure,
    sources: Iterable[int],
    is_target: NDArray[bool_],
    formula: Formula = USUAL,
    pace: Pace | None = None,
) -> Iterator[tuple[float, int, int]]:
    """Score, page and target of every suggestion for these pages, best first."""
    pages = list(sources)
    suggester = Suggester(site.store.links, site.is_page)
    ranked: list[tuple[float, int, int]] = []
    for done, page in enumerate(pages):
        if pace is not None:
            pace.step("looking for missing links", done, len(pages))
        suggestions = suggester.suggest(page, is_target)
        if suggestions is not None:
            scores = np.round(formula.scores(suggestions.signals()), 9).tolist()
            ranked += zip(scores, repeat(page), suggestions.targets.tolist())
    return iter(sorted(ranked, key=lambda one: (-one[0], *one[1:])))


def explain(
    site: SiteStructure, page: int, target: int, score: float, place: LinkPlace | None = None
) -> MissingLink:
    """A missing link with its reasons and its place, if known."""
    store = site.store
    suggester = Suggester(store.links, site.is_page)
    suggestions = suggester.suggest(page, np.arange(store.n_pages) == target)
    mentioned = place is not None and place.anchor
    assert suggestions is not None or mentioned, "suggestions are reproducible"
    peers = suggestions.peers if suggestions is not None else np.zeros(0, np.uint32)
    linking = peers[np.isin(peers, store.links_to(target))]
    linking = linking[np.argsort(site.is_index[linking], kind="stable")]  # indexes last
    back = suggestions is not None and bool(suggestions.back[0])
    quoted = quote_page(store, page), quote_page(store, target)
    reasons = [f"{quoted[0]} says “{place.anchor}”"] if place is not None and mentioned else []
    if len(linking):
        reasons.append(
            _who_links(len(linking), len(peers), *quoted, quote_page(store, int(linking[0])))
        )
    if back:
        reasons.append(f"{quoted[1]} already links to {quoted[0]}")
    return MissingLink(
        store.url(page),
        store.title(page),
        store.url(target),
        store.title(target),
        round(score, 4),
        " ".join(map(sentence, reasons)),
        len(linking),
        len(peers),
        back,
        tuple(store.urls(linking[:EXAMPLES])),
        place,
    )


def _who_links(linking: int, peers: int, page: str, target: str, first: str) -> str:
    """The similar pages that link to the target; `first` is one of them."""
    if peers == 1:
        return f"{first}, the only page similar to {page}, links to {target}"
    if linking == 1:
        return f"{first}, one of the {peers:,} pages most similar to {page}, links to {target}"
    similar = f"{linking:,} of the {peers:,} pages most similar to {page}"
    return f"{similar} link to {target}, for example {first}"
