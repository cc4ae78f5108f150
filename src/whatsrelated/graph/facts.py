"""Facts about a graph: its size, degrees, origin and disk space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.degrees import degree_pieces

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store


def facts(store: Store) -> dict[str, Any]:
    """The facts that `related info` shows."""
    manifest = store.manifest
    sizes = {name: array.nbytes for name, array in store.arrays.items()}
    links = sum(size for name, size in sizes.items() if name.startswith(("in.", "out.")))
    names = sum(size for name, size in sizes.items() if name.startswith("names."))
    return {
        "graph": str(store.path or "in memory"),
        "pages": store.n_pages,
        "read_pages": store.read_pages,
        "links": store.n_links,
        "hosts": manifest["hosts"],
        "domains": manifest["domains"],
        "link_order": "known" if store.ordered else "unknown",
        "site": store.auto_site,
        "titles": "yes" if "titles.text" in store.arrays else "no",
        "store": "packed" if store.is_packed else "plain",
        "bytes": sum(sizes.values()),
        "bytes_per_link": round(links / max(store.n_links, 1), 2),
        "bytes_per_name": round(names / max(store.n_pages, 1), 2),
        "read_links": manifest["read_links"],
        "refused": manifest["refused"] or "none",
        "built": manifest["built"],
        "fingerprint": store.fingerprint,
        "kernels": kernels.in_use(),
        "degrees": _histogram(store),
    }


def _histogram(store: Store) -> list[dict[str, Any]]:
    """The number of pages with degree 0, 1, 2-3, 4-7 and so on, for in-degrees and out-degrees."""
    counts = np.zeros((2, 65), np.int64)
    for which, backward in enumerate((True, False)):
        for _, degrees in degree_pieces(store, backward=backward):
            counts[which] += np.bincount(np.frexp(degrees)[1], minlength=65)
    rows = int(np.flatnonzero(counts.any(axis=0)).max(initial=-1)) + 1
    table = counts[:, :rows].tolist()
    return [
        {"degree": _span(row), "in": table[0][row], "out": table[1][row]} for row in range(rows)
    ]


def _span(row: int) -> str:
    if row < 2:
        return str(row)
    return f"{2 ** (row - 1):,}-{2**row - 1:,}"
