"""Rounds until the scores rest, in 32 bits or in 64.

The linear ranks are x = A x + b.  A round puts x into the right-hand side; the
rank rests when a round changes it by less than the tolerance (L1).

In 32 bits that is all, but for this: a round must change less than the one
before, and where rounding keeps it from that, the rest is done in 64 bits.

In 64 bits most of a round's time would go into reading 64-bit numbers from all
over memory.  But the change of a round is A times the change of the round
before, and a change needs few digits:

1. one round in 64 bits; stop if it changes x by less than the tolerance;
2. take its change d in 32 bits and go on with d = A d, x += d, x in 64 bits,
   until d has faded to 1e-5 of what it was or to the tolerance;
3. the error of 32 bits was in proportion to d: again from 1.

So a 64-bit rank costs little more than a 32-bit one, and the round after which
it stops is a 64-bit round.  (This is iterative refinement of a linear system.)
A rank may know a shorter way to what a change comes to than 2 (`correct`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import NotConverged
from whatsrelated.ranks.ranking import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks import Rank
    from whatsrelated.stream import Progress

SINGLE = 1e-6
"""The least tolerance that 32 bits are enough for."""
FADED = 1e-5
"""How much of a change carried in 32 bits may be left before a round in 64 bits."""

Push = Callable[..., tuple[float, float]]
"""push(shares, stranded, result, total, fresh): A times the shares, plus b where `fresh`.

`stranded` is what pages without links hold.  Gives the change and what is then stranded.
"""


@dataclass
class Rounds:
    """How many rounds were made, and what the last one changed."""

    name: str
    tolerance: float
    most: int
    progress: Progress | None = None
    accept: bool = False
    done: int = 0
    change: float = float("inf")

    @property
    def kind(self) -> Any:
        """The type of number that the tolerance asks for."""
        return np.float32 if self.tolerance >= SINGLE else np.float64

    @property
    def settled(self) -> bool:
        return self.change < self.tolerance

    @property
    def over(self) -> bool:
        return self.settled or self.done >= self.most

    def count(self, change: float) -> None:
        self.done += 1
        self.change = float(change)
        if self.progress is not None:
            self.progress(f"{self.name}, change {change:.1e}, round", self.done, None)

    def check(self) -> None:
        """An error, unless the scores have settled or it was asked to accept them."""
        if not self.settled and not self.accept:
            raise NotConverged(
                f"{self.name}: after {self.done:,} rounds a round still changes the scores by "
                f"{self.change:.2g}, the tolerance is {self.tolerance:g}; "
                "allow more rounds (max_rounds) or a larger tolerance, or accept it (accept).",
                self.done,
                self.change,
            )

    def ranking(
        self, store: Store, rank: Rank, scores: NDArray[Any], hubs: NDArray[Any] | None = None
    ) -> Ranking:
        """What the rounds came to."""
        notes = () if self.settled else (f"The scores still change by {self.change:.2g} a round.",)
        return Ranking(store, rank, scores, hubs, self.done, self.change, self.settled, notes)


Correct = Callable[[Any, Any, float, float], float]
"""correct(shares, moved, change, enough): add to the shares what a change comes to in the end.

`moved` is what a round would change, as shares, `change` that in all, `enough` what may be left.
Gives what is then stranded.
"""


def settle(
    push: Push,
    begin: Callable[[Any], NDArray[Any]],
    degrees: Callable[[Any], NDArray[Any]],
    rounds: Rounds,
    correct: Correct | None = None,
) -> NDArray[Any]:
    """The scores at rest, from those to begin with, which are used up.

    A page's share is its score over its degree, or its score where that is 0 (stranded).
    `begin` and `degrees` give them in a type of number.  To begin may have taken rounds.
    """
    kind = rounds.kind
    scores = begin(kind)
    if kind is np.float64 or not rounds.over:
        own = degrees(kind)
        stranded = float(scores[own == 0].sum(dtype=np.float64))
        scores /= np.maximum(own, 1)
        going = _settle_double if kind is np.float64 else _settle_single
        scores = going(push, scores, stranded, rounds, correct)
        scores *= np.maximum(degrees(scores.dtype.type), 1)
    rounds.check()
    return scores


def _settle_single(
    push: Push, shares: NDArray[Any], stranded: float, rounds: Rounds, correct: Correct | None
) -> NDArray[Any]:
    spare = np.empty_like(shares)
    while not rounds.over:
        before = rounds.change
        change, stranded = push(shares, stranded, spare, None, True)
        shares, spare = spare, shares
        rounds.count(change)
        if change >= before and not rounds.over:
            return _settle_double(push, shares.astype(np.float64), stranded, rounds, correct)
    return shares


def _settle_double(
    push: Push, shares: NDArray[Any], stranded: float, rounds: Rounds, correct: Correct | None
) -> NDArray[Any]:
    spare = np.empty_like(shares)
    while True:
        change, after = push(shares, stranded, spare, None, True)
        rounds.count(change)
        if rounds.over:
            return spare
        enough = max(FADED * change, rounds.tolerance / 2)
        np.subtract(spare, shares, out=spare)
        moved = spare.astype(np.float32)
        if correct is not None:
            stranded = correct(shares, moved, change, enough)
        else:
            shares += spare
            moving, stranded = after - stranded, after
            target = np.empty_like(moved)
            while change > enough and rounds.done < rounds.most:
                change, moving = push(moved, moving, target, shares, False)
                moved, target = target, moved
                stranded += moving
                rounds.count(change)
        if rounds.done >= rounds.most:
            return shares


def summing_to_one(scores: NDArray[Any]) -> NDArray[Any]:
    """The scores over their sum, in place; all the same where that is 0.

    No share is negative: what is, was 0 before it was rounded.
    """
    np.maximum(scores, 0, out=scores)
    total = scores.sum(dtype=np.float64)
    if total > 0:
        scores /= total
    else:
        scores[:] = 1 / max(len(scores), 1)
    return scores
