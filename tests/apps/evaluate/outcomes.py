"""An outcome small enough to work out by hand."""

from __future__ import annotations

from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.trials import Trial

# Three queries: X answers two, Y all three, and Z, a run, only the first.
GOLDS = {
    "q1": {"a": 1.0, "b": 1.0, "broken": -1.0},
    "q2": {"c": 1.0, "d": 0.0},
    "q3": {"e": 2.0},
}
ANSWERS = {
    "x": [Trial("q1", ("a", "n", "b"), 2.0, 9, 20, 4, 3), Trial("q2", ("d", "c")), Trial("q3", ())],
    "y": [
        Trial("q1", ("a", "broken"), 4.0, 5, 10),
        Trial("q2", ("c",), 1.0, 3, 4),
        Trial("q3", ("m", "e"), 3.0, 1, 2),
    ],
    "z": [Trial("q1", ("b", "gone")), Trial("q2", ()), Trial("q3", (), error="too slow")],
}
OUTCOME = Outcome(
    GOLDS, ANSWERS, {"q1": 7, "q2": 0, "q3": 1}, frozenset({"gone"}), ("z",), unanswered_by="x"
)
