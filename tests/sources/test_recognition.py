"""Files that are not link lists are recognised; the error says how to proceed."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS, seeds, sources_of
from tests.sources import links_of, read, write
from whatsrelated.errors import ReadError
from whatsrelated.sources import READERS, readers
from whatsrelated.sources.files import File
from whatsrelated.sources.recognition import reader_of

SEEN = {
    "an index of a web archive (CDX)": b" CDX N b a m s k r M S V g\norg,a)/ 2008 http://a.org/\n",
    "an SQL dump": b"-- MySQL dump\nCREATE TABLE `users` (\n  `name` int\n);\n",
    "HDF5": b"\x89HDF\r\n\x1a\n",
    "PDF or PostScript": b"%PDF-1.7\n1 0 obj\n",
    "a picture": b"\x89PNG\r\n\x1a\n",
    "a Web of Science or PubMed bibliography": b"PMID- 1\nAU  - Dean, J\n",
    "LaTeX": b"\\documentclass{article}\n\\begin{document}\n",
    "Turtle": b"@prefix ex: <http://a/> .\nex:a ex:b ex:c .\n",
    "a feed, which lists pages but no links": b'<?xml version="1.0"?>\n<rss version="2.0">\n</rss>',
    "a Stack Exchange table without links between posts": (
        b'\xef\xbb\xbf<?xml version="1.0"?>\n<badges>\n  <row Id="1" UserId="2" Name="x" />\n'
    ),
    "a server's log": b'1.2.3.4 - - [17/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5\n',
    "a mailbox": b"From a@b.org Tue Nov 17 12:00:00 2026\nSubject: tea\n\nmilk and tea\n",
}


@pytest.mark.parametrize("what", SEEN)
def test_a_known_format_is_named_with_what_to_do(what: str, tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", SEEN[what])
    with pytest.raises(ReadError) as refused:
        read(path)
    assert str(refused.value).startswith(f"{path} is {what}, not a list of links; ")


@pytest.mark.parametrize(
    "text",
    [
        "<a>\n <b>tea</b>\n <c>milk sugar</c>\n</a>\n",
        "def tea(milk):\n    return milk\nfor x in y:\n    tea(x)\n",
        "\\section{Tea} milk\n\\cite{tea} sugar\n",
    ],
)
def test_columns_that_look_like_markup_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"markup such as .*use --format columns\."):
        read(write(tmp_path / "x", text))


def test_a_list_with_more_than_a_tenth_of_bad_lines_is_an_error(tmp_path: Path) -> None:
    good = "".join(f"a{i}\tb{i}\n" for i in range(9))
    tenth = write(tmp_path / "tenth", good + "alone\n")
    assert len(links_of(read(tenth))) == 9
    more = write(tmp_path / "more", good + "alone\nandso\n")
    with pytest.raises(ReadError, match=r"2 of its 11 lines were rejected.*--format columns"):
        links_of(read(more))
    assert len(links_of(read(more, format="columns"))) == 9


def test_rows_are_held_to_the_same_share(tmp_path: Path) -> None:
    text = "".join(f"{i}: 1 2 -1\n" for i in range(300)) + "x: 1\n" * 60
    path = write(tmp_path / "adj_list", text)
    with pytest.raises(ReadError, match=r"60 of its 360 lines were rejected.*--format rows"):
        links_of(read(path))


def test_every_real_archive_and_dump_is_read_or_named(shared: Path) -> None:
    kinds = [*(shared / "data/warc").iterdir(), *(shared / "data/zim").iterdir()]
    for path in [*kinds, *(shared / "data/wikidump_sample").iterdir()]:
        with suppress(ReadError):
            (_, reader), *_ = read(path).parts
            assert reader.name not in ("columns", "rows"), path


EVERYDAY = {
    "package.json": '{\n  "name": "tea",\n  "dependencies": {"cup": "^1.0"}\n}\n',
    "lock.json": '{"lockfileVersion": 3, "packages": {"a": {"version": "1"}}}',
    "map.geojson": '{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point"}}]}',
    "schema.json": '{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}',
    "tweets.json": '[{"id": 1, "text": "tea", "user": {"name": "a"}}]',
    "people.json": '[{"title": "Dr", "name": "A", "children": ["B"]}]',
    "events.jsonl": '{"event": "click", "at": 1}\n{"event": "view", "at": 2}\n',
    "notebook.ipynb": '{"cells": [{"cell_type": "markdown", "source": ["# Tea"]}], "nbformat": 4}',
    "prices.csv": "item,price,currency\ntea,3,EUR\nmilk,1,EUR\n",
    "requests.har": '{"log": {"version": "1.2", "entries": [{"url": "http://a/"}]}}',
    "api.json": '{"meta": {"count": 1}, "data": {"posts": [{"id": 1}]}}',
    "issues.json": '[{"url": "https://a.org/1", "id": 1, "title": "x", "body": "y"}]',
    "index.jsonl": '{"urlkey": "org,a)/", "url": "https://a.org/", "status": "200"}\n',
    "page.jsonld": '{"@context": "https://schema.org", "url": "https://a/", "relatedLink": []}',
    "response.json": '{"object": "list", "results": [{"object": "page", "url": "https://a/"}]}',
    "bookmarks.json": '{"roots": {"bookmark_bar": {"children": [{"url": "https://a.org/"}]}}}',
    "nodes.csv": "Id,Label,timeset,modularity_class\n1,Tea,,0\n2,Milk,,0\n",
    "latest-links.csv": "Linking page,Last crawled\nhttps://a.org/,2026-11-02\n",
    "latest-french.csv": "Page,Dernière exploration\nhttps://a.org/,3 août 2026\n",
    "latest-german.csv": "Verweisende Seite;Zuletzt gecrawlt\nhttps://a.org/;02.11.2026\n",
    "latest-hebrew.csv": "דף מקשר,נסרק לאחרונה\nhttps://a.org/,28/09/2026\n",
    "latest-japanese.csv": "リンク元ページ,前回のクロール\nhttps://a.org/,2026年8月3日\n",
    "sample-links.csv": "Linking page\nhttps://a.org/\nhttps://b.org/\n",
    "top-sites.csv": 'Site,Linking pages,Target pages\na.org,3,1\nb.org,"1,240",12\n',
    "top-pages.csv": "Zielseite,Eingehende Links,Websites\nhttps://a.org/,210,8\n",
    "top-text.csv": "Texte de lien,Pages\ntea,5\nmilk,2\n",
    "dblp.xml": '<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp><article key="a"/></dblp>\n',
    "contacts.vcf": "BEGIN:VCARD\nVERSION:3.0\nFN:A B\nEND:VCARD\n",
    "calendar.ics": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nSUMMARY:Tea\nEND:VEVENT\n",
    "config.yaml": "site: tea\nnav:\n  - home: index.md\n  - milk: milk.md\nlinks:\n  - a\n",
    "project.toml": '[project]\nname = "tea"\nversion = "1"\n\n[tool.cup]\nsize = 2\n',
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg"><a href="x"><path d="M0 0"/></a></svg>',
    "pom.xml": '<?xml version="1.0"?>\n<project><artifactId>tea</artifactId></project>\n',
    "strings.xml": '<?xml version="1.0"?>\n<resources><string name="a">tea</string></resources>\n',
    "index.html": "<!doctype html><html><body><a href='a.html'>tea</a></body></html>",
    "dump.sql": "--\n-- PostgreSQL database dump\n--\n\nCREATE TABLE public.tea (\n  id int\n);\n",
    "server.log": '1.2.3.4 - - [17/Nov/2026:12:00:00 +0000] "GET /tea HTTP/1.1" 200 5\n',
    "style.css": "body {\n  color: red;\n}\na:hover {\n  color: blue;\n}\n",
}
"""Files that people have, which hold no links between pages that could be read."""

GENERAL = {"columns", "rows", "markdown", "obsidian"}
"""Readers that take what no other reader recognises; they are tried last."""


@pytest.mark.parametrize("seed", seeds("readers"))
def test_no_reader_claims_a_file_of_another_format(seed: str) -> None:
    owner, _, path = seed.partition("/")
    file = File(sources_of(owner, CORPUS / "readers" / owner, path)[0])
    claimed = {
        reader.name
        for reader in readers()
        if reader.folders == file.path.is_dir() and reader.recognises(file)
    }
    assert claimed - GENERAL <= {owner}


@pytest.mark.parametrize("seed", seeds("readers"))
def test_every_file_goes_to_the_reader_of_its_format(seed: str) -> None:
    owner, _, path = seed.partition("/")
    file = File(sources_of(owner, CORPUS / "readers" / owner, path)[0])
    known = [reader for reader in readers() if reader.folders == file.path.is_dir()]
    assert reader_of(file, known).name == owner


@pytest.mark.parametrize("name", EVERYDAY)
def test_no_reader_claims_an_everyday_file(name: str, tmp_path: Path) -> None:
    file = File(write(tmp_path / name, EVERYDAY[name]))
    claimed = {
        reader.name for reader in readers() if not reader.folders and reader.recognises(file)
    }
    assert claimed <= GENERAL
    with pytest.raises(ReadError, match=re.escape(file.label)):
        links_of(read(file.path))


def test_every_reader_is_tried_on_ten_files_of_other_formats() -> None:
    sizes: dict[bool, set[str]] = {True: set(), False: set()}
    for seed in seeds("readers"):
        owner = seed.partition("/")[0]
        folders = READERS[owner].folders
        sizes[folders].add(owner if folders else seed)
    assert all(len(names) > 10 for names in sizes.values())
