"""No mutated file ends a reader with anything but an error of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.hostile.mutations import targets
from tests.hostile.readers import in_this_process
from whatsrelated.machine import workers

ROUNDS = int(os.environ.get("RELATED_ROUNDS", "6"))
FOUND = {
    "warc/small.wacz": (22, 393, 974),
    "sqlite/small.db": (699,),
    "parquet/pages.parquet": (1634,),
}
"""Mutations that once ended in a traceback."""


def test_no_mutated_file_ends_in_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "results", in_this_process)
    faults = [
        target.fault(number)
        for target in targets(tmp_path)
        for number in (*range(ROUNDS), *FOUND.get(target.name, ()))
    ]
    assert not [str(fault) for fault in faults if fault]
