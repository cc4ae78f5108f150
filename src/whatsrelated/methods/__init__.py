"""The methods: one file each, one line in the table each.

A method is a frozen dataclass: its fields are its options, `find` answers one
question.  Others add theirs by an entry point in the group
`whatsrelated.methods`; a line here and an entry point say the same thing.
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
    """What every method has: a name, options, and an answer to one question."""

    joint: ClassVar[bool] = False
    """Asked once for all query pages, instead of once for each; see `asks_once`."""
    chops: ClassVar[bool] = False
    """Chopping is on by default where a site is a host or a domain."""
    reads_order: ClassVar[bool] = False
    """Reads the order of links on a page; says so where the graph has none."""

    scored: ClassVar[str] = ""
    """What its score is, in words: `score: ` and this."""
    percent: ClassVar[bool] = False
    """Its score is a strength between 0 and 1, which people are shown in percent."""

    compares: ClassVar[bool] = False
    """Its score says how alike two pages are, whatever else is in the list."""
    symmetric: ClassVar[bool] = False
    """`compare` is the same both ways but for what it may lack: similarity takes the larger."""

    @property
    def asks_once(self) -> bool:
        """Whether several query pages are one question."""
        return self.joint

    def find(self, question: Question) -> Found:
        raise NotImplementedError

    def find_best(
        self, questions: Questions, limit: int
    ) -> tuple[AnswerBlock, NDArray[bool_]] | None:
        """The `limit` best of what `find` gives for each page, in order, by one call of a kernel.

        With them, which lists have enough results; with fewer, the page above is asked
        (chopping).  None if the method has no such kernel: then it is asked for one page
        after the other.
        """
        return None

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """The scores that the page's whole list gives other pages, 0 where they are not in it.

        A page has no score with itself (NaN), unless the method defines one.
        """
        import numpy as np  # here, so the names of methods are known without it

        found = self.find(question)
        scores = dict(zip(found.pages.tolist(), found.scores.tolist(), strict=True))
        scores[question.page] = float("nan")
        return np.array([scores.get(other, 0.0) for other in others], np.float64)

    def enough_found(self, found: Found) -> bool:
        """Whether there are enough results; with fewer, the page above is asked (chopping)."""
        return len(found) > 0


def parents_option(default: int = 2000, symbol: str = "B", low: int = 1) -> Any:
    """How many parents are sampled, the same for every method that samples them."""
    sentence = "how many parents (pages that link to the page) to sample"
    return option(default, sentence, symbol=symbol, low=low)


def siblings_option(default: int = 8, words: tuple[str, ...] = ("all",)) -> Any:
    """How wide the window around a link is, the same for every method that reads windows."""
    sentence = "how many links to take around a parent's link to the page"
    return option(default, sentence, symbol="BF", low=0, words=words)


def children_option() -> Any:
    """How many first links are taken, the same for every method that follows them."""
    return option(40, "how many of the page's first links to take", symbol="F", low=0)


def coparents_option(default: int) -> Any:
    """How many other parents of a child are taken, the same for every method that asks them."""
    sentence = "how many other pages that link to each of these to take"
    return option(default, sentence, symbol="FB", low=0)


def near_links_option() -> Any:
    """What is too short to be a near-duplicate, the same for every method that merges them."""
    return option(10, "pages with more links than this may be near-duplicates", low=0)


def near_share_option() -> Any:
    """How alike near-duplicates are, the same for every method that merges them."""
    sentence = "the share of the longer list of links that near-duplicates have in common"
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
