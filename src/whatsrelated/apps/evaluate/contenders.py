"""The contenders of an evaluation: methods with their options, parsed from text.

For example, `companion, lli(gap=0.3), cocitation(seed=1, site=host)` names three contenders. The
parentheses hold options of the method and of every request. A contender's label is the text that
reproduces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.api.asking import Request
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS
from whatsrelated.options import configure, declared_options, divide, no_option

if TYPE_CHECKING:
    from whatsrelated.methods import Method

_PART = re.compile(r"\s*([\w-]+)\s*(?:\(([^()]*)\))?\s*")
_SHARED = frozenset({"limit"})
"""Request options that are the same for all contenders."""


@dataclass(frozen=True)
class Contender:
    """A method with its options, and its request options."""

    label: str
    method: Method
    request: tuple[tuple[str, Any], ...] = ()


def contenders(text: str, request: Mapping[str, Any] | None = None) -> list[Contender]:
    """The contenders in a string; `request` holds request options that a contender may override."""
    parsed = [_contender(name, inside, request or {}) for name, inside in _parts(text)]
    labels = [one.label for one in parsed]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"evaluate: {label} appears twice; name each method only once.")
    return parsed


def _parts(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while text[at:].strip():
        part = _PART.match(text, at)
        if part is None or text[part.end() : part.end() + 1] not in ("", ","):
            raise OptionError(
                f"evaluate: write methods like companion(parents=500), lli; got {text[at:]!r:.80}."
            )
        yield part[1], part[2] or ""
        at = part.end() + 1


def _contender(name: str, inside: str, request: Mapping[str, Any]) -> Contender:
    kind = METHODS[name]
    method_options, rest = divide(_values(name, inside), kind)
    common, unknown = divide(rest, Request)
    for option in (*unknown, *(_SHARED & common.keys())):
        listed = {**declared_options(kind), **declared_options(Request)}
        known = [one for one in listed if one not in _SHARED]
        raise no_option(name, option, known)
    method, beyond = configure(kind, method_options), configure(Request, common)
    requested = {option: getattr(beyond, option) for option in common}
    changed = {option: getattr(method, option) for option in method_options}
    default = declared_options(kind)
    changed = {option: v for option, v in changed.items() if v != default[option].default}
    different = [f"{option}={_as_typed(v)}" for option, v in (changed | requested).items()]
    label = f"{name}({', '.join(different)})" if different else name
    return Contender(label, method, tuple({**request, **requested}.items()))


def _values(name: str, inside: str) -> dict[str, str]:
    """The options in parentheses, as written."""
    values: dict[str, str] = {}
    for pair in filter(str.strip, inside.split(",")):
        option, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals or option in values:
            raise OptionError(
                f"evaluate: {name} takes option=value pairs, each option only once; got "
                f"{pair!r:.80}."
            )
        values[option] = value
    return values


def _as_typed(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")
