"""The parameters of a path, declared once: reading, bounds, OpenAPI and the docs come from here.

A parameter is an option, as methods and ranks declare theirs.  A path has its
own; where one of them (`by`) chooses a method or a rank, the options of what is
chosen are parameters too, each by its own name, and so are those of `common`,
whatever is chosen.  An option without an upper bound of its own has one here,
because others pay for what is asked.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException

from whatsrelated.errors import OptionError
from whatsrelated.names.canonical import MAX_BYTES
from whatsrelated.options import Configured, Option, declared_options, present
from whatsrelated.registry import Registry

MOST_FIELDS = 200
MOST_URLS = 20
MOST_TEXT = 1000
MOST_RESULTS = 1000
STOP_LIST = r"web|auto:[0-9]{1,4}"
"""Over HTTP no stop list is a file."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """An option as a parameter over HTTP.

    `most`: how often it may be repeated, to be read as a list where that is more
    than once.  `commas`: several values may also stand in one, with commas
    between.  `pages`: its values are URLs or names of pages.  `pattern`: what a
    text must match.
    """

    option: Option
    most: int = 1
    commas: bool = False
    pages: bool = False
    required: bool = False
    pattern: str | None = None

    def read(self, value: Any, owner: str, name: str) -> Any:
        """The value in the option's own type, within its bounds; None where there is none."""
        if self.most == 1:
            if isinstance(value, list | dict):
                raise OptionError(f"{owner}: {name} must be one value, got {value!r:.80}.")
            return self._read_one(value, owner, name)
        listed = value if isinstance(value, list) else [value]
        if self.commas:
            listed = [part.strip() for each in listed for part in str(each).split(",")]
            listed = list(dict.fromkeys(part for part in listed if part))
        if len(listed) > self.most:
            raise OptionError(f"{owner}: at most {self.most} {name}, got {len(listed):,}.")
        if not listed:
            raise self.missing(owner, name)
        return tuple(self._read_one(each, owner, name) for each in listed)

    def _read_one(self, value: Any, owner: str, name: str) -> Any:
        if self.pages and (not isinstance(value, str) or not value.strip()):
            raise OptionError(f"{owner}: {name} must be the URL or the name of a page, got none.")
        most = MAX_BYTES if self.pages else MOST_TEXT
        if isinstance(value, str) and len(value) > most:
            raise OptionError(f"{owner}: {name} may have {most:,} characters, got {len(value):,}.")
        if self.pages:
            return value
        if self.pattern and not re.fullmatch(self.pattern, str(value)):
            raise OptionError(f"{owner}: {name} must be web or auto:N, got {value!r:.80}.")
        return self.option.convert(value, owner, name)

    def missing(self, owner: str, name: str) -> OptionError:
        """What is wrong where a required parameter is not there."""
        return OptionError(f"{owner}: {name} is missing; add {name}=, {self.option.sentence}.")


def parameters_of(owner: type) -> dict[str, Parameter]:
    """The options of a method, of a rank or of every query as parameters."""
    if owner not in _parameters:
        declared = declared_options(owner)
        _parameters[owner] = {name: _parameter(name, each) for name, each in declared.items()}
    return _parameters[owner]


_parameters: dict[type, dict[str, Parameter]] = {}


def present_fields(
    fields: Mapping[str, Any], parameters: Mapping[str, Parameter], owner: str
) -> Mapping[str, Any]:
    """These fields under the present names of parameters that were renamed."""
    return present(fields, {name: each.option for name, each in parameters.items()}, owner)


def _parameter(name: str, option: Option) -> Parameter:
    if option.kind is tuple:
        return Parameter(option, most=MOST_URLS, pages=True)
    if name == "stop":
        return Parameter(option, pattern=STOP_LIST)
    high = option.high
    if name == "limit":
        high = MOST_RESULTS
    elif name == "max_rounds":
        high = option.default
    elif high is None and option.kind in (int, float):
        high = 2**53 if name == "seed" else max(10_000, 10 * (option.default or 0))
    return Parameter(dataclasses.replace(option, high=high))


@dataclasses.dataclass(frozen=True)
class OwnerChoice:
    """What `by` chooses: something of a registry, one, or up to `most` of them."""

    registry: Registry[Any]
    default: str | None
    sentence: str
    fits: Callable[[type], bool] = lambda owner: True
    most: int = 1

    @cached_property
    def owners(self) -> dict[str, type[Configured]]:
        """All that can be chosen, by name."""
        found = self.registry.by_name()
        return {name: owner for name, owner in found.items() if self.fits(owner)}

    def owner(self, name: str, path: str) -> type[Configured]:
        """What has this name; an installed one that cannot be loaded says so."""
        owner: type[Configured] = self.registry[name]
        if name not in self.owners:
            raise OptionError(
                f"{path}: by must be one of {', '.join(self.owners)}, got {name!r:.80}."
            )
        return owner

    @cached_property
    def parameter(self) -> Parameter:
        several = self.most > 1
        option = Option(self.default, self.sentence)
        return Parameter(option, self.most, commas=several, required=self.default is None)


class Values(NamedTuple):
    """What was asked: the path's own values, and the options for each that `by` chose."""

    own: dict[str, Any]
    options: dict[str, dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Parameters:
    """All parameters of a path; `name` is what errors call it."""

    name: str
    own: Mapping[str, Parameter] = dataclasses.field(default_factory=dict)
    choice: OwnerChoice | None = None
    common: type | None = None

    @cached_property
    def of_path(self) -> dict[str, Parameter]:
        """The path's own parameters, and `by`."""
        choice = {"by": self.choice.parameter} if self.choice else {}
        own = dict(self.own)
        url = {"url": own.pop("url")} if "url" in own else {}
        return {**url, **choice, **own}

    @cached_property
    def of_all(self) -> dict[str, Parameter]:
        """The options in `common`."""
        return parameters_of(self.common) if self.common else {}

    @cached_property
    def declared(self) -> dict[str, dict[str, Parameter]]:
        """Every parameter by name, and by the one that has it; those of all have no owner."""
        found = {name: {"": each} for name, each in {**self.of_path, **self.of_all}.items()}
        for owner, kind in self.choice.owners.items() if self.choice else ():
            for name, each in parameters_of(kind).items():
                found.setdefault(name, {})[owner] = each
        return found

    def fields(self, query: bytes) -> dict[str, Any]:
        """A query string by name: a list for what may be repeated, one value for the rest."""
        found: dict[str, Any] = {}
        for name, value in pairs(query):
            if any(each.most > 1 for each in self.declared.get(name, {}).values()):
                found.setdefault(name, []).append(value)
            elif name in found:
                raise OptionError(f"{name!r:.80} is given twice; give it once.")
            else:
                found[name] = value
        return found

    def read(self, fields: Mapping[str, Any]) -> Values:
        """The values of these fields, defaults for the path's own; an unknown one is refused."""
        own: dict[str, Any] = {}
        for name, each in self.of_path.items():
            if name in fields:
                own[name] = each.read(fields[name], self.name, name)
            elif each.required:
                raise each.missing(self.name, name)
            else:
                own[name] = each.option.default
        rest = {name: value for name, value in fields.items() if name not in self.of_path}
        known = self._known(own.get("by"))
        asked = {owner: present_fields(rest, known[owner], owner or self.name) for owner in known}
        self._refuse_unknown(asked, known)
        return Values(
            own,
            {
                owner: {
                    name: known[owner][name].read(value, owner or self.name, name)
                    for name, value in values.items()
                    if name in known[owner]
                }
                for owner, values in asked.items()
            },
        )

    def _known(self, by: str | tuple[str, ...] | None) -> dict[str, dict[str, Parameter]]:
        """The options of what was chosen, and those of all, by the name of the chosen."""
        if self.choice is None or by is None:
            return {"": self.of_all}
        names = [by] if isinstance(by, str) else by
        chosen = {name: self.choice.owner(name, self.name) for name in names}
        return {name: {**parameters_of(kind), **self.of_all} for name, kind in chosen.items()}

    def _refuse_unknown(
        self,
        asked: Mapping[str, Mapping[str, Any]],
        known: Mapping[str, Mapping[str, Parameter]],
    ) -> None:
        """Raise an error for a name that nothing that was chosen knows."""
        unknown = [values.keys() - known[owner].keys() for owner, values in asked.items()]
        for name in sorted(set.intersection(*unknown)):
            listed = list(dict.fromkeys(name for options in known.values() for name in options))
            owner = next(iter(known)) if len(known) == 1 else self.name
            there = ", ".join(listed or self.of_path) or "none"
            raise OptionError(f"{owner or self.name} has no option {name!r:.80}; it has: {there}.")


NONE = Parameters("")


def pairs(query: bytes) -> list[tuple[str, str]]:
    """The names and values of a query string, as they come."""
    try:
        return parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except UnicodeDecodeError:
        raise HTTPException(400, "The query string is not UTF-8, percent-encoded.") from None
    except ValueError:
        raise HTTPException(400, f"The query string has more than {MOST_FIELDS} fields.") from None
