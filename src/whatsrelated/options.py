"""Options. Each is declared once, with its default, bounds, a sentence and the paper's symbol.

A method, a rank or a build is a frozen dataclass whose fields are created by `option`. The range
check (`Configured`), `--help`, HTTP parameters, keys of configuration files and the tables in the
docs are all generated from that declaration.

A renamed option lists its old names in `formerly`. They are accepted wherever options are given,
but never shown.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from whatsrelated.errors import OptionError, suggestion

T = TypeVar("T", bound="Configured")

Formerly = Mapping[str, Mapping[Any, Any]]
"""The former names of an option, each with its former values and their current names."""

LARGEST = 2**53
"""Upper bound on every number; integers up to here are exact in JSON."""


class Bytes(int):
    """The kind of an option that is a number of bytes, such as 2G."""


class FilePaths(tuple[str, ...]):
    """The kind of an option that names any number of files."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its default, bounds and meaning."""

    default: Any
    sentence: str
    symbol: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    open_low: bool = False
    kind: type = str
    also: Callable[[Any], bool] | None = None
    lines: bool = False
    common: bool = False
    only_read: bool = False
    formerly: Formerly = dataclasses.field(default_factory=dict, hash=False)

    def bound(self) -> str:
        """The allowed values in words, for an error or help."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind in _KINDS:
            return _KINDS[self.kind]
        if self.kind is str and not self.words:
            return "a name or a function" if self.also else "a string"
        parts = []
        if self.low is not None:
            parts.append(f"{'above' if self.open_low else 'at least'} {self.low:g}")
        if self.high is not None:
            parts.append(f"at most {self.high:g}")
        number = "a whole number" if self.kind is int else "a number"
        text = " and ".join(parts) if parts else number
        if len(self.words) < 2:
            return " or ".join([text, *self.words])
        return f"{text}, or {', '.join(self.words[:-1])} or {self.words[-1]}"

    def convert(self, value: Any, owner: str, name: str) -> Any:
        """`value` converted to the option's type.

        If that fails, an OptionError states the bounds.
        """
        if self.lines and isinstance(value, list | tuple):
            value = "\n".join(map(str, value)) or None
        if self.also is not None and self.also(value):
            return value
        if value is None and "none" in (*self.words, *self.choices):
            return "none"
        if self.choices:
            if value in self.choices:
                return value
        elif value is None or (isinstance(value, str) and value in self.words):
            if value is self.default or value in self.words:
                return value
        elif self.kind in _BY_KIND:
            converted = _BY_KIND[self.kind](value)
            if converted is not None:
                return converted
        else:
            number = self._number(value)
            if number is not None and self._within(number):
                return number
        number = self._number(value)
        shown = f"{value!r:.80}" if number is None else f"{number:g}"
        allowed = (
            f"at most {LARGEST:,}" if number is not None and number > LARGEST else self.bound()
        )
        raise OptionError(f"{owner}: {name} must be {allowed}, got {shown}.")

    def _number(self, value: Any) -> int | float | None:
        if isinstance(value, bool):
            return None
        if self.kind is Bytes:
            return bytes_of(value)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return None
        if not math.isfinite(number):
            return None
        if self.kind is not int:
            return number
        if number != int(number):
            return None
        try:
            return int(value)
        except ValueError:  # "1e3"
            return int(number)

    def _within(self, number: float) -> bool:
        if self.low is not None and (number < self.low or (self.open_low and number == self.low)):
            return False
        return number <= (LARGEST if self.high is None else self.high)


def _truth(value: Any) -> bool | None:
    """A boolean or its string as a bool; None for anything else."""
    if isinstance(value, bool):
        return value
    return _TRUTHS.get(value) if isinstance(value, str) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Any) -> tuple[str, ...] | None:
    listed = (value,) if isinstance(value, str) else value
    if isinstance(listed, list | tuple) and all(isinstance(one, str) for one in listed):
        return tuple(listed)
    return None


def _path(value: Any) -> Path | None:
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    return Path(path) if isinstance(path, str) and "\0" not in path else None


def _paths(value: Any) -> tuple[str, ...] | None:
    single = isinstance(value, str | os.PathLike) or not isinstance(value, Iterable)
    paths = [_path(each) for each in ([value] if single else value)]
    return None if None in paths else tuple(map(str, paths))


def bytes_of(value: Any) -> int | None:
    """The number of bytes in `2G`, `512M` or a plain number; None for anything else."""
    if isinstance(value, int):
        return value
    parts = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(parts[1]) << _SHIFTS[parts[2].upper()] if parts else None


_SIZE = re.compile(r"([0-9]{1,18})\s*([KMGT]?)i?B?", re.IGNORECASE)
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_BY_KIND: dict[type, Callable[[Any], Any]] = {
    bool: _truth,
    str: _text,
    tuple: _texts,
    Path: _path,
    FilePaths: _paths,
}
_KINDS = {
    bool: "true or false",
    tuple: "a page or a list of pages",
    Bytes: "a size such as 512M or 2G",
    Path: "a path",
    FilePaths: "a path or a list of paths",
}


def option(
    default: Any,
    sentence: str,
    *,
    kind: type | None = None,
    formerly: Iterable[str] | Formerly = (),
    **bounds: Any,
) -> Any:
    """A dataclass field that is an option; `bounds` are other fields of `Option`.

    Its kind follows from its default; without one, it is text. `words` are strings allowed besides
    numbers; `also` returns whether another value is allowed. With `lines`, the option may be
    repeated, and each value is one line. `only_read` means that we never write to the path, if the
    value is one. `formerly` lists its old names; if values were renamed too, each maps old values
    to new ones.
    """
    old = formerly if isinstance(formerly, Mapping) else {name: {} for name in formerly}
    kind = kind or (str if default is None else type(default))
    declared = Option(default, sentence, kind=kind, formerly=old, **bounds)
    return dataclasses.field(default=default, metadata={"option": declared})


class ConfiguredType(type):
    """The metaclass of option classes, which accepts former names as keyword arguments."""

    def __call__(cls, *values: Any, **options: Any) -> Any:
        return super().__call__(*values, **present(options, declared_options(cls), cls.__name__))


class Configured(metaclass=ConfiguredType):
    """A value whose fields are options, converted on creation; its `repr` recreates it."""

    name: ClassVar[str]
    fixed: ClassVar[tuple[str, ...]] = ()
    """Inherited options that this class does not accept."""

    def __post_init__(self) -> None:
        for field, declared in declared_options(type(self)).items():
            value = getattr(self, field)
            if value is not declared.default:
                object.__setattr__(self, field, declared.convert(value, self.name, field))

    def settings(self) -> dict[str, Any]:
        """Every option and its value, in order of declaration."""
        return dict(vars(self))


def declared_options(owner: type) -> dict[str, Option]:
    """The options of a class by name, in order of declaration."""
    if owner not in _declared:
        fields = dataclasses.fields(owner) if dataclasses.is_dataclass(owner) else ()
        fixed = getattr(owner, "fixed", ())
        options = {
            field.name: field.metadata.get("option") for field in fields if field.name not in fixed
        }
        _declared[owner] = {name: one for name, one in options.items() if one is not None}
    return _declared[owner]


_declared: dict[type, dict[str, Option]] = {}


def former_names(options: Mapping[str, Option]) -> dict[str, tuple[str, Mapping[Any, Any]]]:
    """The former names of these options, each with its current name and renamed values."""
    return {
        former: (name, meanings)
        for name, declared in options.items()
        for former, meanings in declared.formerly.items()
    }


def present(
    values: Mapping[str, Any], options: Mapping[str, Option], owner: str
) -> Mapping[str, Any]:
    """Replace former option names with current ones; errors name `owner`."""
    if all(name in options for name in values):
        return values
    former = former_names(options)
    renamed = {name: value for name, value in values.items() if name not in former}
    for name in (name for name in values if name in former):
        new, meanings = former[name]
        if new in renamed:
            raise OptionError(f"{owner}: {name} is now called {new}; use only {new}.")
        value = values[name]
        renamed[new] = meanings.get(value, value) if isinstance(value, Hashable) else value
    return renamed


def divide(
    values: Mapping[str, Any], owner: type[Configured]
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Split values into the owner's options, by their current names, and the rest."""
    options = declared_options(owner)
    known = {*options, *former_names(options)}
    options_given = {name: value for name, value in values.items() if name in known}
    rest = {name: value for name, value in values.items() if name not in known}
    return (present(options_given, options, owner.name) if options_given else options_given), rest


def configure(owner: type[T], values: Mapping[str, Any], beside: type | None = None) -> T:
    """`owner` with these options; for an unknown one, an OptionError lists the known ones.

    `beside` declares options that the caller accepts as well; the error lists them too.
    """
    if not values:
        return _default_of(owner)
    options_given, unknown = divide(values, owner)
    for name in unknown:
        shared = declared_options(beside) if beside else {}
        raise no_option(owner.name, name, [*declared_options(owner), *shared])
    return owner(**options_given)


def no_option(owner: str, name: str, known: Iterable[str]) -> OptionError:
    """The error for an unknown option: the one that may be meant, and all known ones."""
    known = list(dict.fromkeys(known))
    hint = suggestion(name, known)
    listed = f"{'It' if hint else 'it'} has: {', '.join(known) or 'none'}."
    return OptionError(f"{owner} has no option {name!r:.80}; {f'{hint} ' if hint else ''}{listed}")


def _default_of(owner: type[T]) -> T:
    """`owner` with all defaults, created once."""
    default = _defaults.get(owner)
    if not isinstance(default, owner):
        default = _defaults[owner] = owner()
    return default


_defaults: dict[type, Configured] = {}


def choose(
    by: str | T | type[T],
    named: Callable[[str], type[T]],
    values: Mapping[str, Any],
    beside: type | None = None,
) -> T:
    """The method or rank with this name or class and these options, or the given instance.

    `beside` is as for `configure`.
    """
    if isinstance(by, str):
        return configure(named(by), values, beside)
    if isinstance(by, type) and issubclass(by, Configured) and hasattr(by, "name"):
        return configure(by, values, beside)
    if not isinstance(by, Configured):
        raise OptionError(f"by must be a name, a class or an instance, got {by!r:.80}.")
    if values:
        listed = ", ".join(values)
        raise OptionError(f"{by.name} already has its options; got {listed} as well.")
    return by
