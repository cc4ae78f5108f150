"""Signals that arrive where Python would lose the exception."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.hostile.processes import python
from tests.waiting import PATIENCE

START = """
import os, signal, sys, time
from whatsrelated.cli.signals import end_at_once, end_tidily
number, patience = map(int, sys.argv[1:3])
end_tidily()
"""
WAIT = """
try:
    time.sleep(patience)
except KeyboardInterrupt:
    sys.exit(130)
"""
IMPORT = """
sys.path.insert(0, sys.argv[3])
import swallows
"""
SWALLOWS = """
import os, sys
try:
    os.kill(os.getpid(), int(sys.argv[1]))
    sum(map(int, "123"))
except BaseException:
    print("lost")
"""
DESTROY = """
class Destroyed:
    def __del__(self):
        os.kill(os.getpid(), number)
        sum(map(int, "123"))
Destroyed()
"""


@pytest.mark.parametrize(
    ("number", "code"),
    [
        *((number, IMPORT) for number in (signal.SIGTERM, signal.SIGHUP)),
        *((number, DESTROY) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
    ],
)
def test_a_signal_is_not_lost(number: signal.Signals, code: str, tmp_path: Path) -> None:
    (tmp_path / "swallows.py").write_text(SWALLOWS)
    run = python(START + code + WAIT, str(number.value), str(int(PATIENCE)), tmp_path)
    assert (run.status, run.out, run.err) == (128 + number, "", "")


def test_an_error_of_a_destructor_is_shown_as_usual() -> None:
    code = START + DESTROY.replace("os.kill(os.getpid(), number)", "sys.exit(3)")
    assert "Exception ignored" in python(code, "1", "1").err


def test_a_signal_while_an_event_loop_is_made_leaves_no_traceback() -> None:
    code = """
import asyncio
class Interrupted(asyncio.SelectorEventLoop):
    def _make_self_pipe(self):
        os.kill(os.getpid(), number)
        sum(map(int, "123"))
Interrupted()
"""
    run = python(START + code, str(signal.SIGTERM.value), "1")
    assert (run.status, run.err) == (128 + signal.SIGTERM, "")


def test_a_late_signal_just_ends_the_process() -> None:
    late = "end_at_once()\nos.kill(os.getpid(), number)\nsys.exit(3)"
    run = python(START + late, str(signal.SIGINT.value), "1")
    assert (run.status, run.err) == (-signal.SIGINT, "")
