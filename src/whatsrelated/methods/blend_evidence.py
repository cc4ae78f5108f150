"""The reasons of the default: how much each part raised the score of a page, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.graph.terms import text_of
from whatsrelated.methods.coupling import Coupling, CouplingEvidence
from whatsrelated.methods.cpa import Cpa
from whatsrelated.methods.walk import Walk, WalkEvidence
from whatsrelated.vicinity.shared import JointEvidence, SharingEvidence
from whatsrelated.vicinity.wording import FollowUp, Wording

if TYPE_CHECKING:
    from numpy import float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.terms import Terms
    from whatsrelated.methods.blend import BlendFormula, BlendVicinity

MIN_SHARE = 0.005
"""Minimum share of a part in the evidence; a smaller share would show as 0%."""
MAX_WORDS = 5
"""Maximum number of shared words in the evidence."""
NAMES = "names"
TEXT = "text"
PARTS = (Walk.name, Cpa.name, Coupling.name)
"""The parts read from links, in the order of the kernel's rows."""

Numbers = tuple[dict[str, float], dict[str, float]]
"""The value of each part for a page, and the factors of its score."""


class BlendEvidence(JointEvidence[Numbers]):
    """The share of each part in a page's score, largest first, with the reasons of the parts.

    A share is proportional to the logarithm of the factor that the part contributes, relative to a
    page that it misses.
    """

    def __init__(
        self,
        vicinity: BlendVicinity,
        factors: dict[str, NDArray[float64]],
        formula: BlendFormula,
        explained: Sequence[int],
    ) -> None:
        super().__init__(vicinity.question, explained)
        self._vicinity, self._factors, self._formula = vicinity, factors, formula

    @cached_property
    def _parts(self) -> dict[str, JointEvidence[Any]]:
        question, vicinity, formula = self.question, self._vicinity, self._formula

        def probability_of(other: int, degree: int) -> float:
            return float(self.fact(other)[0][Walk.name] * degree**formula.walk_power)

        return {
            Walk.name: WalkEvidence(question, formula.error, probability_of, self.explained),
            Cpa.name: SharingEvidence(question, vicinity.parents, self.explained, near=True),
            Coupling.name: CouplingEvidence(question, vicinity.children, self.explained),
            NAMES: NamesEvidence(self, formula.names_doubling),
            TEXT: TextEvidence(self),
        }

    def read(self, others: NDArray[uint32]) -> list[Numbers]:
        vicinity = self._vicinity
        places = [int(np.flatnonzero(vicinity.pages == other)[0]) for other in others]
        parts, rows = list(PARTS), list(vicinity.parts)
        for part, similarity in (
            (NAMES, vicinity.name_similarity),
            (TEXT, vicinity.text_similarity),
        ):
            if similarity is not None:
                parts.append(part)
                rows.append(similarity)
        columns = zip(*(row[places].tolist() for row in rows), strict=True)
        factors = zip(*(row[places].tolist() for row in self._factors.values()), strict=True)
        return [
            (dict(zip(parts, values, strict=True)), dict(zip(self._factors, raised, strict=True)))
            for values, raised in zip(columns, factors, strict=True)
        ]

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        values, factors = self.fact(other)
        shares = self._shares(values, factors)
        described: list[dict[str, Any]] = []
        for part in sorted(shares, key=lambda part: -shares[part]):
            if described and shares[part] < MIN_SHARE:
                break
            reason = self._parts[part].evidence(say, other)
            if reason["sentence"]:
                reason |= {"by": part, "score": values[part], "share": shares[part]}
                described.append(reason)
        reason = self._reason(described, other)
        return {**reason, "raw_score": prod(factors.values()), "parts": described}

    def _shares(self, values: dict[str, float], factors: dict[str, float]) -> dict[str, float]:
        """The shares of the parts that found the page."""
        doubts = self._formula.doubts
        lifts = {part: log(factors[part] / doubts[part]) for part in values}
        if not any(lifts.values()):  # no site agrees: parts that found the page share equally
            lifts = {part: float(value > 0) for part, value in values.items()}
        total = sum(lifts.values())
        if not total:  # no other site links to the other links of the parents that they share
            return {Cpa.name: 1.0}
        return {part: lifts[part] / total for part, value in values.items() if value > 0}

    def _reason(self, parts: list[dict[str, Any]], other: int) -> dict[str, Any]:
        """The strongest part in a sentence, and a second one if it is at least half as strong.

        The walk only repeats the others, unless one of the pages links to the other.
        """
        walk = [part for part in parts if part["by"] == Walk.name]
        others = [part for part in parts if part["by"] != Walk.name]
        telling = others or walk
        first, *rest = telling
        if walk and walk[0]["linked"] and others:
            rest = [walk[0]]
        elif rest and rest[0]["share"] < first["share"] / 2:
            rest = []
        shown = [first, *(self._follow_up(part["by"], other) for part in rest[:1])]
        return {
            "sentence": " ".join(part["sentence"] for part in shown),
            "named": [page for part in shown for page in part["named"]],
        }

    def _follow_up(self, part: str, other: int) -> dict[str, Any]:
        """The sentence for a part, to follow one that names both pages."""
        say = FollowUp(self.question.store, self.question.pages, other, self.quotes)
        return say.evidence(self._parts[part].sentence(say, other))


class NamesEvidence(JointEvidence[float]):
    """How similar the names of both pages are, and the words that they share.

    Below `min_similar`, people would not call the names similar.
    """

    def __init__(self, blend: BlendEvidence, min_similar: float) -> None:
        super().__init__(blend.question, blend.explained)
        self._blend, self._min_similar = blend, min_similar

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        similarity = self._blend.fact(other)[0][NAMES]
        text = self.sentence(say, other) if similarity >= self._min_similar else ""
        return {**say.evidence(text), "alike": similarity}

    def sentence(self, say: Wording, other: int) -> str:
        return say.similar_names()


class TextEvidence(JointEvidence[list[str]]):
    """The words that both texts share, most telling first."""

    def __init__(self, blend: BlendEvidence) -> None:
        super().__init__(blend.question, blend.explained)
        self._blend = blend

    @cached_property
    def _terms(self) -> Terms:
        return text_of(self.question.store, TEXT)

    def read(self, others: NDArray[uint32]) -> list[list[str]]:
        page = self.question.page
        return [self._terms.shared_words(page, other, MAX_WORDS) for other in others.tolist()]

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        return {
            **say.evidence(self.sentence(say, other)),
            "alike": self._blend.fact(other)[0][TEXT],
            "words": self.fact(other),
        }

    def sentence(self, say: Wording, other: int) -> str:
        return say.shared_words(self.fact(other))
