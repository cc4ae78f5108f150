"""The scratch memory of a thread, one of each kind, used again by every question."""

from __future__ import annotations

import threading
from typing import Any, TypeVar

Kind = TypeVar("Kind")

_threads = threading.local()


def scratch_of(kind: type[Kind]) -> Kind:
    """This thread's scratch memory of a kind: `scratch_of(kernels.sums.Scratch)`."""
    held: dict[type[Any], Any] = _threads.__dict__.setdefault("held", {})
    if kind not in held:
        held[kind] = kind()
    scratch: Kind = held[kind]
    return scratch
