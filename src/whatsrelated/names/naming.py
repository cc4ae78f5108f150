"""Options for turning raw names into the names of pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from whatsrelated.names.canonical import as_host, canonical, storable
from whatsrelated.options import Configured, declared_options, option


@dataclass(frozen=True)
class Naming(Configured):
    """The options of a build that affect names."""

    name: ClassVar[str] = "build"

    urls: str = option(
        "canonical",
        "form of URLs: canonical, or keep to leave them unchanged",
        choices=("canonical", "keep"),
    )
    hosts_as_urls: bool = option(
        False,
        "treat a bare host such as example.org as a URL",
        formerly={"names": {"auto": False, "host": True}},
        common=True,
    )
    merge_scheme: bool = option(False, "treat http and https as one page")

    def recorded(self) -> dict[str, Any]:
        """The naming options, for the manifest of a graph."""
        return {name: getattr(self, name) for name in declared_options(Naming)}

    @property
    def plain_stays(self) -> bool:
        return not self.hosts_as_urls or self.urls == "keep"

    @property
    def http_stays(self) -> bool:
        return not self.merge_scheme or self.urls == "keep"

    def __call__(self, raw: str) -> str:
        if self.urls == "keep":
            return storable(raw)
        if self.hosts_as_urls:
            return as_host(raw, merge_scheme=self.merge_scheme)
        return canonical(raw, merge_scheme=self.merge_scheme)
