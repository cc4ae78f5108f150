"""A request: the options that all methods share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from whatsrelated.errors import OptionError
from whatsrelated.options import Configured, configure, divide, option
from whatsrelated.query.filters import Filters

DEFAULT_METHOD = "blend"


def seed_option() -> Any:
    """The seed option of every request."""
    return option(0, "seed of the random samples", low=0)


def site_option() -> Any:
    """The site option of every request."""
    return option(
        "auto",
        "what counts as one site; auto decides by the graph",
        choices=("auto", "host", "domain", "page"),
    )


@dataclass(frozen=True)
class BasicRequest(Configured):
    """A request without filters, as evaluations use it."""

    name: ClassVar[str] = "related"

    limit: int = option(10, "maximum number of results", low=1, common=True)
    seed: int = seed_option()
    site: str = site_option()
    stop: str | tuple[str, ...] | None = option(
        None,
        "pages to ignore, such as counters and portals: a file of URLs, web for well-known ones, "
        "or auto:N for the N most linked pages",
        also=lambda stop: isinstance(stop, tuple),
        only_read=True,
    )
    chop: bool | None = option(
        None,
        "fall back to the parent folder's page if a page has too few results",
        kind=bool,
    )

    def __post_init__(self) -> None:
        if not isinstance(self.stop, str | None):
            object.__setattr__(self, "stop", listed_names("stop", self.stop))
        super().__post_init__()


@dataclass(frozen=True)
class Request(Filters, BasicRequest):
    """The options of every method: query, filters and clusters."""

    hints: float = option(
        0.5,
        "total weight of known pages as hints, relative to 1 for the query; 0 for none",
        low=0,
        high=100,
    )
    clusters: str = option(
        "none",
        "divide the results into clusters, by the neighbours they share (lli) or by pagesim",
        choices=("none", "lli", "pagesim"),
    )

    def __post_init__(self) -> None:
        if not isinstance(self.known, str | None):
            object.__setattr__(self, "known", listed_names("known", self.known))
        super().__post_init__()


@dataclass(frozen=True)
class SimilarityRequest(Configured):
    """The options of every method that compares two pages."""

    name: ClassVar[str] = "similarity"

    seed: int = seed_option()
    site: str = site_option()


def listed_names(option: str, listed: Any) -> tuple[str, ...]:
    """The names of pages in an option that is given as a Python list."""
    if isinstance(listed, bytes) or not isinstance(listed, Iterable):
        raise OptionError(f"related: {option} must be a string or a list, got {listed!r:.80}.")
    names = tuple(listed)
    for name in names:
        if not isinstance(name, str):
            raise OptionError(f"related: {option} must contain only URLs, got {name!r:.80}.")
    return names


R = TypeVar("R", bound=Configured)


def split_options(options: Mapping[str, Any], kind: type[R]) -> tuple[R, dict[str, Any]]:
    """The request made from these options, and the remaining options for the method."""
    common, method_options = divide(options, kind)
    return configure(kind, common), method_options
