"""How a graph is to be built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whatsrelated.names.naming import Naming
from whatsrelated.stream import Page, Progress, Refused

Column = Callable[[Page], bytes | None]
"""What a page carries besides its links, as the bytes that are stored; None for nothing."""


@dataclass(slots=True)
class Plan:
    """How a graph is to be built: `memory` is in bytes, `provenance` goes into its manifest.

    Where `allow_empty` is false, a graph without links is an error.  `keep` is how many
    generations stay (as many as before), `wait`: for another process that builds.  `store`:
    links plain or packed, or, where it is auto, by how many there are.  Pages that are only
    linked to are left out if fewer than `least_parents` link to them.
    """

    naming: Naming
    ordered: bool = True
    memory: int = 4 << 30
    temporary: Path | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    refused: Refused = field(default_factory=Refused)
    progress: Progress | None = None
    allow_empty: bool = True
    keep: int | None = None
    wait: bool = False
    store: str = "auto"
    least_parents: int = 0

    def report(self, what: str, done: int, of: int | None = None) -> None:
        """Tell whoever watches how far the build is."""
        if self.progress is not None:
            self.progress(what, done, of)
