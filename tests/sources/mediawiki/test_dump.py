"""Dumps in XML: streamed, in parts, and damaged."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest

from tests.sources import write
from tests.sources.mediawiki import dump, page
from whatsrelated.errors import ReadError
from whatsrelated.sources.files import File
from whatsrelated.sources.mediawiki import dump as dumps
from whatsrelated.sources.mediawiki.dump import DumpPage, parts_of, read_part, site_of

PAGES = [page(f"Page {i}", f"[[Page {i + 1}]] " + "é<&>" * (i % 7)) for i in range(40)]


def read(path: Path, first: int = 0, last: int = 0) -> tuple[list[DumpPage], dict[str, int]]:
    refused: dict[str, int] = {}

    def refuse(reason: str, where: str) -> None:
        refused[reason] = refused.get(reason, 0) + 1

    return list(read_part(File(path), first, last, refuse)), refused


def test_pages_have_title_namespace_text_and_redirect(tmp_path: Path) -> None:
    path = write(
        tmp_path / "x.xml",
        dump(
            page("Tea", "[[Milk]] & <b>"), page("Tee", "#R", redirect="Tea"), page("Hilfe:A", ns=12)
        ),
    )
    assert read(path) == (
        [
            DumpPage("Tea", 0, "[[Milk]] & <b>", None),
            DumpPage("Tee", 0, "#R", "Tea"),
            DumpPage("Hilfe:A", 12, "", None),
        ],
        {},
    )
    site = site_of(File(path))
    assert (site.database, site.base) == ("teawiki", "https://tea.example/wiki/")
    assert [one.name for one in site.namespaces if not one.first_letter] == ["Gerät"]


def test_the_newest_revision_counts_and_other_content_is_known(tmp_path: Path) -> None:
    history = "<page><title>A</title><ns>0</ns><revision><text>old</text></revision>"
    history += "<revision><model>css</model><text>new</text></revision></page>"
    found, _ = read(write(tmp_path / "x.xml", dump(history)))
    assert found == [DumpPage("A", 0, "new", None, False)]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("at_once", [1, 3])
def test_parts_together_are_the_whole(tmp_path: Path, packed: bool, at_once: int) -> None:
    """Cut anywhere in plain text, and between bzip2 streams that cut pages in two."""
    data = dump(*PAGES).encode()
    step = 257 * at_once
    if packed:
        pieces = [data[at : at + step] for at in range(0, len(data), step)]
        data = b"".join(map(bz2.compress, pieces))
    path = tmp_path / "x.xml"
    path.write_bytes(data)
    parts = parts_of(File(path), 200 if packed else 61 * at_once)
    assert len(parts) > 10
    found = [one for first, last in parts for one in read(path, first, last)[0]]
    assert found == read(path)[0]
    assert len(found) == 40


def test_a_file_that_cannot_be_cut_is_one_part(tmp_path: Path) -> None:
    path = tmp_path / "x.xml.bz2"
    path.write_bytes(bz2.compress(dump(*PAGES).encode()))
    assert parts_of(File(path), 10) == [(0, 0)]


def test_damage_costs_one_page(tmp_path: Path) -> None:
    text = dump(*PAGES).replace("<title>Page 7</title>", "<title>Page 7</tit\x00le>")
    text = text.replace("<title>Page 20</title>", "<title>Page 20</title></revision>")
    found, refused = read(write(tmp_path / "x.xml", text))
    assert [one.title for one in found] == [f"Page {i}" for i in range(40) if i not in (7, 20)]
    assert refused == {"damaged XML": 2}


def test_a_page_without_an_end_is_lost_alone(tmp_path: Path) -> None:
    text = dump(*PAGES).replace("</page>\n<page><title>Page 9<", "<page><title>Page 9<")
    found, refused = read(write(tmp_path / "x.xml", text))
    assert [one.title for one in found if one.title in ("Page 8", "Page 9", "Page 10")] == [
        "Page 9",
        "Page 10",
    ]
    assert refused["damaged XML"] >= 1


def test_a_truncated_dump_gives_its_complete_pages(tmp_path: Path) -> None:
    whole = dump(*PAGES).encode()
    for data in (whole[: len(whole) // 2], bz2.compress(whole)[:-20]):
        path = tmp_path / "x.xml"
        path.write_bytes(data)
        try:
            found, refused = read(path)
        except ReadError as error:
            assert "cut short" in str(error)  # noqa: PT017 -- bzip2 of one block gives nothing
            continue
        assert 15 < len(found) < 25
        assert refused == {"cut short": 1}


def test_a_document_type_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + dump(page("&b;"))
    path = write(tmp_path / "x.xml", bomb)
    with pytest.raises(ReadError, match=r"x\.xml declares the document type 'm', which is not"):
        read(path)


def test_deep_elements_are_refused_and_long_texts_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReadError, match="nested more than 32 deep"):
        read(write(tmp_path / "x.xml", dump("<x>" * 100)))
    deep = dump(page("A"), "<x>" * 100)
    _, refused = read(write(tmp_path / "x.xml", deep))
    assert refused == {"the rest of a damaged file": 1}
    monkeypatch.setattr(dumps, "MAX_PAGE", 100)
    found, refused = read(write(tmp_path / "y.xml", dump(page("A", "x" * 101), page("B", "y"))))
    assert [(one.title, one.text) for one in found] == [("A", ""), ("B", "y")]
    assert refused == {"text too long": 1}
