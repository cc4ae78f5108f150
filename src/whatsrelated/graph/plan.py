"""The options for writing a graph, and the plan of one build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from whatsrelated.graph.packing import STORES
from whatsrelated.machine.resources import physical_memory
from whatsrelated.names.naming import Naming
from whatsrelated.options import Bytes, Configured, option
from whatsrelated.stream import Page, Progress, Refused

Column = Callable[[Page], bytes | None]
"""Computes a page's value in a column, as bytes; None for no value."""
MIN_MEMORY = 128 << 20
"""The smallest memory limit; a build needs another 20 bytes per page."""


@dataclass(frozen=True)
class WriteOptions(Configured):
    """The format of the stored graph, and the resources that the build may use."""

    name: ClassVar[str] = "build"

    allow_empty: bool = option(False, "build the graph even if the sources have no links")
    least_parents: int = option(
        0,
        "leave out pages that were not read and have no links, if fewer than this many pages "
        "link to them",
        low=0,
    )
    keep: int | None = option(
        None,
        "number of generations of the graph to keep, including the new one; by default, "
        "the current number",
        low=1,
        kind=int,
    )
    store: str = option(
        "auto",
        "how to store links: plain; packed, in 20% to 60% of the space; auto packs large graphs",
        choices=STORES,
    )
    memory: int | None = option(
        None,
        "maximum memory to use, such as 2G, besides some 80 bytes per page; half of all memory by "
        "default",
        low=0,
        kind=Bytes,
        common=True,
    )
    temp: Path | None = option(  # noqa: RUF009 -- it is a field
        None,
        "folder for temporary files; inside the graph's folder by default",
        kind=Path,
        formerly=("temporary",),
    )

    @property
    def memory_bound(self) -> int:
        """The memory limit of a build, in bytes."""
        if self.memory is None:
            return max(MIN_MEMORY, physical_memory() // 2)
        return self.memory


@dataclass(slots=True)
class Plan:
    """One build: its task, where to report progress, and extra entries for the manifest."""

    naming: Naming
    options: WriteOptions = field(default_factory=WriteOptions)
    ordered: bool = True
    """Whether links come in page order."""
    columns: dict[str, Column] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    refused: Refused = field(default_factory=Refused)
    progress: Progress | None = None
    wait: bool = False
    """Whether to wait for another process that is building the same graph."""

    @property
    def memory(self) -> int:
        """The memory limit of the build, in bytes."""
        return self.options.memory_bound

    def report(self, what: str, done: int, of: int | None = None) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(what, done, of)
