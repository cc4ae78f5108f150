"""What is compared: methods with their options, as people write them.

`companion, lli(gap=0.3), cocitation(seed=1, site=host)` is three contenders.
In the brackets stand options of the method and those of every question; a
contender's label is what has to be written to have it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import OptionError
from whatsrelated.methods import method_named
from whatsrelated.options import configured, declared_options
from whatsrelated.query.request import Request

if TYPE_CHECKING:
    from whatsrelated.methods import Method

_PART = re.compile(r"\s*([\w-]+)\s*(?:\(([^()]*)\))?\s*")
_SHARED = frozenset({"limit"})
"""Options of every question that are the same for all contenders."""


@dataclass(frozen=True)
class Contender:
    """A method with its options, and what else is told for every question to it."""

    label: str
    method: Method
    asking: tuple[tuple[str, Any], ...] = ()


def contenders(text: str, asking: Mapping[str, Any] | None = None) -> list[Contender]:
    """The contenders that a text names; `asking` is told to those that do not say otherwise."""
    found = [_contender(name, inside, asking or {}) for name, inside in _parts(text)]
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"evaluate: {label} is named twice; each is asked once.")
    return found


def _parts(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while text[at:].strip():
        part = _PART.match(text, at)
        if part is None or text[part.end() : part.end() + 1] not in ("", ","):
            raise OptionError(
                f"evaluate: methods are written like companion(parents=500), lli; "
                f"got {text[at:]!r:.80}."
            )
        yield part[1], part[2] or ""
        at = part.end() + 1


def _contender(name: str, inside: str, asking: Mapping[str, Any]) -> Contender:
    kind = method_named(name)
    own, common = declared_options(kind), declared_options(Request)
    given: dict[str, str] = {}
    for pair in filter(str.strip, inside.split(",")):
        option, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals or option in given:
            raise OptionError(f"evaluate: {name} wants option=value, each once, got {pair!r:.80}.")
        if option not in own and (option not in common or option in _SHARED):
            listed = ", ".join([*own, *(each for each in common if each not in _SHARED)])
            raise OptionError(f"{name} has no option {option!r:.80}; it has: {listed}.")
        given[option] = value
    method = configured(kind, {option: given[option] for option in given if option in own})
    told = {option: given[option] for option in given if option not in own}
    request = configured(Request, told)
    said = {
        **{option: getattr(method, option) for option in given if option in own},
        **{option: getattr(request, option) for option in told},
    }
    different = [
        f"{option}={_as_typed(value)}"
        for option, value in said.items()
        if option in told or value != own[option].default
    ]
    label = f"{name}({', '.join(different)})" if different else name
    checked = {option: getattr(request, option) for option in told}
    return Contender(label, method, tuple({**asking, **checked}.items()))


def _as_typed(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")
