"""Sentences that summarise an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whatsrelated.apps.evaluate.outcome import AT

if TYPE_CHECKING:
    from whatsrelated.apps.evaluate.experiment import Findings

SIGNIFICANCE_LEVEL = 0.05
TEST = f"sign test with Holm's correction, p < {SIGNIFICANCE_LEVEL}"


def conclusions(findings: Findings) -> list[str]:
    """Which method has the highest capped recall, and which others are significantly worse."""
    outcome = findings.outcome
    group = outcome.groups[0]
    recalls = {
        label: outcome.mean(label, "capped_recall", group) or 0.0 for label in outcome.labels
    }
    precise = {label: outcome.mean(label, "average_precision", group) for label in outcome.labels}
    best, *others = sorted(recalls, key=lambda label: (-recalls[label], -(precise[label] or 0.0)))
    if not recalls[best]:
        return ["No method found a related page."]
    if not others:
        return [f"{best} has a capped recall@{AT} of {recalls[best]:.0%}."]
    tied = [label for label in others if recalls[label] == recalls[best]]
    if tied:
        first = (
            f"{_listed([best, *tied])} share the highest capped recall@{AT}, {recalls[best]:.0%}."
        )
    else:
        following = f"{others[0]} follows with {recalls[others[0]]:.0%}"
        first = f"{best} has the highest capped recall@{AT}, {recalls[best]:.0%}; {following}."
    tests = {
        (test.x, test.y): test
        for test in findings.tests
        if (test.group, test.measure) == (group.name, "average_precision")
    }
    worse = [each for each in others if tests[best, each].sign_holm < SIGNIFICANCE_LEVEL]
    return [first, _significance(best, worse, [each for each in others if each not in worse])]


def _significance(best: str, worse: Sequence[str], close: Sequence[str]) -> str:
    if not worse:
        whom = f"that of {close[0]}" if len(close) == 1 else "that of any other method"
        return f"The average precision of {best} is not significantly higher than {whom} ({TEST})."
    if not close:
        whom = f"that of {worse[0]}" if len(worse) == 1 else "that of every other method"
    else:
        whom = f"that of {_listed(worse)}, but not than that of {_listed(close)}"
    return f"The average precision of {best} is significantly higher than {whom} ({TEST})."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
