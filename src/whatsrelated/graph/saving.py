"""Writing a graph that is there already, in memory or mapped, to a folder of its own."""

from __future__ import annotations

from pathlib import Path

from whatsrelated.graph.generations import Generation
from whatsrelated.graph.store import Store

PIECE = 1 << 22
"""How many values are written at a time."""


def save(store: Store, path: Path) -> Store:
    """The same graph in a folder, in the place of the one that is there."""
    with Generation(path) as generation:
        for name, values in store.arrays.items():
            writer = generation.array(name)
            for low in range(0, max(len(values), 1), PIECE):
                writer.append(values[low : low + PIECE])
        generation.switch({**store.manifest, "files": generation.finish()})
    return Store.open(path)
