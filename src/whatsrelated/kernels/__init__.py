"""The compiled loops, or their plain twins if the extensions are missing.

`kernels.blend`, `kernels.link_sorting` … are modules, loaded on first use. Each module exists in
two versions with the same functions: compiled (`asking/_blend.pyx`) and plain (`asking/blend.py`).
RELATED_KERNELS=plain selects the plain versions. They carry the annotations and the full
docstrings. The tests check that both versions have the same signatures.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whatsrelated.kernels.asking import all_pairs as all_pairs
    from whatsrelated.kernels.asking import authorities as authorities
    from whatsrelated.kernels.asking import best_pages as best_pages
    from whatsrelated.kernels.asking import blend as blend
    from whatsrelated.kernels.asking import companion as companion
    from whatsrelated.kernels.asking import duplicates as duplicates
    from whatsrelated.kernels.asking import edges as edges
    from whatsrelated.kernels.asking import meeting_walks as meeting_walks
    from whatsrelated.kernels.asking import name_similarity as name_similarity
    from whatsrelated.kernels.asking import pagesim as pagesim
    from whatsrelated.kernels.asking import path_sums as path_sums
    from whatsrelated.kernels.asking import row_sums as row_sums
    from whatsrelated.kernels.asking import searching as searching
    from whatsrelated.kernels.asking import sharing as sharing
    from whatsrelated.kernels.asking import simrank as simrank
    from whatsrelated.kernels.asking import vicinity as vicinity
    from whatsrelated.kernels.asking import walk as walk
    from whatsrelated.kernels.asking import windows as windows
    from whatsrelated.kernels.building import checksums as checksums
    from whatsrelated.kernels.building import domains as domains
    from whatsrelated.kernels.building import link_merging as link_merging
    from whatsrelated.kernels.building import link_sorting as link_sorting
    from whatsrelated.kernels.building import name_recoding as name_recoding
    from whatsrelated.kernels.building import name_table as name_table
    from whatsrelated.kernels.building import range_sorting as range_sorting
    from whatsrelated.kernels.building import sort_keys as sort_keys
    from whatsrelated.kernels.ranking import sweep as sweep
    from whatsrelated.kernels.reading import adjacency_lines as adjacency_lines
    from whatsrelated.kernels.reading import bvgraph as bvgraph
    from whatsrelated.kernels.reading import link_lines as link_lines
    from whatsrelated.kernels.reading import name_lines as name_lines
    from whatsrelated.kernels.reading import text as text
    from whatsrelated.kernels.reading import url_joins as url_joins
    from whatsrelated.kernels.reading import wikitext as wikitext
    from whatsrelated.kernels.shared import faults as faults
    from whatsrelated.kernels.shared import limits as limits
    from whatsrelated.kernels.shared import links as links
    from whatsrelated.kernels.shared import packing as packing
else:

    def __getattr__(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        module = _load(name)
        globals()[name] = module
        return module


FOLDERS = ("asking", "building", "ranking", "reading", "shared")


def _load(name: str) -> Any:
    prefixes = ("",) if os.environ.get("RELATED_KERNELS") == "plain" else ("_", "")
    for prefix in prefixes:
        for folder in FOLDERS:
            try:
                return importlib.import_module(f"{__name__}.{folder}.{prefix}{name}")
            except ModuleNotFoundError:
                pass
    raise AttributeError(f"no kernel module {name!r}")


def in_use() -> str:
    """Which kernels this process uses: `compiled` or `plain`; answered without importing NumPy."""
    module = _load("limits").__name__.rpartition(".")[2]
    return "compiled" if module.startswith("_") else "plain"
