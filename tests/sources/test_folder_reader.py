"""Folders of pages: hostile or broken files are read or counted, and never stop the others."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pytest

from tests.machine.hanging import HangingClock, hang
from whatsrelated.errors import ReadError
from whatsrelated.machine import workers
from whatsrelated.sources import ReadOptions, folder, html_folder, open_sources
from whatsrelated.sources.files import File
from whatsrelated.sources.html_folder import HtmlFolder, ReadHtml
from whatsrelated.sources.reader import ReadContext

PAGES = {
    "attribute.html": b'<a title="' + b"x" * 50_000_000 + b'" href="good.html">x</a>',
    "attributes.html": b"<a "
    + b" ".join(b"a%d=1" % n for n in range(200_000))
    + b" href=good.html>",
    "binary.html": bytes(range(256)) * 1000,
    "bold.html": b"<b><i>" * 100_000 + b"<a href=good.html>",
    "brackets.html": b"<" * 2_000_000,
    "circle.html": b"<base href=circle.html><link rel=canonical href=#><a href=good.html>",
    "comment.html": b"<a href=good.html></a><!--" + b"-<!--" * 500_000,
    "declared.html": b'<meta charset="utf-16"><a href="good.html?\xff\xfe">',
    "deep.html": b"<div>" * 1_000_000 + b"<a href=good.html>",
    "empty.html": b"",
    "entities.html": b"<a href='" + b"&a" * 1_000_000 + b"'></a><a href=good.html>",
    "good.html": b'<a href="deep.html">x</a>',
    "href.html": b"<a href='" + b"x" * 10_000_000 + b"'></a><a href=good.html>",
    "hrefs.html": b"<a href='http://[x'><a href='http://a b/'><a href='\x00'><a href='//'>",
    "links.html": b"<a href=good.html>" * 200_000,
    "navs.html": b"<nav>" * 100_000 + b"<a href=good.html>",
    "refresh.html": b"<meta http-equiv=refresh content='" + b"0;url=" * 100_000 + b"'>",
    "sixteen.html": "<a href='good.html'>ü</a>".encode("utf-16"),
    "table.html": b"<table><a href=good.html>" * 30_000,
    "title.html": b"<title>" + b"x" * 5_000_000 + b"</title><a href=good.html>",
}
LINK_TO_GOOD = {*PAGES} - {"binary.html", "brackets.html", "empty.html", "good.html", "hrefs.html"}
LINK_TO_GOOD -= {"navs.html", "refresh.html"}


def read(root, **options):
    context = ReadContext()
    pages = {page.url: page for page in HtmlFolder(**options).read(File(root), context)}
    return pages, context


def test_pages_that_would_stop_others_are_read_or_counted(tmp_path):
    for name, data in PAGES.items():
        (tmp_path / name).write_bytes(data)
    pages, context = read(tmp_path)
    assert set(pages) == {*PAGES} - {"binary.html"}
    for name in LINK_TO_GOOD:
        assert any(link.startswith("good.html") for link in pages[name].links), name
    assert list(pages["navs.html"].links) == []
    assert len(pages["title.html"].title) == 300
    assert context.refused.counts == {"binary files": 1, "too long": 2, "not a URL": 3}


def test_a_file_over_the_limit_is_reported(tmp_path):
    (tmp_path / "good.html").write_bytes(PAGES["good.html"])
    with (tmp_path / "large.html").open("wb") as file:
        file.truncate(folder.MAX_FILE + 1)
    pages, context = read(tmp_path, workers=1)
    assert set(pages) == {"good.html"}
    assert context.refused.counts == {"files over 64 MB": 1}
    assert context.refused.examples == {"files over 64 MB": ["large.html"]}
    with pytest.raises(ReadError, match=r"large\.html \(files over 64 MB\)"):
        list(open_sources([tmp_path], ReadOptions(strict=True)))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_read_permission_is_reported(tmp_path):
    (tmp_path / "good.html").write_bytes(PAGES["good.html"])
    (tmp_path / "closed.html").write_bytes(b"")
    (tmp_path / "closed.html").chmod(0)
    pages, context = read(tmp_path, workers=1)
    assert set(pages) == {"good.html"}
    assert context.refused.counts == {"files not read (Permission denied)": 1}


@dataclass(frozen=True)
class HangOn(ReadHtml):
    """Never returns for `hang.html`, and reads other pages."""

    def __call__(self, path):
        if path == "hang.html":
            hang(self.root)
        return super().__call__(path)


def test_a_page_has_a_time_limit(tmp_path, monkeypatch):
    for name in ("a.html", "hang.html", "z.html"):
        (tmp_path / name).write_bytes(b"<a href=b.html>")
    monkeypatch.setattr(html_folder, "ReadHtml", HangOn)
    monkeypatch.setattr(workers, "clock", HangingClock(tmp_path))
    pages, context = read(tmp_path, workers=1, page_seconds=0.2)
    assert set(pages) == {"a.html", "z.html"}
    assert context.refused.counts == {"took over 0.2 s": 1}


def test_a_page_that_outgrows_memory_is_lost_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("RELATED_WORKER_MEMORY", str(400 << 20))
    (tmp_path / "a.html").write_bytes(b"<a href=b.html>")
    (tmp_path / "large.html").write_bytes(b"<" * 30_000_000)
    (tmp_path / "z.html").write_bytes(b"<a href=a.html>")
    pages, context = read(tmp_path, workers=1)
    assert set(pages) == {"a.html", "z.html"}
    assert context.refused.total() == 1
    assert workers.memory_bound(workers.MEMORY) == 400 << 20


def test_a_folder_without_pages_is_an_error(tmp_path):
    (tmp_path / "x.css").write_text("")
    with pytest.raises(ReadError, match="has no pages or notes, such as HTML"):
        open_sources([tmp_path])
    with pytest.raises(ReadError, match="has no links: it is empty"):
        list(open_sources([tmp_path], ReadOptions(format="html")))


def test_files_of_other_formats_in_a_folder_are_counted(tmp_path):
    files = {"a.html": '<a href="b.html">b</a>', "b.html": "b", "note.md": "[a](a.html)"}
    for name, text in {**files, "links.tsv": "x\ty\n", "style.css": "a {}"}.items():
        (tmp_path / name).write_text(text)
    pages, notes = open_sources([tmp_path]), open_sources([tmp_path], ReadOptions("markdown"))
    list(pages)
    list(notes)
    assert pages.counts["html"] == {
        "pages": 2,
        "links": 1,
        ".md files not read (--format markdown reads those instead)": 1,
        ".tsv files not read (name them as sources to include them)": 1,
    }
    assert notes.counts["markdown"]["pages"] == 1
    assert ".html files not read (--format html reads those instead)" in notes.counts["markdown"]


def test_no_markup_beside_another_is_dropped_in_silence(tmp_path):
    files = {"a.rst": "x", "b.rst": "x", "c.md": "x", "d.asciidoc": "x", "e.textile": "x"}
    for name, text in {**files, "logs.csv": "a,b"}.items():
        (tmp_path / name).write_text(text)
    source = open_sources([tmp_path])
    list(source)
    unread = {what: count for what, count in source.counts["rst"].items() if "not read" in what}
    assert unread == {
        ".md files not read (--format markdown reads those instead)": 1,
        ".asciidoc files not read (--format asciidoc reads those instead)": 1,
        ".textile files not read (convert them to Markdown)": 1,
        ".csv files not read (name them as sources to include them)": 1,
    }


def test_a_folder_without_pages_names_the_files_that_can_be_read(tmp_path):
    (tmp_path / "PostLinks.xml").write_text('<?xml version="1.0"?>\n<postlinks>\n</postlinks>\n')
    (tmp_path / "Tags.xml").write_text('<?xml version="1.0"?>\n<tags>\n</tags>\n')
    with pytest.raises(ReadError, match=r"no pages or notes, .*: related build .*/PostLinks\.xml$"):
        open_sources([tmp_path])
