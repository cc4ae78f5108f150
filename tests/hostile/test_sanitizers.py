"""A short `make sanitize`: kernels that read untrusted input, with ASan and UBSan."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.system import TOP
from whatsrelated import kernels

SANITIZED = ("name_table",)
TESTS = ("tests/hostile/test_overflows.py", "-k", "crafted_length")


@pytest.mark.needs_system("gcc")
@pytest.mark.skipif(kernels.in_use() == "plain", reason="nothing is compiled here")
def test_the_sanitizers_find_nothing_in_what_reads_crafted_bytes(tmp_path: Path) -> None:
    settings = {"ONLY": " ".join(SANITIZED), "PLACE": str(tmp_path), "SECONDS_OF_FUZZING": "0"}
    words = ["sh", "tests/sanitize.sh", *TESTS, "-q"]
    done = subprocess.run(
        words, cwd=TOP, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert " passed" in done.stdout or "[100%]" in done.stdout
    built = sorted((tmp_path / "src" / "whatsrelated" / "kernels").glob("*/_*.so"))
    checked = [file.name for file in built if b"__asan_report" in file.read_bytes()]
    assert len(checked) == len(SANITIZED)
