"""Limits on the time and memory of a piece of work, for applications."""

from __future__ import annotations

from whatsrelated import kernels
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits

__all__ = [
    "QUESTION_MEMORY",
    "Limits",
    "check_time",
    "keep_within",
    "kernels_in_use",
    "question_limits",
]

Limits = kernels.limits.Limits
check_time = kernels.limits.check
kernels_in_use = kernels.in_use
