"""Locks on files: held until the file is closed, and by one process at a time."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from whatsrelated.machine.locks import LOCKED_BYTE, try_lock, wait_for_lock

# Windows' locks on bytes, by POSIX's: both begin where the file stands, and are a process's.
BYTE_LOCKS = """
import fcntl, os, sys, types
def locking(handle, mode, count):
    fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, count, 0, os.SEEK_CUR)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
sys.modules["fcntl"] = None
"""
TRY = """
import sys
from whatsrelated.machine.locks import try_lock
with open(sys.argv[1], "a+") as file:
    print(try_lock(file), flush=True)
    sys.stdin.read()
"""


def other_process(path: Path, before: str = "") -> subprocess.Popen[str]:
    """A process that tries to lock a file, and holds it until its input ends."""
    return subprocess.Popen(
        [sys.executable, "-c", before + TRY, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    process.communicate()
    assert process.returncode == 0


@pytest.mark.parametrize("before", ["", BYTE_LOCKS], ids=["flock", "locked byte"])
def test_a_file_is_locked_by_one_process_at_a_time(before: str, tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = other_process(path, before)
    assert answer_of(first) == "True"
    second = other_process(path, before)
    assert answer_of(second) == "False"
    end(second)
    end(first)
    third = other_process(path, before)
    assert answer_of(third) == "True"
    end(third)


def test_a_lock_can_be_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    holder = other_process(path)
    assert answer_of(holder) == "True"
    with path.open("a") as file:
        assert not try_lock(file)
        assert holder.stdin is not None
        holder.stdin.close()
        wait_for_lock(file)
    holder.wait()
    assert holder.stdout is not None
    holder.stdout.close()


def test_locking_a_byte_does_not_move_the_file_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    path.write_text("1234")
    places: list[int] = []
    with path.open("r+b", buffering=0) as file:
        windows = types.SimpleNamespace(
            locking=lambda handle, mode, count: places.append(file.tell()), LK_NBLCK=2
        )
        monkeypatch.setitem(sys.modules, "fcntl", None)
        monkeypatch.setitem(sys.modules, "msvcrt", windows)
        file.seek(2)
        assert try_lock(file)
        assert (places, file.tell()) == ([LOCKED_BYTE], 2)
    assert path.read_text() == "1234"


def test_without_locks_no_process_is_kept_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    with (tmp_path / "lock").open("a") as first, (tmp_path / "lock").open("a") as second:
        assert try_lock(first)
        assert try_lock(second)
        wait_for_lock(second)
