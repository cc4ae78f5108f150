"""The links of a graph, both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.plain.adjacency import children_of, parents_of

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray


@dataclass
class Links:
    """Page p links to out_links[out_offsets[p]:out_offsets[p + 1]]."""

    out_offsets: NDArray[uint64]
    out_links: NDArray[uint32]
    in_offsets: NDArray[uint64]
    in_links: NDArray[uint32]

    def is_inward(self, sites: NDArray[uint32], page: int) -> bool:
        """Whether a page has links or parents, all of them on its own site."""
        linked = np.concatenate([children_of(self, page), parents_of(self, page)])
        return len(linked) > 0 and bool((sites[linked] == sites[page]).all())
