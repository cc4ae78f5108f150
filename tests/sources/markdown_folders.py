"""Markdown folders for tests, and independently derived tables for real ones."""

from __future__ import annotations

import gzip
from collections import defaultdict

from whatsrelated.sources import open_sources
from whatsrelated.sources.files import File
from whatsrelated.sources.reader import ReadContext

BASE = "https://example.org/"


def folder(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def read(kind, root, files=None, **options):
    """The links of each page, and what was found and refused."""
    context = ReadContext()
    reader = kind(**{"workers": 1, **options})
    pages = reader.read(File(folder(root, files or {})), context)
    return {page.url: list(page.links) for page in pages}, context


def read_as_expected(kind, root, files, expected):
    """The source of a folder, which is recognised as this kind and has these links."""
    assert read(kind, root, files)[0] == expected
    source = open_sources([root])
    assert source.parts[0][1].name == kind.name
    return source


def derived(shared, name, section):
    """The links of a table derived independently from the same files, by source."""
    with gzip.open(shared / "data" / name / "pages.tsv.gz", "rt") as table:
        names = dict(line.split("\t")[:2] for line in table)
    links = defaultdict(dict)
    with gzip.open(shared / "data" / name / "links.tsv.gz", "rt") as table:
        for line in list(table)[1:]:
            source, _, target, part = line.rstrip("\n").split("\t")
            if source != target and part == section:
                links[names[source]][names[target]] = None
    return {source: list(targets) for source, targets in links.items()}


def inside(pages, links):
    """Links between pages of the folder, page by page, if there are any."""
    kept = {page: [link for link in links[page] if link in pages] for page in pages}
    return {page: links for page, links in kept.items() if links}
