"""Sphinx extension: related pages in every page that `html` and `dirhtml` build.

    extensions = ["whatsrelated.apps.site.sphinx"]

The options of `related site` are settings of `conf.py`, such as `related_pages_limit`;
the directive `related-pages` marks where on a page the list goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.errors import ExtensionError
from sphinx.util import logging

from whatsrelated.apps.site.plugin_settings import SETTINGS, asking
from whatsrelated.apps.site.run import write_lists
from whatsrelated.errors import RelatedError

if TYPE_CHECKING:
    from sphinx.application import Sphinx

BUILDERS = ("html", "dirhtml", "readthedocs", "readthedocsdirhtml")
"""Builders that write one file per page."""
PREFIX = "related_pages_"
KINDS = (str, int, bool, list, tuple, dict)


class RelatedPagesDirective(Directive):
    """`.. related-pages::` marks where the list of this page goes."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", "<!-- related-pages -->", format="html")]


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the lists once all pages are built."""
    if error is not None or app.builder.name not in BUILDERS:
        return
    settings = {name: getattr(app.config, PREFIX + name) for name in SETTINGS}
    try:
        outcome = write_lists(str(app.outdir), asking(settings))
    except RelatedError as wrong:
        raise ExtensionError(f"related pages: {wrong}") from wrong
    log = logging.getLogger(__name__)
    log.info("related pages: added to %d of %d pages", outcome.with_list, outcome.pages)
    for path in outcome.without_place:
        log.warning("related pages: %s has no place for a list", path, type="related_pages")


def setup(app: Sphinx) -> dict[str, Any]:
    """Set up the extension; Sphinx calls this when it loads the module."""
    for name in SETTINGS:
        app.add_config_value(PREFIX + name, None, "", KINDS)
    app.add_directive("related-pages", RelatedPagesDirective)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
