"""The compiled loops, or their plain twins where the extension is missing.

`kernels.names`, `kernels.sorting` … are modules, loaded when first used:
`kernels/_names.pyx` compiled, else `kernels/plain/names.py` with the same
functions.  RELATED_KERNELS=plain chooses the twins.  The twins' annotations are
what a type checker sees; the tests compare the signatures of the two.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whatsrelated.kernels.plain import authorities as authorities
    from whatsrelated.kernels.plain import blend as blend
    from whatsrelated.kernels.plain import bvgraph as bvgraph
    from whatsrelated.kernels.plain import checksums as checksums
    from whatsrelated.kernels.plain import choosing as choosing
    from whatsrelated.kernels.plain import companion as companion
    from whatsrelated.kernels.plain import duplicates as duplicates
    from whatsrelated.kernels.plain import edges as edges
    from whatsrelated.kernels.plain import faults as faults
    from whatsrelated.kernels.plain import joins as joins
    from whatsrelated.kernels.plain import keys as keys
    from whatsrelated.kernels.plain import limits as limits
    from whatsrelated.kernels.plain import lines as lines
    from whatsrelated.kernels.plain import links as links
    from whatsrelated.kernels.plain import merging as merging
    from whatsrelated.kernels.plain import namelists as namelists
    from whatsrelated.kernels.plain import names as names
    from whatsrelated.kernels.plain import packing as packing
    from whatsrelated.kernels.plain import pagesim as pagesim
    from whatsrelated.kernels.plain import pairs as pairs
    from whatsrelated.kernels.plain import paths as paths
    from whatsrelated.kernels.plain import ranges as ranges
    from whatsrelated.kernels.plain import ranking as ranking
    from whatsrelated.kernels.plain import recoding as recoding
    from whatsrelated.kernels.plain import rows as rows
    from whatsrelated.kernels.plain import searching as searching
    from whatsrelated.kernels.plain import simrank as simrank
    from whatsrelated.kernels.plain import sorting as sorting
    from whatsrelated.kernels.plain import spelling as spelling
    from whatsrelated.kernels.plain import suffixes as suffixes
    from whatsrelated.kernels.plain import sums as sums
    from whatsrelated.kernels.plain import vicinity as vicinity
    from whatsrelated.kernels.plain import walkers as walkers
    from whatsrelated.kernels.plain import walks as walks
    from whatsrelated.kernels.plain import wikitext as wikitext
    from whatsrelated.kernels.plain import windows as windows
else:

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
