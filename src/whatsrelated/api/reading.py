"""Reading HTML pages, folders and archives, for applications that handle sites."""

from __future__ import annotations

from whatsrelated.sources.archive.captures import HTML
from whatsrelated.sources.archive.http import Response, TooLong, decoded_body
from whatsrelated.sources.files import File
from whatsrelated.sources.folder import INDEX_FILES, MAX_FILE, NOWHERE, Addresses, files, is_ignored
from whatsrelated.sources.folder_reader import checked_base
from whatsrelated.sources.html import NOT_RECOMMENDED, OURS, as_utf8, read_html, utf16_codec
from whatsrelated.sources.html_folder import HtmlFolder, is_html_file
from whatsrelated.sources.url_joins import UrlBase

__all__ = [
    "HTML",
    "INDEX_FILES",
    "MAX_FILE",
    "NOT_RECOMMENDED",
    "NOWHERE",
    "OURS",
    "Addresses",
    "File",
    "HtmlFolder",
    "Response",
    "TooLong",
    "UrlBase",
    "as_utf8",
    "checked_base",
    "decoded_body",
    "files",
    "is_html_file",
    "is_ignored",
    "read_html",
    "utf16_codec",
]
