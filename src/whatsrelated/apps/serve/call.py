"""One call of the server: a request on its way to the function that answers it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whatsrelated import kernels
    from whatsrelated.apps.serve.app import Server
    from whatsrelated.apps.serve.live import ServedGraph
    from whatsrelated.apps.serve.parameters import Values
    from whatsrelated.apps.serve.route import Route


@dataclass(slots=True)
class Call:
    """What is asked, of which generation of the graph, and until when.

    `limits` are in force while a thread of the pool answers.
    `overloaded`: the server is busy and may sample fewer parents; `sampled_fewer`: it did.
    """

    server: Server
    served: ServedGraph
    route: Route
    query: bytes
    deadline: float
    overloaded: bool = False
    body: bytes = b""
    sampled_fewer: bool = False
    limits: kernels.limits.Limits | None = None

    def values(self) -> Values:
        """The values of the path's parameters, checked."""
        parameters = self.route.parameters
        return parameters.read(parameters.fields(self.query))

    def time_to_stop(self) -> float:
        """When a method shall stop with what it has, so that it is sent before the deadline.

        One that cannot is cut at the deadline itself, as are the reasons for results.
        """
        return time.monotonic() + 0.8 * (self.deadline - time.monotonic())
