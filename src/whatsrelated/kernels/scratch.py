"""The scratch memory of a thread, one for each kernel, used again by every question."""

from __future__ import annotations

import threading
from typing import Any

from whatsrelated import kernels

_threads = threading.local()


def scratch_of(kernel: str, kind: str = "Scratch") -> Any:
    """This thread's scratch memory for a kernel module."""
    held: dict[tuple[str, str], Any] = _threads.__dict__.setdefault("held", {})
    if (kernel, kind) not in held:
        held[kernel, kind] = getattr(getattr(kernels, kernel), kind)()
    return held[kernel, kind]
