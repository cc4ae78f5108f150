"""The compiled loops, or their plain twins where the extension is missing.

`kernels.names`, `kernels.sorting` … are modules, loaded when first used:
`kernels/_names.pyx` compiled, else `kernels/plain/names.py` with the same
functions.  RELATED_KERNELS=plain chooses the twins.
"""

from __future__ import annotations

import importlib
import os
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    module = _load(name)
    globals()[name] = module
    return module


def _load(name: str) -> Any:
    if os.environ.get("RELATED_KERNELS") != "plain":
        try:
            return importlib.import_module(f"{__name__}._{name}")
        except ModuleNotFoundError:
            pass
    try:
        return importlib.import_module(f"{__name__}.plain.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"no kernel module {name!r}") from None


def in_use() -> str:
    """`compiled` or `plain`: which loops answer in this process."""
    return "plain" if ".plain." in _load("names").__name__ else "compiled"
