"""Methods that fail on some pages, each in its own way."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whatsrelated.contract.candidates import Candidates
from whatsrelated.contract.question import Question
from whatsrelated.methods import Method


@dataclass(frozen=True)
class Faulty(Method):
    """Answers with the next page; fails on page 1, crashes on page 2, hangs on page 3."""

    name: ClassVar[str] = "faulty"

    def find(self, question: Question) -> Candidates:
        if question.page == 1:
            raise ZeroDivisionError("by nothing")
        if question.page == 2:
            os._exit(3)
        if question.page == 3:
            time.sleep(600)
        following = (question.page + 1) % question.store.n_pages
        return Candidates(np.array([following], np.uint32), np.array([1.0]))
