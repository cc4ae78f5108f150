"""The archive of a crawl, read by warcio and by us."""

from __future__ import annotations

from warcio.archiveiterator import ArchiveIterator

from tests.sources.archive import read
from whatsrelated.apps.crawl.warc_writer import WarcWriter, digest_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


def test_the_output_is_read_by_others_and_by_us(tmp_path, monkeypatch):
    path = tmp_path / "x.warc.gz"
    writer = WarcWriter(path, 0, "test/1")
    body = b'<a href="/b">b</a>'
    writer.write_response("http://a.org/", HEAD, body, False)
    digest = digest_of(body)
    writer.write_revisit(
        "http://a.org/c", HEAD, "identical-payload-digest", "http://a.org/", "", digest
    )
    writer.close()
    with path.open("rb") as file:
        kinds = [
            (one.rec_type, one.rec_headers.get_header("WARC-Payload-Digest"))
            for one in ArchiveIterator(file, check_digests="raise")
        ]
    assert kinds == [("warcinfo", None), ("response", digest), ("revisit", digest)]
    assert read(monkeypatch, path)[0] == {"http://a.org/": ["http://a.org/b"]}


def test_the_remains_of_a_killed_run_are_truncated(tmp_path):
    path = tmp_path / "x.warc.gz"
    writer = WarcWriter(path, 0, "test/1")
    size = writer.size
    writer.write_response("http://a.org/", HEAD, b"x" * 999, True)
    writer.close()
    assert path.stat().st_size > size
    again = WarcWriter(path, size, "test/1")
    assert again.size == path.stat().st_size == size
    again.close()
