"""What a process may use, on systems that report it and on those that do not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from whatsrelated.machine import resources


def test_processors_are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 7}, raising=False)
    assert resources.processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert resources.processors() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert resources.processors() == 1


def test_memory_is_the_systems_figure_or_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__, raising=False)
    assert resources.physical_memory() == 4_096_000
    monkeypatch.delattr(os, "sysconf")
    assert resources.physical_memory() == resources.UNKNOWN_MEMORY


LIMITED = """
import sys
from pathlib import Path
from whatsrelated.machine.resources import limit_address_space
limit_address_space(int(sys.argv[1]) or None)
try:
    bytearray(1 << 30)
    print("enough")
except MemoryError:
    print("too little")
"""


@pytest.mark.parametrize(("bound", "said"), [(1 << 29, "too little"), (0, "enough")])
def test_a_process_can_be_limited_to_little_memory(bound: int, said: str) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", LIMITED, str(bound)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said


def test_without_such_bounds_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    resources.limit_address_space(1)
    assert len(bytearray(1 << 20)) == 1 << 20


@pytest.mark.parametrize(
    ("line", "file", "limit"),
    [
        ("0::/work", "work/memory.max", 1000),
        ("0::/work", "work/memory.max", None),
        ("7:memory:/work", "memory/work/memory.limit_in_bytes", 2000),
        ("7:cpu,memory:/work", "memory/work/memory.limit_in_bytes", 3000),
    ],
)
def test_memory_is_limited_by_the_cgroup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, file: str, limit: int | None
) -> None:
    monkeypatch.setattr(resources, "CGROUPS", str(tmp_path))
    monkeypatch.setattr(resources, "OWN_CGROUPS", str(tmp_path / "cgroup"))
    assert 0 < resources.available_memory() <= resources.physical_memory()
    (tmp_path / "cgroup").write_text(f"1:name=systemd:/\n{line}\n")
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("max\n" if limit is None else f"{limit}\n")
    assert (resources.available_memory() == limit) == (limit is not None)
