"""How likely a mention should be a link, learned from the site's own links.

The score is 1 / (1 + exp(-z)), with z = w · x. The signs x of a candidate are:

- how often its words become a link to the target (candidates), how many such links there are, and
  whether the words are the target's title;
- the graph's evidence that the page should link to the target, as for missing links (gaps);
- how many links are near the mention, and how many of them lead to a neighbour of the target;
- the words themselves: their number, whether they are code, how often and how early they occur.

The weights w come from logistic regression on the site's own links: remove a random tenth, look for
mentions as if they had never been links, and learn which candidates were. So of 100 mentions with a
score of 0.7, 70 were links. The prior is a normal distribution around the weights in `USUAL`, so a
small site gets nearly those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.apps.gaps.calibration import hold_out, spread
from whatsrelated.apps.gaps.suggestions import Suggester
from whatsrelated.apps.mentions.candidates import (
    CandidateFinder,
    LinkCandidates,
    Mentions,
    nearness,
)

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Links
    from whatsrelated.apps.gaps.structure import SiteStructure
    from whatsrelated.apps.mentions.corpus import Corpus

SIGNS = (
    "constant",
    "odds",
    "hits",
    "title",
    "untried title",
    "share",
    "words",
    "code",
    "repeated",
    "early",
    "capital",
    "peers",
    "all peers",
    "back",
    "similar",
    "place",
    "near links",
    "related near links",
    "links on page",
    "links to target",
)
USUAL = np.array(
    [
        -1.0,
        1.0,
        0.0,
        0.0,
        0.0,
        0.5,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.3,
        0.2,
        0.2,
        0.1,
        0.3,
        0.1,
        0.2,
        0.0,
        0.0,
    ]
)
"""The weights of a site without links to learn from; chosen by hand, not fitted."""
STRENGTH = 10.0
"""How many candidates the usual weights count for."""
DRAWS = 3
MAX_PAGES = 3000
"""Maximum number of pages per draw."""


def signs(
    corpus: Corpus,
    mentions: Mentions,
    found: LinkCandidates,
    links: NDArray[int64],
    graph: Links,
    is_page: NDArray[bool_],
    held_out: NDArray[int64] | None = None,
) -> NDArray[float64]:
    """The signs of each candidate, in the order of `SIGNS`."""
    rows, targets = found.rows, found.targets
    result = np.empty((len(rows), len(SIGNS)))
    phrases = mentions.phrases[rows]
    is_title = corpus.dictionary.is_title[found.entries]
    sizes = np.zeros(corpus.store.n_pages)
    for text in corpus.texts:
        sizes[text.page] = len(text.decoded.text) + 1
    pages = mentions.pages[rows]
    result[:, 0] = 1
    result[:, 1] = np.log((found.hits + 0.1 + 0.2 * is_title) / (found.chances - found.hits + 0.5))
    result[:, 2] = np.log1p(found.hits)
    result[:, 3] = is_title
    result[:, 4] = is_title & (found.hits == 0)
    result[:, 5] = (found.hits + 0.5) / (found.all_hits + 0.5)
    result[:, 6] = np.log(np.array(corpus.table.words or [1])[phrases])
    result[:, 7] = np.array(corpus.table.is_code or [False])[phrases]
    result[:, 8] = np.log(np.maximum(mentions.counts[rows], 1))
    result[:, 9] = np.log1p(10 * mentions.starts[rows] / sizes[pages])
    result[:, 10] = _capitals(corpus, mentions, rows)
    result[:, 11:16] = graph_signs(graph, is_page, pages, targets)
    result[:, 16:18] = nearness(corpus, mentions, found, links, held_out)
    result[:, 18] = np.log1p(graph.degrees(pages.astype(np.uint32), False))
    result[:, 19] = np.log1p(graph.degrees(targets.astype(np.uint32), True))
    return result


def _capitals(corpus: Corpus, mentions: Mentions, rows: NDArray[int64]) -> NDArray[float64]:
    """Whether the words begin with a capital inside a sentence."""
    result = np.zeros(len(rows))
    places = zip(mentions.pages[rows].tolist(), mentions.starts[rows].tolist(), strict=True)
    for number, (page, start) in enumerate(places):
        text = corpus.texts[corpus.by_page[page]].decoded.text
        first = text[start : start + 2].lstrip("[`")[:1]
        before = text[max(0, start - 2) : start].rstrip(" [")
        result[number] = first.isupper() and before[-1:].isalnum()
    return result


def graph_signs(
    graph: Links, is_page: NDArray[bool_], pages: NDArray[int64], targets: NDArray[int64]
) -> NDArray[float64]:
    """The evidence of the links for each pair of page and target; `pages` need not be sorted."""
    result = np.zeros((len(pages), 5))
    suggester = Suggester(graph, is_page)
    order = np.argsort(pages, kind="stable")
    starts = np.flatnonzero(np.diff(pages[order], prepend=-1))
    for part in np.split(order, starts[1:]):
        if len(part):
            result[part] = suggester.evidence(int(pages[part[0]]), targets[part].astype(np.uint32))
    return result


def probability(signs: NDArray[float64], weights: NDArray[float64]) -> NDArray[float64]:
    """The score of each candidate."""
    return np.asarray(1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30))))


def fit(
    known: NDArray[float64],
    true: NDArray[bool_],
    home: NDArray[float64] = USUAL,
    strength: float = STRENGTH,
) -> NDArray[float64]:
    """Logistic regression by Newton's method, with a normal prior around `home`."""
    scale = np.maximum(known.std(axis=0), 0.05) ** 2
    doubt = strength * scale
    doubt[0] = 0.1 * strength
    found = home.copy()
    for _ in range(50):
        share = probability(known, found)
        slope = known.T @ (true - share) - doubt * (found - home)
        bend = (known * (share * (1 - share))[:, None]).T @ known + np.diag(doubt)
        step = np.linalg.solve(bend, slope)
        found = found + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-6:
            break
    return found


def trial(
    site: SiteStructure, corpus: Corpus, mentions: Mentions, finder: CandidateFinder, seed: int
) -> tuple[NDArray[float64], NDArray[bool_], LinkCandidates]:
    """The signs of the candidates of some pages with a tenth of the links removed, and which
    candidates are removed links.
    """
    rest, gone = hold_out(site, seed)
    found = finder.find(gone)
    pages = mentions.pages[found.rows]
    some = spread(np.unique(pages), MAX_PAGES)
    kept = np.isin(pages, some)
    found = LinkCandidates(*(getattr(found, name)[kept] for name in LinkCandidates.__slots__))
    return (
        signs(corpus, mentions, found, finder.links, rest, site.is_page, gone),
        found.is_held_out,
        found,
    )


def calibrate(
    site: SiteStructure, corpus: Corpus, mentions: Mentions, finder: CandidateFinder
) -> NDArray[float64]:
    """The weights for this site."""
    parts = [trial(site, corpus, mentions, finder, seed)[:2] for seed in range(DRAWS)]
    known, true = (np.concatenate(part) for part in zip(*parts, strict=True))
    return fit(known, true) if len(known) else USUAL
