"""What the fuzzer's tests share: a process that runs commands in forks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.processes import Forks


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Runs many commands in forks of one process."""
    running = Forks()
    yield running
    running.close()
