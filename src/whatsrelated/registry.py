"""One registry for everything with a name: methods, ranks, sources, exports, criteria, verbs.

Our own are in a table; those of other packages come from an entry-point group. Both have the form
`package.module:attribute`. Nothing is imported before it is used, and a package that fails to
import does not affect the others.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cached_property, reduce
from typing import Any, Generic, TypeVar

from whatsrelated.errors import OptionError

T = TypeVar("T")


class Registry(Generic[T]):
    """Objects by name; iterates over the names, ours first."""

    def __init__(
        self, kind: str, group: str, ours: Mapping[str, str], instance_of: type = object
    ) -> None:
        self.kind = kind
        self.group = group
        self.ours = dict(ours)
        self._instance_of = instance_of
        self._loaded: dict[str, T] = {}

    @cached_property
    def installed(self) -> dict[str, str]:
        """The entries that other packages add; they cannot replace ours."""
        from importlib.metadata import entry_points

        points = entry_points(group=self.group)
        return {point.name: point.value for point in points if point.name not in self.ours}

    def __iter__(self) -> Iterator[str]:
        return iter([*self.ours, *self.installed])

    def __len__(self) -> int:
        return len(self.ours) + len(self.installed)

    def __contains__(self, name: object) -> bool:
        return name in self.ours or name in self.installed

    def __getitem__(self, name: str) -> T:
        """The object with this name.

        An unknown name raises an OptionError that lists the known ones.
        """
        if not isinstance(name, str):
            raise OptionError(f"The name of a {self.kind} must be a string, got {name!r:.80}.")
        if name not in self._loaded:
            target = self.ours.get(name) or self.installed.get(name)
            if target is None:
                raise OptionError(f"No {self.kind} {name!r:.80}; choose from {', '.join(self)}.")
            self._loaded[name] = self._load(name, target)
        return self._loaded[name]

    def _load(self, name: str, target: str) -> Any:
        try:
            loaded = import_attribute(target)
            if not isinstance(loaded, self._instance_of):
                expected = f"{self._instance_of.__module__}.{self._instance_of.__qualname__}"
                raise TypeError(f"{loaded!r:.80} is not a {expected}")
            return loaded
        except (Exception, SystemExit) as error:
            if name in self.ours:
                raise
            raise OptionError(
                f"The installed {self.kind} {name!r:.80} cannot be loaded from {target}: "
                f"{type(error).__name__}: {error}; fix or uninstall its package."
            ) from error

    def loadable(self, name: str) -> T | None:
        """The object with this name; None if it is installed but cannot be loaded."""
        try:
            return self[name]
        except OptionError:
            if name in self.ours:
                raise
            return None

    def by_name(self) -> dict[str, T]:
        """All of ours and every installed object that can be loaded, by name."""
        return {name: loaded for name in self if (loaded := self.loadable(name)) is not None}

    def values(self) -> list[T]:
        """All of ours, and every installed object that can be loaded."""
        return list(self.by_name().values())


def import_attribute(target: str) -> Any:
    """Import the attribute that `package.module:attribute` names."""
    module, _, attribute = target.partition(":")
    return reduce(getattr, attribute.split("."), importlib.import_module(module))
