"""What is asked of every method: the options that all have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from whatsrelated.options import Configured, option
from whatsrelated.query.filters import Filters

DEFAULT_METHOD = "blend"


@dataclass(frozen=True)
class Basics(Configured):
    """What every method is told."""

    name: ClassVar[str] = "related"

    limit: int = option(10, "how many results are wanted", low=1)
    seed: int = option(0, "draws the sample of parents", low=0)
    site: str = option(
        "auto",
        "what counts as one site: auto decides from the graph",
        choices=("auto", "host", "domain", "page"),
    )
    stop: str | None = option(
        None, "pages without a topic: a file of URLs, or auto:N for the N most linked", kind=str
    )
    chop: bool | None = option(
        None, "whether to ask for the folder above where a page has no answer", kind=bool
    )


@dataclass(frozen=True)
class Request(Filters, Basics):
    """What is asked of every method, and what is left out of its answer."""
