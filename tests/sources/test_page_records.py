"""Pages as workers return them: unchanged by a temporary file, however often they are read."""

from __future__ import annotations

from pathlib import Path

from whatsrelated.sources.page_records import PageRecord, PageSpool, decode_record, encode_record

TEA = PageRecord("tea.md", "tea", ["milk", "é\udcff".encode("utf-8", "replace").decode()])
MILK = PageRecord(
    "milk.md",
    "milk",
    [],
    title="Milk",
    same_as="tea",
    anchors=["a"],
    text="white",
    left_out={"navigation": 2},
    refused={"too long": 1},
    aliases=["Lait"],
    slug="m",
    url="/m",
)


def test_a_record_survives_encoding() -> None:
    assert [decode_record(encode_record(record)) for record in (TEA, MILK)] == [TEA, MILK]


def test_pages_are_read_again_in_the_same_order(tmp_path: Path) -> None:
    spool = PageSpool(str(tmp_path))
    for record in (TEA, MILK, TEA):
        spool.add(encode_record(record))
    assert list(spool) == list(spool) == [TEA, MILK, TEA]
    spool.close()
    assert list(tmp_path.iterdir()) == []
