"""WAT: links as Common Crawl extracted them."""

from __future__ import annotations

import json

import pytest

from tests.sources.archive import SITE, packed, read, record, write
from whatsrelated.sources.archive.wat import NotWat, read_wat


def wat(html=None, status="200", **headers):
    http = {"Response-Message": {"Status": status}, "Headers": headers}
    if html is not None:
        http["HTML-Metadata"] = html
    return json.dumps({"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": http}}}).encode()


def extract(url, content):
    return packed(record(url, content, "metadata", "Content-Type: application/json"))


def link(path, url, **more):
    return {"path": path, "url": url, **more}


HTML = {
    "Head": {"Title": " Tea\n time ", "Base": "/d/", "Metas": [{"name": "x", "content": "y"}]},
    "Links": [
        link("A@/href", "a", text="One"),
        link("IMG@/src", "i.png"),
        link("LINK@/href", "s.css"),
        link("FORM@/action", "f"),
        link("AREA@/href", "/b"),
        link("A@/href", "n", rel="nofollow"),
        link("A@/href", "a", text="again"),
    ],
}


def test_links_of_anchors_and_areas_count_in_page_order_from_the_base(tmp_path, monkeypatch):
    path = write(tmp_path / "x.warc.wat.gz", extract(SITE, wat(HTML)))
    found, context = read(monkeypatch, path)
    assert found == {SITE: [SITE + "d/a", SITE + "b"]}
    assert context.counts["archives"]["nofollow links left out"] == 1
    assert read(monkeypatch, path, rel="all")[0] == {SITE: [SITE + "d/a", SITE + "b", SITE + "d/n"]}


def test_titles_and_anchor_texts_are_kept():
    page = read_wat(wat(HTML), anchors=True).page
    assert (page.title, page.anchors) == ("Tea time", ["One", "", "", "again"])


def test_redirects_and_canonical_addresses_fold(tmp_path, monkeypatch):
    canonical = {"Head": {"Link": [link("LINK@/href", "/c", rel="canonical")]}}
    path = write(
        tmp_path / "x.wat.gz",
        extract(SITE, wat({"Links": [link("A@/href", "old"), link("A@/href", "copy")]})),
        extract(SITE + "old", wat(status="301", location=SITE + "new")),
        extract(SITE + "copy", wat(canonical)),
    )
    assert read(monkeypatch, path)[0] == {SITE: [SITE + "new", SITE + "c"], SITE + "c": []}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"Envelope": 3}', b"\xff", b"[" * 9999])
def test_a_record_that_is_not_an_extract_is_counted(tmp_path, monkeypatch, content):
    with pytest.raises(NotWat):
        read_wat(content)
    path = write(tmp_path / "x.wat.gz", extract(SITE, wat(HTML)), extract(SITE, content))
    assert read(monkeypatch, path)[1].refused.counts == {"not WAT": 1}


def test_a_record_without_page_data_is_not_a_page():
    assert read_wat(b'{"Envelope": {}}').page is None
    assert read_wat(wat()).page is None
    assert read_wat(wat(HTML, status="404")).page is None
    assert read_wat(wat(HTML, status="x")).page is None
