"""Folders of Markdown: what is read from a page, and the kind of folder."""

from __future__ import annotations

import sys

import pytest

from tests.sources.markdown_folders import folder, read
from whatsrelated.errors import MissingExtra
from whatsrelated.sources import READERS, markdown, open_sources
from whatsrelated.sources.files import File
from whatsrelated.sources.markdown_folder import MarkdownFolder, ObsidianVault
from whatsrelated.sources.reader import ReadContext, ReadOptions


def test_sections_titles_and_anchors(tmp_path):
    files = {
        "a.md": "---\ntitle: From front\n---\n[x](b.md)\n## See also\n[y](c.md)",
        "b.md": "# From *heading*\n",
        "c.md": "no title",
    }
    assert read(MarkdownFolder, tmp_path, files, section="body")[0]["a.md"] == ["b.md"]
    assert read(MarkdownFolder, tmp_path, section="see-also")[0]["a.md"] == ["c.md"]
    context = ReadContext(ReadOptions(text=True))
    pages = list(MarkdownFolder(workers=1, anchors=True).read(File(tmp_path), context))
    assert [page.title for page in pages] == ["From front", "From heading", "c"]
    assert list(pages[0].anchors) == ["x", "y"]
    assert pages[2].text == "no title"


def test_bad_files_are_counted_and_the_others_read(tmp_path):
    files = {
        "good.md": "[[x]]",
        "broken.md": "---\ntitle: never ends\n[[x]]",
        "latin.md": "größe [[ü]]".encode("latin-1"),
        "wide.md": "\ufeff[[wide]]".encode("utf-16"),
        "binary.md": bytes(range(256)) * 20,
    }
    pages, context = read(ObsidianVault, tmp_path, files)
    assert pages["good"] == pages["broken"] == ["x"]
    assert pages["wide"] == []
    assert pages["latin"] == ["\ufffd"]
    assert context.refused.counts == {"broken front matter": 1, "binary files": 1}


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({".obsidian/app.json": "{}", "a.md": ""}, "obsidian"),
        ({"a.md": "[[b]]", "b.md": "`[[c]]`"}, "obsidian"),
        ({".foam/x": "", "a.md": "[[b]]"}, "foam"),
        ({"mkdocs.yml": "", "docs/a.md": "", "site/a.html": "<html>"}, "mkdocs"),
        ({"docusaurus.config.ts": "", "docs/a.mdx": ""}, "docusaurus"),
        ({"hugo.toml": "", "content/a.md": ""}, "hugo"),
        ({"config.toml": "baseURL = 'https://a.org/'", "content/a.md": ""}, "hugo"),
        ({"config.yaml": "theme: x\nbaseurl: /", "content/a.md": ""}, "hugo"),
        ({"config/_default/config.toml": "languageCode = 'en'", "content/a.md": ""}, "hugo"),
        ({"config.toml": "title = 'not of Hugo'", "content/a.md": ""}, "markdown"),
        ({"files/en-us/_redirects.txt": "", "files/en-us/a/index.md": ""}, "mdn"),
        ({"a.html": "<html>", "README.md": ""}, "html"),
        ({"page": "<!doctype html>", "b": "x"}, "html"),
        ({"a.md": "[b](b.md)", "b.md": "", "c.html": ""}, "markdown"),
    ],
)
def test_a_folder_is_recognised_by_its_contents(tmp_path, files, kind):
    [(_, reader)] = open_sources([folder(tmp_path, files)]).parts
    assert reader.name == kind
    assert isinstance(reader, READERS[kind])


def test_a_missing_parser_is_named_with_its_install_command(tmp_path, monkeypatch):
    markdown.markdown_parser.cache_clear()
    monkeypatch.setitem(sys.modules, "pyromark", None)
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[vault\]'"):
        read(MarkdownFolder, tmp_path, {"a.md": "x"})
