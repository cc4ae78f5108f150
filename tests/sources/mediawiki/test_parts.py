"""A part of a dump, as a worker reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources import write
from tests.sources.mediawiki import dump, page
from whatsrelated.machine.workers import ItemFailed
from whatsrelated.sources.mediawiki.parts import ReadPart, WikiRecord, decode_part, records_of
from whatsrelated.sources.mediawiki.reader import MediaWikiReader


def test_pages_go_to_a_file_and_redirects_are_returned(tmp_path: Path) -> None:
    path = write(
        tmp_path / "wiki.xml",
        dump(page("Tea", "[[Milk]] [[milk]] [[tea]]"), page("Tee", "", redirect="Tea"), "<page/>"),
    )
    part = decode_part(ReadPart(MediaWikiReader(), str(tmp_path))(f"3 0 0 {path}"))
    assert (part.sources, part.targets) == (b"Tee\n", b"Tea\n")
    assert part.counts == {"redirects": 1}
    assert part.refused == {"a page without a title": (1, [f"{path}: "])}
    assert list(records_of(part.spool)) == [WikiRecord("Tea", ["Milk"])]
    assert not Path(part.spool).exists()


def test_a_file_that_is_not_a_dump_cannot_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "wiki.xml", "<!DOCTYPE x><x/>")
    with pytest.raises(ItemFailed, match="declares the document type"):
        ReadPart(MediaWikiReader(), str(tmp_path))(f"0 0 0 {path}")
