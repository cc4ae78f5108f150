"""What an evaluation found, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whatsrelated.evaluation.outcome import AT

if TYPE_CHECKING:
    from whatsrelated.evaluation.outcome import Outcome
    from whatsrelated.evaluation.tables import Tested

SURE = 0.05
"""A p-value below this is more than luck."""


def verdict(outcome: Outcome, tested: Sequence[Tested]) -> list[str]:
    """Who found the most, and over whom that is more than luck."""
    group = outcome.groups[0]
    recalls = {label: outcome.mean(label, "recall", group) or 0.0 for label in outcome.labels}
    precise = {label: outcome.mean(label, "average_precision", group) for label in outcome.labels}
    best, *others = ranked = sorted(
        recalls, key=lambda label: (-recalls[label], -(precise[label] or 0.0))
    )
    if not recalls[best]:
        return ["No related page was found by any method."]
    said = [
        f"{best} found {recalls[best]:.0%} of the related pages that could be among its "
        f"first {AT} answers"
        + (f"; next is {ranked[1]} with {recalls[ranked[1]]:.0%}." if others else ".")
    ]
    if not others:
        return said
    pairs = {(t.x, t.y): t for t in tested if (t.group, t.measure) == ("all", "average_precision")}
    beaten = [other for other in others if pairs[best, other].sign_holm < SURE]
    if len(beaten) == len(others):
        whom = "every other method's" if len(others) > 1 else f"that of {others[0]}"
        said.append(f"Its average precision is higher than {whom} by more than luck.")
    elif beaten:
        left = [other for other in others if other not in beaten]
        said.append(
            f"Its average precision is higher by more than luck than that of {_listed(beaten)}, "
            f"not than that of {_listed(left)}."
        )
    else:
        said.append(
            f"In average precision it is better than none of the others by more than luck: "
            f"{len(group.queries):,} queries do not tell them apart."
        )
    return said


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
