"""The options of `related site`, for the command, `related.toml` and site generators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from whatsrelated.errors import OptionError
from whatsrelated.options import Configured, option

HEADINGS = {"related": "Related pages", "backlinks": "Linked from"}
"""The lists that a page may have, and their default headings."""


@dataclass(frozen=True)
class SiteOptions(Configured):
    """The lists that a page gets, and their place on the page."""

    name: ClassVar[str] = "site"

    show: str = option(
        "related", "the lists to write: related, backlinks, or both, separated by a comma"
    )
    limit: int = option(5, "maximum number of pages in a list", low=1)
    heading: str | None = option(
        None,
        "heading of a list; repeat it for each list in show, in the same order",
        lines=True,
        only_read=True,
    )
    skip: str | None = option(
        None,
        "exclude pages whose path matches this glob, besides index, search, tag and print pages; "
        "a leading ! includes them; may be repeated",
        lines=True,
        only_read=True,
    )
    at: str | None = option(
        None,
        "a CSS selector: lists go at the end of the first element that it selects",
        only_read=True,
    )
    internal: bool = option(True, "list only pages of the site")
    pairs: str | None = option(
        None,
        "a file of pairs never to list, as for gaps --ignore, and with + in front, always to list",
    )

    def __post_init__(self) -> None:
        if isinstance(self.show, list | tuple):
            object.__setattr__(self, "show", ",".join(map(str, self.show)))
        super().__post_init__()
        unknown = [kind for kind in self.kinds() if kind not in HEADINGS]
        if unknown or not self.kinds():
            raise OptionError(
                f"site: show must be {' or '.join(HEADINGS)}, or both separated by a comma, "
                f"got {self.show!r:.80}."
            )

    def kinds(self) -> list[str]:
        """The lists that a page gets, in order."""
        return list(dict.fromkeys(kind.strip() for kind in self.show.split(",") if kind.strip()))

    def headings(self) -> dict[str, str]:
        """The heading of each list."""
        headings = (self.heading or "").splitlines()
        kinds = self.kinds()
        return {
            **{kind: HEADINGS[kind] for kind in kinds},
            **dict(zip(kinds, headings, strict=False)),
        }
