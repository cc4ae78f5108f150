"""Parameters of a path, declared once for reading, bounds, OpenAPI and the docs.

A parameter is an option, like those of methods and ranks. A path has its own parameters. If one of
them (`by`) selects a method or rank, its options are parameters too; those in `common` always are.
Options without an upper bound get one here, because the server bears the cost of a request.
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
from whatsrelated.options import Configured, Option, declared_options, no_option, present
from whatsrelated.registry import Registry

MAX_FIELDS = 200
MAX_URLS = 20
MAX_KNOWN = 100
MAX_TEXT = 1000
MAX_RESULTS = 1000
STOP_LIST = r"web|auto:[0-9]{1,4}"
"""Over HTTP, a stop list cannot be a file."""
FILES = ("pairs",)
"""Options that name a file; only the server's owner can set them."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """An option as an HTTP parameter.

    `max_count` limits how often it may be repeated; above 1, it is read as a list. Schemas also
    state `min_count`. With `commas`, one value may hold several, separated by commas. With
    `pages`, its values are URLs or names of pages. `pattern` is an expression that a string must
    match.
    """

    option: Option
    max_count: int = 1
    commas: bool = False
    pages: bool = False
    required: bool = False
    pattern: str | None = None
    min_count: int = 1

    def read(self, value: Any, owner: str, name: str) -> Any:
        """The value in the option's type, within its bounds; None if there is none."""
        if self.max_count == 1:
            if isinstance(value, list | dict):
                raise OptionError(f"{owner}: {name} must be one value, got {value!r:.80}.")
            return self._read_one(value, owner, name)
        listed = value if isinstance(value, list) else [value]
        if self.commas:
            listed = [part.strip() for each in listed for part in str(each).split(",")]
            listed = list(dict.fromkeys(part for part in listed if part))
        if len(listed) > self.max_count:
            raise OptionError(f"{owner}: at most {self.max_count} {name}, got {len(listed):,}.")
        if not listed:
            raise self.missing(owner, name)
        return tuple(self._read_one(each, owner, name) for each in listed)

    def _read_one(self, value: Any, owner: str, name: str) -> Any:
        if self.pages and (not isinstance(value, str) or not value.strip()):
            raise OptionError(f"{owner}: {name} must be the URL or name of a page, got nothing.")
        longest = MAX_BYTES if self.pages else MAX_TEXT
        if isinstance(value, str) and len(value) > longest:
            raise OptionError(
                f"{owner}: {name} may have {longest:,} characters, got {len(value):,}."
            )
        if self.pages:
            return value
        if self.pattern and not re.fullmatch(self.pattern, str(value)):
            raise OptionError(f"{owner}: {name} must be web or auto:N, got {value!r:.80}.")
        return self.option.convert(value, owner, name)

    def missing(self, owner: str, name: str) -> OptionError:
        """The error for a missing required parameter."""
        return OptionError(f"{owner}: {name} is missing; add {name}=, {self.option.sentence}.")


def parameters_of(owner: type) -> dict[str, Parameter]:
    """The options of a method, a rank or every request as parameters."""
    if owner not in _parameters:
        declared = declared_options(owner)
        _parameters[owner] = {
            name: _parameter(name, each) for name, each in declared.items() if name not in FILES
        }
    return _parameters[owner]


_parameters: dict[type, dict[str, Parameter]] = {}


def present_fields(
    fields: Mapping[str, Any], parameters: Mapping[str, Parameter], owner: str
) -> Mapping[str, Any]:
    """These fields, with former parameter names replaced by current ones."""
    return present(fields, {name: each.option for name, each in parameters.items()}, owner)


def _parameter(name: str, option: Option) -> Parameter:
    if option.kind is tuple:
        return Parameter(option, max_count=MAX_URLS, pages=True)
    if name == "known":
        return Parameter(option, max_count=MAX_KNOWN, pages=True)
    if name == "stop":
        return Parameter(option, pattern=STOP_LIST)
    high = option.high
    if name == "limit":
        high = MAX_RESULTS
    elif name == "max_rounds":
        high = option.default
    elif high is None and option.kind in (int, float):
        high = 2**53 if name == "seed" else max(10_000, 10 * (option.default or 0))
    return Parameter(dataclasses.replace(option, high=high))


@dataclasses.dataclass(frozen=True)
class OwnerChoice:
    """The choices of `by`: one entry of a registry, or up to `max_count`."""

    registry: Registry[Any]
    default: str | None
    sentence: str
    fits: Callable[[type], bool] = lambda owner: True
    max_count: int = 1

    @cached_property
    def owners(self) -> dict[str, type[Configured]]:
        """All choices, by name."""
        entries = self.registry.by_name()
        return {name: owner for name, owner in entries.items() if self.fits(owner)}

    def owner(self, name: str, path: str) -> type[Configured]:
        """The choice with this name, or an error if it cannot be loaded."""
        owner: type[Configured] = self.registry[name]
        if name not in self.owners:
            raise OptionError(
                f"{path}: by must be one of {', '.join(self.owners)}, got {name!r:.80}."
            )
        return owner

    @cached_property
    def parameter(self) -> Parameter:
        is_list = self.max_count > 1
        option = Option(self.default, self.sentence)
        return Parameter(option, self.max_count, commas=is_list, required=self.default is None)


class Values(NamedTuple):
    """A request: the path's own values, and the options for each choice of `by`."""

    path_values: dict[str, Any]
    options: dict[str, dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Parameters:
    """All parameters of a path; `name` identifies it in errors."""

    name: str
    path_parameters: Mapping[str, Parameter] = dataclasses.field(default_factory=dict)
    choice: OwnerChoice | None = None
    common: type | None = None

    @cached_property
    def of_path(self) -> dict[str, Parameter]:
        """The path's own parameters, and `by`."""
        choice = {"by": self.choice.parameter} if self.choice else {}
        others = dict(self.path_parameters)
        url = {"url": others.pop("url")} if "url" in others else {}
        return {**url, **choice, **others}

    @cached_property
    def of_all(self) -> dict[str, Parameter]:
        """The options in `common`."""
        return parameters_of(self.common) if self.common else {}

    @cached_property
    def declared(self) -> dict[str, dict[str, Parameter]]:
        """Every parameter by name and owner; common ones have no owner."""
        by_owner = {name: {"": each} for name, each in {**self.of_path, **self.of_all}.items()}
        for owner, kind in self.choice.owners.items() if self.choice else ():
            for name, each in parameters_of(kind).items():
                by_owner.setdefault(name, {})[owner] = each
        return by_owner

    def fields(self, query: bytes) -> dict[str, Any]:
        """The fields of a query string: a list if a field may be repeated, otherwise one value."""
        by_name: dict[str, Any] = {}
        for name, value in pairs(query):
            if any(each.max_count > 1 for each in self.declared.get(name, {}).values()):
                by_name.setdefault(name, []).append(value)
            elif name in by_name:
                raise OptionError(f"{name!r:.80} is given twice; use it once.")
            else:
                by_name[name] = value
        return by_name

    def read(self, fields: Mapping[str, Any]) -> Values:
        """The values of these fields, with the path's defaults; unknown fields are rejected."""
        path_values: dict[str, Any] = {}
        for name, each in self.of_path.items():
            if name in fields:
                path_values[name] = each.read(fields[name], self.name, name)
            elif each.required:
                unknown = [field for field in fields if field not in self.declared]
                if unknown:  # probably this one, misspelt
                    raise no_option(self.name, unknown[0], [*self.of_path, *self.of_all])
                raise each.missing(self.name, name)
            else:
                path_values[name] = each.option.default
        rest = {name: value for name, value in fields.items() if name not in self.of_path}
        known = self._known(path_values.get("by"))
        by_owner = {
            owner: present_fields(rest, known[owner], owner or self.name) for owner in known
        }
        self._refuse_unknown(by_owner, known)
        return Values(
            path_values,
            {
                owner: {
                    name: known[owner][name].read(value, owner or self.name, name)
                    for name, value in values.items()
                    if name in known[owner]
                }
                for owner, values in by_owner.items()
            },
        )

    def _known(self, by: str | tuple[str, ...] | None) -> dict[str, dict[str, Parameter]]:
        """The options of each choice, including the common ones, by the choice's name."""
        if self.choice is None or by is None:
            return {"": self.of_all}
        names = [by] if isinstance(by, str) else by
        chosen = {name: self.choice.owner(name, self.name) for name in names}
        return {name: {**parameters_of(kind), **self.of_all} for name, kind in chosen.items()}

    def _refuse_unknown(
        self,
        by_owner: Mapping[str, Mapping[str, Any]],
        known: Mapping[str, Mapping[str, Parameter]],
    ) -> None:
        """Raise an error for an option that none of the choices has."""
        unknown = [values.keys() - known[owner].keys() for owner, values in by_owner.items()]
        for name in sorted(set.intersection(*unknown)):
            listed = list(dict.fromkeys(name for options in known.values() for name in options))
            owner = next(iter(known)) if len(known) == 1 else self.name
            raise no_option(owner or self.name, name, [*listed, *self.of_path])


NONE = Parameters("")


def pairs(query: bytes) -> list[tuple[str, str]]:
    """The names and values of a query string, in order."""
    try:
        return parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except UnicodeDecodeError:
        raise HTTPException(400, "The query string is not UTF-8, percent-encoded.") from None
    except ValueError:
        raise HTTPException(400, f"The query string has more than {MAX_FIELDS} fields.") from None
