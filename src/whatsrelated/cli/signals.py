"""Signals that end a command: unfinished files are removed, and no traceback is printed.

SIGINT raises KeyboardInterrupt, as usual; `asyncio` relies on that. SIGTERM and SIGHUP raise
SystemExit. During an import or in a destructor, such an exception may be lost. C extensions may
print it, class creation may wrap it in another one, and Python ignores it in a destructor. The
signal is then repeated. An event loop that a signal interrupts while it is made fails again in its
destructor; that error is left out.
"""

from __future__ import annotations

import signal
import sys
import warnings
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
MOMENT = 0.02
"""Seconds until a signal is repeated."""
LOOP_DESTRUCTOR = "BaseEventLoop.__del__"
IMPORTING = "<frozen importlib._bootstrap>"
COMMAND = "whatsrelated.cli"
"""The module that runs a command; only imports below it matter."""


def end_tidily() -> None:
    """Let a signal raise an exception; `with` and `finally` then clean up."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # set during the imports
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
            signal.signal(number, _stop)
    sys.unraisablehook = _ignored


def end_at_once() -> None:
    """Let a signal just end the process, which has nothing left to clean up."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    for number in (signal.SIGINT, *SIGNALS):
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: FrameType | None) -> None:
    if _is_importing(frame) and hasattr(signal, "setitimer"):
        _stop_later(number)
        return
    warnings.simplefilter("ignore")  # about coroutines that will not be awaited
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _stop_later(number: int) -> None:
    signal.signal(signal.SIGALRM, lambda _, frame: _stop(number, frame))
    signal.setitimer(signal.ITIMER_REAL, MOMENT)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_globals.get("__name__") != COMMAND:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False


def _ignored(event: UnraisableHookArgs) -> None:
    """Called with an exception that Python ignores, such as one raised in a destructor."""
    error = event.exc_value
    if isinstance(error, KeyboardInterrupt):
        _stop_later(signal.SIGINT)
    elif isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
        _stop_later(error.code - 128)
    elif getattr(event.object, "__qualname__", "") != LOOP_DESTRUCTOR:
        sys.__unraisablehook__(event)
