"""Archives as a source: several files make one, and real ones match other readers."""

from __future__ import annotations

import ada_url
import pytest

from tests.conftest import SHARED
from tests.sources.archive import (
    SITE,
    http,
    inline,
    oracle_links,
    oracle_pages,
    packed,
    page,
    read,
    record,
    write,
)
from whatsrelated.errors import ReadError
from whatsrelated.machine import workers
from whatsrelated.sources import open_sources
from whatsrelated.stream import DeadLink

T = "https://target.example/"
WARCS = sorted(
    path.name
    for path in (SHARED / "data" / "warc").glob("*")
    if not path.name.endswith((".wat.gz", ".wet.gz", ".arc.gz"))
)


def test_several_files_are_read_together(tmp_path, monkeypatch):
    first = write(tmp_path / "a.warc", page(SITE, SITE + "old"))
    second = write(
        tmp_path / "b.warc.gz",
        packed(record(SITE + "old", http(b"", f"Location: {T}", status="301 x"))),
        packed(page(SITE, SITE + "x", date="2001-01-01T00:00:00Z")),
    )
    assert read(monkeypatch, first, second)[0] == {SITE: [T]}


def test_links_are_checked_by_the_responses_of_the_archive(tmp_path, monkeypatch):
    moved = {"old": "new", "hop": "old", "round": "again", "again": "round", "lost": "gone"}
    gone = http(b"", status="404 Not Found")
    file = write(
        tmp_path / "a.warc",
        page(SITE, *(SITE + end for end in [*moved, "gone", "back", "new", "a.pdf"]), T),
        page(SITE + "new", date="2002-01-01T00:00:00Z"),
        record(SITE + "gone", gone),
        record(SITE + "back", gone, date="2001-01-01T00:00:00Z"),
        page(SITE + "back", date="2002-01-01T00:00:00Z"),
        record(SITE + "a.pdf", http(b"%PDF", "Content-Type: application/pdf", status="200 OK")),
        *(
            record(SITE + a, http(b"", f"Location: {SITE}{b}", status="301 x"))
            for a, b in moved.items()
        ),
    )
    monkeypatch.setattr(workers, "results", inline)
    (checked,) = [one.checked for one in open_sources([file], options={"workers": 1}) if one.links]
    assert [(one.link.removeprefix(SITE), one.status) for one in checked.broken] == [
        ("lost", 404),
        ("gone", 404),
    ]
    assert [
        (a.removeprefix(SITE), b.removeprefix(SITE), n) for a, b, n, _ in checked.redirects
    ] == [
        ("old", "new", 1),
        ("hop", "new", 2),
        ("round", "", 0),
        ("again", "", 0),
    ]
    assert [one.line for one in checked.redirects] == [1, 1, 1, 1]
    assert checked.unchecked == 1, "the other site was not fetched"


def test_a_link_to_a_copy_that_was_fetched_is_checked(tmp_path, monkeypatch):
    copy = record(SITE + "index.html", http(b""), "revisit", f"WARC-Refers-To-Target-URI: <{SITE}>")
    lost = record(SITE + "lost", http(b""), "revisit", f"WARC-Refers-To-Target-URI: <{SITE}none>")
    file = write(tmp_path / "a.warc", page(SITE, SITE + "x"), copy, lost)
    more = write(tmp_path / "b.warc", page(SITE + "x", SITE + "index.html", SITE + "lost"))
    monkeypatch.setattr(workers, "results", inline)
    pages = open_sources([file, more], options={"workers": 1})
    checked = {one.url: one.checked for one in pages}
    assert checked[SITE].unchecked == 0
    assert checked[SITE + "x"].unchecked == 1, "the page that lost repeats was not fetched"


def test_an_address_that_failed_after_its_last_capture_is_broken(tmp_path, monkeypatch):
    dates = "2001-01-01T00:00:00Z", "2002-01-01T00:00:00Z"
    file = write(
        tmp_path / "a.warc",
        page(SITE, SITE + "x"),
        page(SITE + "x", date=dates[0]),
        record(SITE + "x", http(b"", status="410 Gone"), date=dates[1]),
    )
    monkeypatch.setattr(workers, "results", inline)
    (checked,) = [one.checked for one in open_sources([file], options={"workers": 1}) if one.links]
    assert checked.broken == [DeadLink(1, SITE + "x", 410)]


def test_sources_read_all_archives_at_once_among_other_files(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "results", inline)
    first = write(tmp_path / "a.warc", page(SITE, SITE + "old"))
    other = write(tmp_path / "x.tsv", b"a\tb\nc\td\n")
    second = write(
        tmp_path / "b.warc", record(SITE + "old", http(b"", f"Location: {T}", status="301 x"))
    )
    source = open_sources([first, other, second], options={"workers": 1})
    assert [list(one.links) for one in source if hasattr(one, "links")] == [[T]]


def test_archives_without_pages_say_why(tmp_path, monkeypatch):
    texts = write(tmp_path / "x.wet", record(SITE, b"tea", "conversion"))
    with pytest.raises(ReadError, match=r"extracted texts \(WET\)"):
        read(monkeypatch, texts)
    with pytest.raises(ReadError, match="has no HTML pages; rejected 1: 1 records without a URL"):
        read(monkeypatch, write(tmp_path / "y.warc", record("x", http(b""))))


def joined(base, hrefs):
    """The distinct targets of links in page order, by ada alone."""
    found: dict[str, None] = {}
    for href in hrefs:
        bare = href.partition("#")[0].strip()
        try:
            target = ada_url.join_url(base, bare).partition("#")[0] if bare else base
        except ValueError:
            continue
        if target != base:
            found[target] = None
    return list(found)


ALL = {"links": "all", "rel": "all", "captures": "all", "redirects": "keep"}


@pytest.mark.parametrize("name", WARCS)
def test_real_archives_have_the_links_that_warcio_and_html5lib_find(shared, monkeypatch, name):
    path = shared / "data" / "warc" / name
    found, _ = read(monkeypatch, path, **ALL)
    expected: dict[str, list[str]] = {}
    for one in oracle_pages(path):
        url = ada_url.normalize_url(one.url).partition("#")[0]
        base, hrefs = oracle_links(one)
        targets = joined(ada_url.join_url(url, base), hrefs)
        expected.setdefault(url, []).extend(target for target in targets if target != url)
    assert expected
    assert {url for url in expected if found.get(url) != expected[url]} == set()


def test_a_crawl_gives_the_same_as_arc_and_as_warc(shared, monkeypatch):
    folder = shared / "data" / "warc"
    arc, warc = (read(monkeypatch, folder / f"aut_example.{kind}.gz") for kind in ("arc", "warc"))
    assert arc[0] == warc[0]
    assert len(warc[0]) > 80
