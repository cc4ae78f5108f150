"""Link targets for the web page: the routes of a server, or the files of a published copy.

Templates receive one `Destinations` as `where`, so both use the same templates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from whatsrelated.apps.serve import static

if TYPE_CHECKING:
    from whatsrelated.apps.serve.state import PageState


class Destinations:
    """The routes of a server, relative to every page."""

    live = True
    """Whether a server can answer further queries."""
    home = "./"
    scripts: Sequence[str] = ()
    """Further scripts, loaded before those of the page."""
    opens: Callable[[str], str | None] | None = None
    """The address that opens the page itself; None if that depends on the server's settings."""

    def static(self, name: str) -> str:
        """The address of a static file."""
        return static.address(name)

    def view(self, name: str, **fields: Any) -> str:
        """The address of a view, such as `ranks`."""
        return f"{name}?{urlencode(fields)}" if fields else name

    def state(self, state: PageState) -> PageState:
        """A state of the page whose links lead here."""
        return state


SERVER = Destinations()
