"""MkDocs 1.x plug-in: related pages in every page of the site.

plugins:
  - search
  - related:
      limit: 5
"""

from __future__ import annotations

import logging

from mkdocs.config import config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin

from whatsrelated.apps.site.plugin_settings import SETTINGS, asking
from whatsrelated.apps.site.run import write_lists
from whatsrelated.errors import RelatedError

log = logging.getLogger("mkdocs.plugins.related")


class RelatedPages(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """The plug-in `related`; its settings are the options of `related site`."""

    config_scheme = tuple(
        (name, config_options.Type((str, int, bool, list, dict), default=None)) for name in SETTINGS
    )

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the lists once all pages are built."""
        try:
            outcome = write_lists(config["site_dir"], asking(self.config))
        except RelatedError as error:
            raise PluginError(f"related: {error}") from error
        log.info("Added related pages to %d of %d pages", outcome.with_list, outcome.pages)
        for path in outcome.without_place:
            log.warning("%s has no place for a list of related pages", path)
