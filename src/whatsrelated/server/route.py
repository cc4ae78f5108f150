"""One request on its way through the server, and the table entry that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from whatsrelated.options import Option
from whatsrelated.server import questions
from whatsrelated.server.live import Serving
from whatsrelated.server.replies import Reply

if TYPE_CHECKING:
    from whatsrelated.server.app import Server


@dataclass(slots=True)
class Ask:
    """One request: where it is answered from, what it asks, and until when."""

    server: Server
    serving: Serving
    route: Route
    query: bytes
    deadline: float
    thin: bool = False
    body: bytes = b""
    thinned: bool = False

    def fields(self, *more: str) -> dict[str, Any]:
        """The fields of the query string; those of `more`, and `url`, may be repeated."""
        return questions.single(questions.fields(self.query), questions.REPEATED.union(more))

    def options(self) -> dict[str, Any]:
        """The values of the route's own options."""
        found = questions.single(questions.fields(self.query), self.route.repeated)
        return questions.taken(found, self.route.options, self.route.path)


@dataclass(frozen=True)
class Route:
    """A path and what answers it.

    `options` are the parameters in the query string; `whole` says that all of a
    query's may be given.  `light`: answered at once, not by a thread of the
    pool; `heavy`: by a thread apart, because it reads the whole graph.
    `keep`: the same URL has the same reply while the graph is the same.
    `free`: answered without the token.  `page`: for people, not in the API.
    """

    path: str
    answer: Callable[[Ask], Reply]
    sentence: str
    options: Mapping[str, Option] = field(default_factory=dict)
    repeated: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    whole: bool = False
    post: Callable[[Ask], Reply] | None = None
    light: bool = False
    heavy: bool = False
    keep: bool = True
    free: bool = False
    page: bool = False
    schema: str | None = None
    kind: str = "application/json"
