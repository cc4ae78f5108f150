"""The methods. Each has its own file and one line in the table.

A method is a frozen dataclass: its fields are its options, `find` answers one question. Other
packages add methods through entry points in the group `whatsrelated.methods`, in the form of a line
here.
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
    from whatsrelated.contract.candidates import Candidates
    from whatsrelated.contract.question import Question, Questions


class Method(Configured):
    """The base of every method: a name, options, and an answer to one question."""

    joint: ClassVar[bool] = False
    """Takes all query pages in one question instead of one question per page; see `asks_once`."""
    chops: ClassVar[bool] = False
    """Chopping is on by default if a site is a host or a domain."""
    reads_order: ClassVar[bool] = False
    """Reads the order of links on a page, and adds a note if the graph has no link order."""

    scored: ClassVar[str] = ""
    """The meaning of its score, shown after `score: `."""
    percent: ClassVar[bool] = False
    """Its score is a strength between 0 and 1, shown as a percentage."""

    compares: ClassVar[bool] = False
    """Its score measures how similar two pages are, regardless of the rest of the list."""
    symmetric: ClassVar[bool] = False
    """`compare` is symmetric except for losses, so similarity takes the larger value."""

    weighs: ClassVar[bool] = False
    """Takes weighted query pages, and pages to move away from, in one question."""
    adds: ClassVar[bool] = False
    """The scores of different query pages are on one scale, so they can be added."""

    @property
    def asks_once(self) -> bool:
        """Whether several query pages form one question."""
        return self.joint

    def find(self, question: Question) -> Candidates:
        raise NotImplementedError

    def find_best(
        self, questions: Questions, limit: int
    ) -> tuple[AnswerBlock, NDArray[bool_]] | None:
        """The best `limit` results of `find` for each page, in order, from one kernel call.

        Also returns which lists have enough results; for the others, the parent folder's page is
        tried (chopping). None if the method has no such kernel; then each page is a separate
        question.
        """
        return None

    def compare(self, question: Question, others: Sequence[int]) -> NDArray[float64]:
        """The scores of other pages in the page's full list; 0 if they are not in it.

        A page's score with itself is `self_score`.
        """
        import numpy as np  # imported late: listing methods does not need it

        candidates = self.find(question)
        scores = dict(zip(candidates.pages.tolist(), candidates.scores.tolist(), strict=True))
        scores[question.page] = self.self_score(question, candidates)
        return np.array([scores.get(other, 0.0) for other in others], np.float64)

    def self_score(self, question: Question, candidates: Candidates) -> float:
        """The score of a page with itself; NaN unless the method defines one."""
        return float("nan")

    def has_enough(self, candidates: Candidates) -> bool:
        """Whether there are enough results; otherwise the parent folder's page is tried
        (chopping).
        """
        return len(candidates) > 0


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
    sentence = "number of other parents to read for each child"
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
        "blend": "whatsrelated.methods.blend:Blend",
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
        "hubfinder": "whatsrelated.methods.hubfinder:HubFinder",
    },
)
