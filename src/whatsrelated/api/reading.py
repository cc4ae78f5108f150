"""Reading HTML pages, folders and archives, for applications that handle sites."""

from __future__ import annotations

from whatsrelated.sources.archive.captures import HTML
from whatsrelated.sources.archive.http import Response, TooLong, decoded_body
from whatsrelated.sources.files import File
from whatsrelated.sources.folder import (
    INDEX_FILES,
    MAX_FILE,
    NOWHERE,
    Addresses,
    files,
    is_ignored,
    read_text_bytes,
)
from whatsrelated.sources.folder_reader import checked_base
from whatsrelated.sources.front_matter import split_front_matter
from whatsrelated.sources.html import NOT_RECOMMENDED, OURS, as_utf8, read_html, utf16_codec
from whatsrelated.sources.html_folder import HtmlFolder, is_html_file
from whatsrelated.sources.markdown import WIKILINK, markdown_parser
from whatsrelated.sources.source_folder import SourceFolder, SourcePage, source_folder
from whatsrelated.sources.url_joins import UrlBase

__all__ = [
    "HTML",
    "INDEX_FILES",
    "MAX_FILE",
    "NOT_RECOMMENDED",
    "NOWHERE",
    "OURS",
    "WIKILINK",
    "Addresses",
    "File",
    "HtmlFolder",
    "Response",
    "SourceFolder",
    "SourcePage",
    "TooLong",
    "UrlBase",
    "as_utf8",
    "checked_base",
    "decoded_body",
    "files",
    "is_html_file",
    "is_ignored",
    "markdown_parser",
    "read_html",
    "read_text_bytes",
    "source_folder",
    "split_front_matter",
    "utf16_codec",
]
