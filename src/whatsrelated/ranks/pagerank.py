"""PageRank: where a reader is who follows links at random, and now and then jumps.

With probability d the reader follows a link of the page, any with the same
chance; else, and where the page has no links, he jumps to a page drawn from
the teleport vector t.  A page's score is the share of his time:

    x = d (Σ over parents p: x[p] / links of p  +  t · what pages without links hold) + (1-d) t

t is uniform, or over the given pages only (Personalized PageRank).  This is the
fixed point of a `RandomWalk`, solved by Gauss–Seidel in single precision
(`gauss_seidel`), and refined in double precision where the tolerance asks for
it (`refine`).

Cost: one read of the links into pages per iteration; 13 bytes per page in single
precision, 36 in double (44 with weights to jump by); with three or four threads 4
more for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.options import option
from whatsrelated.ranks import gauss_seidel, jacobi
from whatsrelated.ranks.iterative import IterativeRank, Scores
from whatsrelated.ranks.operators import LinkMatrix, RandomWalk
from whatsrelated.ranks.options import damping_option, max_rounds_option, tolerance_option
from whatsrelated.ranks.refine import fixed_point
from whatsrelated.ranks.vectors import Floats, Precision, normalize

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks.convergence import Convergence


@dataclass(frozen=True)
class PageRank(IterativeRank):
    """Where a reader is who follows links at random, and now and then jumps."""

    name: ClassVar[str] = "pagerank"

    damping: float = damping_option()
    teleport: tuple[str, ...] = option((), "the pages to jump to; all of them where none is given")
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        def weights(dtype: Precision) -> Floats:
            chosen: Floats = np.zeros(store.n_pages, dtype)
            chosen[[store.page(name) for name in self.teleport]] = 1
            return chosen

        walk = RandomWalk(links, self.damping, weights if self.teleport else None)
        return stationary_distribution(walk, convergence), None


def stationary_distribution(walk: RandomWalk, convergence: Convergence) -> Floats:
    """Where the reader of a random walk is in the long run: x = A x + b, with the sum 1."""
    scores = normalize(gauss_seidel.solve(walk, convergence).astype(convergence.dtype, copy=False))
    correct = gauss_seidel.correct if walk.damping < 1 else jacobi.correct
    return normalize(fixed_point(walk, scores, convergence, correct))
