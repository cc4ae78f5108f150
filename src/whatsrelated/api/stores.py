"""The graph on disk, for applications that read it page by page."""

from __future__ import annotations

from whatsrelated import kernels
from whatsrelated.graph import format as disk
from whatsrelated.graph.degrees import most_linked
from whatsrelated.graph.facts import facts
from whatsrelated.graph.page_columns import BROKEN, NAVIGATION, REDIRECTS, UNCHECKED
from whatsrelated.graph.page_files import OpenWith, PageAddresses, source_folders
from whatsrelated.graph.store import Store
from whatsrelated.vicinity.duplicates import near_duplicates

__all__ = [
    "BROKEN",
    "NAVIGATION",
    "REDIRECTS",
    "UNCHECKED",
    "Links",
    "OpenWith",
    "PageAddresses",
    "Store",
    "disk",
    "facts",
    "most_linked",
    "near_duplicates",
    "source_folders",
]

Links = kernels.links.Links
