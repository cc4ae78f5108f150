"""Every error is also a built-in exception, and carries what a program needs."""

from __future__ import annotations

import pytest

from whatsrelated import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.PageNotFound, LookupError),
        (errors.OptionError, ValueError),
        (errors.GraphFormatError, ValueError),
        (errors.ReadError, ValueError),
        (errors.BuildError, OSError),
        (errors.NotConverged, ArithmeticError),
        (errors.MissingExtra, ImportError),
    ],
)
def test_an_error_can_be_caught_as_ours_or_as_the_builtin(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, errors.RelatedError)
    assert issubclass(error, builtin)
    assert str(error("What, the value, the fix.")) == "What, the value, the fix."


def test_an_error_carries_what_a_program_needs() -> None:
    missing = errors.PageNotFound("No page.", asked="x", nearest="y")
    assert (missing.asked, missing.nearest) == ("x", "y")
    lost = errors.NotConverged("No.", rounds=3, residual=0.5)
    assert (lost.rounds, lost.residual) == (3, 0.5)
