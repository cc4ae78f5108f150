"""Archives are read as if their files were in a folder, and nothing in them is trusted."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard

from tests.sources import links_of, read, write
from whatsrelated.errors import ReadError
from whatsrelated.sources import containers

SITE = {
    "site-main/index.html": '<p><a href="sub/tea.html">tea</a>',
    "site-main/sub/tea.html": '<p><a href="../index.html">home</a>',
}
LISTS = {"a.tsv": "a\tb\n", "more/b.jsonl": '{"url": "c", "links": ["d"]}\n', "notes.pdf": "%PDF-1"}


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def tarred(path: Path, files: dict[str, str], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return path


def zst(path: Path, files: dict[str, str]) -> Path:
    plain = tarred(path.with_suffix(".tar"), files, "w")
    return write(path, zstandard.ZstdCompressor().compress(plain.read_bytes()))


@pytest.mark.parametrize("pack", [zipped, tarred, zst])
def test_a_site_in_an_archive_is_read_as_its_folder(pack: object, tmp_path: Path) -> None:
    source = read(pack(tmp_path / "site.bin", SITE))  # type: ignore[operator]
    assert sorted(links_of(source)) == [
        ("index.html", "sub/tea.html"),
        ("sub/tea.html", "index.html"),
    ]


@pytest.mark.parametrize("pack", [zipped, tarred, zst])
def test_lists_in_an_archive_are_each_read_by_their_reader(pack: object, tmp_path: Path) -> None:
    path = pack(tmp_path / "lists.bin", LISTS)  # type: ignore[operator]
    source = read(path)
    assert links_of(source) == [("a", "b"), ("c", "d")]
    assert source.refused.counts == {"files without links": 1}
    assert set(source.provenance["sources"]) == {str(path)}


def test_options_apply_to_the_contents_of_an_archive(tmp_path: Path) -> None:
    source = read(zipped(tmp_path / "x.zip", SITE), options={"base_url": "https://a.org/"})
    assert ("https://a.org/", "https://a.org/sub/tea.html") in links_of(source)


def test_names_that_lead_out_are_left_out(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    evil = {"../out.tsv": "x\ty\n", "/abs.tsv": "a\tb\n", "c:\\d.tsv": "x\ty\n", "ok.tsv": "c\td\n"}
    source = read(tarred(inside / "x.tar.gz", evil))
    assert sorted(links_of(source)) == [("a", "b"), ("c", "d")]
    assert [path.name for path in tmp_path.iterdir()] == ["inside"]


def test_links_and_devices_are_left_out(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        link = tarfile.TarInfo("passwd.tsv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        entry = tarfile.TarInfo("a.tsv")
        entry.size = 4
        archive.addfile(entry, io.BytesIO(b"a\tb\n"))
    assert links_of(read(tmp_path / "x.tar")) == [("a", "b")]


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "BOMB_BYTES", 1 << 20)
    path = zipped(tmp_path / "x.zip", {"a.tsv": "a" * (4 << 20)})
    with pytest.raises(ReadError, match="may be a decompression bomb"):
        read(path)
    monkeypatch.setattr(containers, "MAX_FILES", 1)
    with pytest.raises(ReadError, match="more than 1 files"):
        read(zipped(tmp_path / "y.zip", LISTS))


def test_a_damaged_empty_or_encrypted_file_is_an_error(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "x.zip", LISTS).read_bytes()
    with pytest.raises(ReadError, match="is damaged or cut short"):
        read(write(tmp_path / "cut.zip", whole[:-30]))
    with pytest.raises(ReadError, match="contains no files"):
        read(zipped(tmp_path / "empty.zip", {}))
    packed = tarred(tmp_path / "x.tar", LISTS, "w").read_bytes()
    with pytest.raises(ReadError, match=r"damaged or cut short|no links"):
        links_of(read(write(tmp_path / "cut.tar", packed[:700])))
    only = zipped(tmp_path / "only.zip", {"x.pdf": "%PDF-1"})
    with pytest.raises(ReadError, match=r"only\.zip:x\.pdf is PDF"):
        read(only)


def test_the_real_vault_is_read_from_its_archive(shared: Path) -> None:
    (vault,) = (shared / "data/obsidian_help").glob("*.tar.zst")
    assert len(links_of(read(vault, options={"unresolved": "drop"}))) > 900
