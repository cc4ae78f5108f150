"""The contents of records: pages, redirects, revisits, links recorded by Heritrix."""

from __future__ import annotations

import pytest

from tests.sources.archive import DATE, SITE, http, links, page, read, record, write
from whatsrelated.sources.archive import http as http_module
from whatsrelated.sources.archive.captures import date_of

A, B, C, T = SITE + "a", SITE + "b", SITE + "c", "https://target.example/"


def redirect(url, target, status="301 Moved"):
    return record(url, http(b"", f"Location: {target}", status=status))


def revisit(url, *more, date=DATE, content=b""):
    return record(url, content, "revisit", *more, date=date)


@pytest.fixture
def found(tmp_path, monkeypatch):
    def found(*members, **options):
        return read(monkeypatch, write(tmp_path / "x.warc", *members), **options)

    return found


@pytest.mark.parametrize(
    ("response", "is_page"),
    [
        (http(links(T)), True),
        (http(links(T), "Content-Type: application/xhtml+xml; charset=utf-8"), True),
        (http(links(T), "Content-Type: TEXT/HTML"), True),
        (http(links(T), status="203 x"), True),
        (http(b"<html>" + links(T), "Content-Type: "), True),
        (http(b"plain", "Content-Type: "), False),
        (http(links(T), "Content-Type: text/plain"), False),
        (http(links(T), status="404 x"), False),
        (http(links(T), status="500 x"), False),
        (b"no HTTP", False),
    ],
)
def test_a_page_is_html_with_status_2xx(found, response, is_page):
    pages, _ = found(record(A, response), page(B, T))
    assert pages == ({A: [T]} if is_page else {}) | {B: [T]}


def test_a_resource_is_a_page_without_http(found):
    assert found(record(A, links(T), "resource", "Content-Type: text/html"))[0] == {A: [T]}


def test_records_that_are_not_pages_are_counted(found):
    pages, context = found(
        page(A, T),
        record("", b"x", "warcinfo"),
        record(A, b"GET / HTTP/1.1\r\n\r\n", "request"),
        record("dns:example.org", b"x"),
        record("", http(b"")),
        record("not a url", http(b"")),
    )
    assert pages == {A: [T]}
    assert context.counts["archives"]["other records"] == 3 - 0
    assert context.refused.counts == {"records without a URL": 2}


def test_redirects_fold_pages_into_their_targets(found):
    pages, context = found(
        page(A, B, SITE + "x"), redirect(B, "/c"), redirect(SITE + "x", T, "307 x"), page(C, A)
    )
    assert pages == {A: [C, T], C: [A]}
    assert context.counts["archives"]["redirects"] == 2


def test_redirects_may_be_kept_as_pages_that_link(found):
    copy = record(C, http(b'<link rel=canonical href="/a">' + links(T)))
    pages, _ = found(page(A, B), redirect(B, C), copy, redirects="keep")
    assert pages == {A: [B], B: [C], C: [T]}
    assert found(page(A, B), redirect(B, C), copy)[0] == {A: []}


def test_a_redirect_that_was_a_page_at_another_time_is_a_page(found):
    assert found(page(A, T), redirect(A, B))[0] == {A: [T]}


def test_circles_of_redirects_and_bad_ones_end(found):
    pages, _ = found(
        page(A, B, C, T), redirect(B, C), redirect(C, B), redirect(T, "http://["), redirect(A, "")
    )
    assert pages == {A: [B, T]}


def test_the_newest_capture_wins_unless_another_is_asked_for(found):
    captures = [
        page(A, T, date="2010-01-01T00:00:00Z"),
        page(A, B, date="2020-01-01T00:00:00Z"),
        page(A, C, date="2015-01-01T00:00:00Z"),
    ]
    assert found(*captures)[0] == {A: [B]}
    assert found(*captures, captures="oldest")[0] == {A: [T]}
    assert found(*captures, captures="all")[0] == {A: [T, B, C]}


def test_a_revisit_makes_the_capture_it_repeats_the_newest(found):
    captures = [page(A, T, date="2010-01-01T00:00:00Z"), page(A, B, date="2011-01-01T00:00:00Z")]
    again = revisit(
        A,
        f"WARC-Refers-To-Target-URI: {A}",
        "WARC-Refers-To-Date: 2010-01-01T00:00:00Z",
        date="2012-01-01T00:00:00Z",
    )
    assert found(*captures)[0] == {A: [B]}
    assert found(*captures, again)[0] == {A: [T]}


def test_a_revisit_of_another_address_is_that_page(found):
    pages, _ = found(page(A, T), revisit(B, f"WARC-Refers-To-Target-URI: <{A}>"), page(C, B))
    assert pages == {A: [T], C: [A]}


def test_a_revisit_may_name_its_page_by_the_digest_alone(found):
    digest = "WARC-Payload-Digest: sha1:ABC"
    first = record(A, http(links(T)), "response", digest)
    pages, context = found(
        first, revisit(B, digest), page(C, B), revisit(SITE + "z", "WARC-Payload-Digest: sha1:Z")
    )
    assert pages == {A: [T], C: [A]}
    assert context.counts["archives"]["revisits of missing pages"] == 1


def test_a_revisit_of_a_redirect_redirects(found):
    again = revisit(B, content=http(b"", f"Location: {T}", status="302 Found"))
    assert found(page(A, B), again)[0] == {A: [T]}


def test_links_recorded_by_heritrix_replace_a_missing_page(found):
    noted = b"via: x\r\noutlink: %s L a/@href\r\noutlink: /i.png E img/@src\r\nfetchTimeMs: 3\r\n"
    fields = "Content-Type: application/warc-fields"
    for_a = record(A, noted % B.encode(), "metadata", fields)
    for_c = record(C, noted % B.encode(), "metadata", fields)
    assert found(page(A, T), for_a, for_c)[0] == {A: [T], C: [B]}
    assert found(page(A, T), for_a, for_c, captures="all")[0] == {A: [T], C: [B]}


def test_a_body_that_is_too_large_is_counted_and_the_rest_read(found, monkeypatch):
    monkeypatch.setattr(http_module, "MAX_BODY", 1000)
    pages, context = found(page(A, *[f"/{n}" for n in range(200)]), page(B, T))
    assert pages == {B: [T]}
    assert context.refused.counts == {"too large": 1}


def test_dates_of_warc_and_arc_compare():
    assert date_of("2008-04-30T20:48:25Z") == date_of("20080430204825") == 20080430204825
    assert date_of("2008-04-30T20:48:25.123Z") == 20080430204825
    assert date_of("2008") < date_of("2008-04")
    assert date_of("never") == 0
