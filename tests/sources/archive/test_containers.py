"""What holds archives: files, WACZ, folders, streams."""

from __future__ import annotations

import io
import sys
import zipfile

import pytest

from tests.sources.archive import SITE, packed, page, read, write
from whatsrelated.errors import ReadError
from whatsrelated.sources import open_sources
from whatsrelated.sources.archive.containers import is_archive
from whatsrelated.sources.files import File

T = "https://target.example/"


def wacz(path, *members, how=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", how) as packed_file:
        packed_file.writestr("datapackage.json", "{}")
        packed_file.writestr("indexes/index.cdx.gz", packed(b"x"))
        for number, member in enumerate(members):
            packed_file.writestr(f"archive/data-{number}.warc.gz", member)
        packed_file.writestr("datapackage-digest.json", '{"signedData": {}}')
    return path


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wacz_has_the_pages_of_its_archives(tmp_path, monkeypatch, how):
    one = packed(page(SITE, T)) + packed(page(SITE + "b", T))
    path = wacz(tmp_path / "x.wacz", one, packed(page(SITE + "c", T)), how=how)
    assert is_archive(File(path))
    assert list(read(monkeypatch, path)[0]) == [SITE, SITE + "b", SITE + "c"]


def test_a_wacz_with_a_damaged_member_yields_the_other_members(tmp_path, monkeypatch):
    path = wacz(tmp_path / "x.wacz", packed(page(SITE, T)), packed(page(SITE + "c", T)))
    data = bytearray(path.read_bytes())
    place = data.index(b"archive/data-0.warc.gz")
    data[place + 40] ^= 255
    path.write_bytes(data)
    found, context = read(monkeypatch, path)
    assert list(found) == [SITE + "c"]
    assert context.refused.counts == {"damaged members": 1}


def test_a_file_that_is_not_a_wacz_is_one_sentence(tmp_path, monkeypatch):
    with pytest.raises(ReadError, match="is not a zip file"):
        read(monkeypatch, write(tmp_path / "x.wacz", b"PK\x03\x04 and no more"))
    with pytest.raises(ReadError, match="no archive/"):
        read(monkeypatch, wacz(tmp_path / "y.wacz"))


def test_a_folder_has_the_pages_of_all_its_archives(tmp_path, monkeypatch):
    (tmp_path / "in" / "sub").mkdir(parents=True)
    write(tmp_path / "in" / "a.warc.gz", packed(page(SITE, SITE + "b")))
    write(tmp_path / "in" / "sub" / "b.warc", page(SITE + "b", T))
    (tmp_path / "in" / "notes.txt").write_text("x")
    assert read(monkeypatch, tmp_path / "in")[0] == {SITE: [SITE + "b"], SITE + "b": [T]}
    [(_, reader)] = open_sources([tmp_path / "in"]).parts
    assert reader.name == "warcs"


def test_archives_are_read_from_a_pipe(monkeypatch):
    data = packed(page(SITE, T)) + packed(page(SITE + "b", T))

    class Standard:
        buffer = io.BytesIO(data)

    monkeypatch.setattr(sys, "stdin", Standard)
    from tests.sources.archive import inline
    from whatsrelated.machine import workers

    monkeypatch.setattr(workers, "results", inline)
    assert [one.url for one in open_sources(["-"], options={"workers": 1})] == [SITE, SITE + "b"]


def test_an_archive_is_known_by_its_contents(tmp_path):
    assert is_archive(File(write(tmp_path / "a", packed(page(SITE)))))
    assert is_archive(File(write(tmp_path / "b", page(SITE))))
    assert not is_archive(File(write(tmp_path / "c", b"a b\n")))
    assert not is_archive(File(write(tmp_path / "d.zip", b"PK\x03\x04")))
