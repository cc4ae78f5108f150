"""The methods: one file each, one line in the table each.

A method is a frozen dataclass: its fields are its options, `find` answers one question.
Other packages add theirs through the entry-point group `whatsrelated.methods`; a line here
and an entry point have the same form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from whatsrelated.options import Configured, option
from whatsrelated.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import bool_, float64
    from numpy.typing import NDArray

    from whatsrelated.contract.blocks import AnswerBlock
    from whatsrelated.contract.found import Found
    from whatsrelated.contract.question import Question, Questions


class Method(Configured):
    """The base of every method: a name, options, and an answer to one question."""

    joint: ClassVar[bool] = False
    """Asked once for all query pages together, not once for each; see `asks_once`."""
    chops: ClassVar[bool] = False
    """Chopping is on by default if a site is a host or a domain."""
    reads_order: ClassVar[bool] = False
    """Reads the order of links on a page, and notes it if the graph has none."""

    scored: ClassVar[str] = ""
    """What its score means, to be shown after `score: `."""
    percent: ClassVar[bool] = False
    """Its score is a strength between 0 and 1, shown as a percentage."""

    compares: ClassVar[bool] = False
    """Its score measures how similar two pages are, whatever else is in the list."""
    symmetric: ClassVar[bool] = False
    """`compare` is symmetric except for what it may miss, so similarity takes the larger value."""

    @property
    def asks_once(self) -> bool:
        """Whether several query pages form one question."""
        return self.joint

    def find(self, question: Question) -> Found:
        raise NotImplementedError

    def find_best(
        self, questions: Questions, limit: int
    ) -> tuple[AnswerBlock, NDArray[bool_]] | None:
        """The `limit` best results of `find` for each page, in order, from one kernel call.

        Also which lists have enough results; for the others, the page above is asked (chopping).
        None if the method has no such kernel, so each page is asked separately.
        """
        return None

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """The scores of other pages in the page's whole list; 0 if they are not in it.

        A page has no score with itself (NaN), unless the method defines one.
        """
        import numpy as np  # imported late: listing methods does not need it

        found = self.find(question)
        scores = dict(zip(found.pages.tolist(), found.scores.tolist(), strict=True))
        scores[question.page] = float("nan")
        return np.array([scores.get(other, 0.0) for other in others], np.float64)

    def enough_found(self, found: Found) -> bool:
        """Whether there are enough results; otherwise the page above is asked (chopping)."""
        return len(found) > 0


def parents_option(default: int = 2000, symbol: str = "B", low: int = 1) -> Any:
    """The number of sampled parents, for every method that samples them."""
    sentence = "number of parents (pages that link to the page) to sample"
    return option(default, sentence, symbol=symbol, low=low)


def siblings_option(default: int = 8, words: tuple[str, ...] = ("all",)) -> Any:
    """The width of the window around a link, for every method that reads windows."""
    sentence = "number of links to read around a parent's link to the page"
    return option(default, sentence, symbol="BF", low=0, words=words)


def children_option() -> Any:
    """The number of first links, for every method that follows them."""
    return option(40, "number of the page's first links to follow", symbol="F", low=0)


def coparents_option(default: int) -> Any:
    """The number of other parents of each child, for every method that reads them."""
    sentence = "number of other pages that link to each of these to read"
    return option(default, sentence, symbol="FB", low=0)


def near_links_option() -> Any:
    """The length above which pages may be near-duplicates, for every method that merges them."""
    return option(10, "pages with more links than this may be near-duplicates", low=0)


def near_share_option() -> Any:
    """How similar near-duplicates are, for every method that merges them."""
    sentence = "share of the longer list of links that near-duplicates have in common"
    return option(0.95, sentence, low=0.001, high=1)


METHODS: Registry[type[Method]] = Registry(
    "method",
    "whatsrelated.methods",
    {
        "cocitation": "whatsrelated.methods.cocitation:Cocitation",
        "companion": "whatsrelated.methods.companion:Companion",
        "hits": "whatsrelated.methods.hits:Hits",
        "extended-cocitation": "whatsrelated.methods.extended_cocitation:ExtendedCocitation",
        "lli": "whatsrelated.methods.lli:Lli",
        "pagesim": "whatsrelated.methods.pagesim:PageSim",
        "simrank": "whatsrelated.methods.simrank:SimRank",
        "cpa": "whatsrelated.methods.cpa:Cpa",
        "coupling": "whatsrelated.methods.coupling:Coupling",
        "peers": "whatsrelated.methods.peers:Peers",
        "walk": "whatsrelated.methods.walk:Walk",
        "blend": "whatsrelated.methods.blend:Blend",
        "hubfinder": "whatsrelated.methods.hubfinder:HubFinder",
    },
)
