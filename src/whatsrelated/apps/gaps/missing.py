"""Missing links: what pages like a page link to, and it does not, over a whole site.

1. For each page that is no hub (see structure), take what it may be missing (suggestions).
2. Let the links of the site decide how much each sign counts (calibration).
3. Put all of it in one list, by score.

Cost: that of one question to the method peers for each page, and of the calibration.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.asking import quote_page, sentence
from whatsrelated.apps.gaps.calibration import USUAL, Formula
from whatsrelated.apps.gaps.findings import MissingLink
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
    """The score, the page and the page to link to, of all that these may be missing, in order."""
    asked = list(sources)
    suggester = Suggester(site.store.links, site.is_page)
    ranked: list[tuple[float, int, int]] = []
    for done, page in enumerate(asked):
        if pace is not None:
            pace.step("looking for missing links", done, len(asked))
        found = suggester.suggest(page, is_target)
        if found is not None:
            scores = np.round(formula.scores(found.signs()), 9).tolist()
            ranked += zip(scores, repeat(page), found.targets.tolist())
    return iter(sorted(ranked, key=lambda one: (-one[0], *one[1:])))


def explain(site: SiteStructure, page: int, target: int, score: float) -> MissingLink:
    """A missing link with its reason."""
    store = site.store
    suggester = Suggester(store.links, site.is_page)
    found = suggester.suggest(page, np.arange(store.n_pages) == target)
    assert found is not None, "what was suggested once is suggested again"
    linking = found.peers[np.isin(found.peers, store.links_to(target))]
    linking = linking[np.argsort(site.is_index[linking], kind="stable")]  # an index says least
    back = bool(found.back[0])
    reasons = []
    if len(linking):
        reasons.append(
            _who_links(len(linking), len(found.peers), quote_page(store, int(linking[0])))
        )
    if back:
        reasons.append("the other page already links here")
    return MissingLink(
        store.url(page),
        store.title(page),
        store.url(target),
        store.title(target),
        round(score, 4),
        sentence("; ".join(reasons)),
        len(linking),
        len(found.peers),
        back,
        tuple(store.urls(linking[:EXAMPLES])),
    )


def _who_links(linking: int, peers: int, first: str) -> str:
    if peers == 1:
        return f"the one page that links like it, {first}, links there"
    verb = "links" if linking == 1 else "link"
    return f"{linking:,} of the {peers:,} pages that link most like it {verb} there, e.g. {first}"
