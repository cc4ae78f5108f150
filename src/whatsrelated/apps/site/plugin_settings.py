"""The options of `related site` as the settings of a site generator.

They take precedence over `related.toml`, which is read as for the command. So a site that is built
in two ways can keep its options in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whatsrelated.apps.site.options import SiteOptions
from whatsrelated.apps.site.run import Asking
from whatsrelated.apps.site.verb import command
from whatsrelated.cli import config_files
from whatsrelated.cli.verbs import VERBS
from whatsrelated.options import declared_options

SETTINGS = (*declared_options(SiteOptions), "by", "options")
"""The options of a site, the method, and the options of the method."""

OF_COMMAND = {"graph", "data", "kind", "check", "dry_run", "remove"}
"""Options that only the command has."""


def asking(settings: Mapping[str, Any]) -> Asking:
    """The query that these settings describe; None means that a setting is absent."""
    files = config_files.defaults("site", command, config_files.read(VERBS))
    set_here = {name: value for name, value in settings.items() if value is not None}
    method_options = set_here.pop("options", {})
    merged = {**files, **set_here, **method_options}
    return Asking.of({name: value for name, value in merged.items() if name not in OF_COMMAND})
