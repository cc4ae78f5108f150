"""The methods: one file each, one line in the table each.

A method is a frozen dataclass: its fields are its options, `find` answers one
question.  Others add theirs by an entry point in the group
`whatsrelated.methods`; a line here and an entry point say the same thing.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.errors import OptionError
from whatsrelated.options import Configured

if TYPE_CHECKING:
    from whatsrelated.answer import Found
    from whatsrelated.vicinity import Question

TABLE = {
    "cocitation": "whatsrelated.methods.cocitation:Cocitation",
    "companion": "whatsrelated.methods.companion:Companion",
    "hits": "whatsrelated.methods.hits:Hits",
    "extended-cocitation": "whatsrelated.methods.extended_cocitation:ExtendedCocitation",
    "lli": "whatsrelated.methods.lli:Lli",
    "cpa": "whatsrelated.methods.cpa:Cpa",
    "coupling": "whatsrelated.methods.coupling:Coupling",
    "peers": "whatsrelated.methods.peers:Peers",
    "walk": "whatsrelated.methods.walk:Walk",
    "blend": "whatsrelated.methods.blend:Blend",
}


class Method(Configured):
    """What every method has: a name, options, and an answer to one question."""

    joint: ClassVar[bool] = False
    """Asked once for all query pages, instead of once for each."""
    chops: ClassVar[bool] = False
    """Chopping is on by default where a site is a host or a domain."""
    reads_order: ClassVar[bool] = False
    """Reads the order of links on a page; says so where the graph has none."""

    def find(self, question: Question) -> Found:
        raise NotImplementedError

    def enough_found(self, found: Found) -> bool:
        """Whether an answer need not be looked for higher up (chopping)."""
        return len(found) > 0


@cache
def method_named(name: str) -> type[Method]:
    """The method of that name, ours or an installed one."""
    target = TABLE.get(name) or _installed().get(name)
    if target is None:
        listed = ", ".join([*TABLE, *_installed()])
        raise OptionError(f"No method {name!r:.80}; there are: {listed}.")
    module, _, attribute = target.partition(":")
    method: type[Method] = getattr(importlib.import_module(module), attribute)
    return method


def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group="whatsrelated.methods")}
