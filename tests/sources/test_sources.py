"""Each file goes to the reader that recognises it, or the error says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.sources import links_of, read, write
from whatsrelated import sources
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.registry import Registry
from whatsrelated.sources.dry_run import describe
from whatsrelated.stream import Page, Refused


def test_a_missing_file_is_reported_before_anything_is_read(tmp_path: Path) -> None:
    there = write(tmp_path / "a.tsv", "a\tb\n")
    with pytest.raises(ReadError, match=r"No file or folder .*/b\.tsv; did you mean .*/a\.tsv\?"):
        read(there, tmp_path / "b.tsv")
    with pytest.raises(ReadError, match=r"No file or folder .*names. Check the path, or"):
        read(there, names_file=tmp_path / "names")


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"a\.tsv is empty"):
        read(write(tmp_path / "a.tsv", ""))


def test_an_unknown_format_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"not in a known format \(parquet, bvgraph.*--format"):
        read(write(tmp_path / "x.mat", bytes(range(32)) * 20))
    with pytest.raises(ReadError, match="has no pages or notes, such as HTML"):
        read(tmp_path)
    with pytest.raises(OptionError, match="No format 'doc'; choose from parquet"):
        read(write(tmp_path / "x", "a b\n"), format="doc")


@pytest.mark.parametrize(
    "names",
    [
        "id\turl\n1\thttp://a/\n2\thttp://b/\n",
        "0 http://a/\n1 http://b/\n2 http://c/\n",
        "1\n\n0 (0) [R]\nhttp://a/\nA\n1 1\n",
    ],
)
def test_a_list_of_names_is_not_taken_for_links(names: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"list of names, not of links.*--names-file"):
        read(write(tmp_path / "names.tsv", names))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tea.html", "\ufeff\n<!DOCTYPE html>\n<a href=milk.html>milk</a>\n"),
        ("page", "<html><a href=milk.html>milk</a>\n"),
        ("tea.md", "[milk](milk.md) and [sugar](sugar.md)\n"),
    ],
)
def test_one_page_points_to_its_folder(name: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=f"is a single page, .*: related build {tmp_path}$"):
        read(write(tmp_path / name, text))


def test_one_column_points_to_the_file_of_names(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"has one column.*--names-file"):
        links_of(read(write(tmp_path / "names.txt", "http://a/\nhttp://b/\n")))


def test_several_kinds_are_joined_in_the_order_given(tmp_path: Path) -> None:
    rows = write(tmp_path / "rows", "0: 1 2 -1\n1: -1\n")
    pages = write(tmp_path / "pages", '{"url": "a", "links": ["0"]}\n')
    pairs = write(tmp_path / "pairs", "a,b\n0,a\n")
    assert links_of(read(pairs, rows, pages)) == [
        ("a", "b"),
        ("0", "a"),
        ("0", "1"),
        ("0", "2"),
        ("a", "0"),
    ]


def test_order_is_known_if_every_source_has_it(tmp_path: Path) -> None:
    pairs = write(tmp_path / "pairs", "a b\n")
    matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"
    assert read(pairs).ordered
    assert not read(pairs, ordered=False).ordered
    assert not read(pairs, write(tmp_path / "x.mtx", matrix)).ordered


def test_an_installed_reader_goes_through_the_same_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("arrows", "tests.sources.test_sources:Arrows", "whatsrelated.sources")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
    ours = sources.READERS
    monkeypatch.setattr(sources, "READERS", Registry(ours.kind, ours.group, ours.ours))
    path = write(tmp_path / "x", "a -> b\nb -> c\n")
    assert links_of(read(path)) == [("a", "b"), ("b", "c")]
    assert "arrows" in next(describe([path]))


class Arrows(sources.Reader):
    """A format that somebody else might add."""

    name = "arrows"
    sentence = "a -> b"

    @classmethod
    def recognises(cls, file: sources.File) -> bool:
        return b" -> " in file.sample

    def read(self, file: sources.File, context: sources.ReadContext) -> Iterator[Page]:
        for line in file.read().decode().splitlines():
            source, target = line.split(" -> ")
            yield Page(source, [target])


def test_a_folder_is_offered_to_the_readers_of_folders_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Folder(Arrows):
        name = "folder"
        folders = True

        @classmethod
        def recognises(cls, file: sources.File) -> bool:
            return (file.path / "index").exists()

        def read(self, file: sources.File, reading: sources.Reading) -> object:  # type: ignore[override]
            from whatsrelated.stream import Page

            yield Page((file.path / "index").read_text())

    known = [*sources.readers(), Folder]
    monkeypatch.setattr(sources, "readers", lambda: known)
    write(tmp_path / "index", "home")
    source = sources.open_sources([tmp_path], refused=Refused())
    assert [item.url for item in source] == ["home"]


def test_a_remote_path_is_named_as_such() -> None:
    with pytest.raises(ReadError, match=r"^hdfs://tea/links\.tsv is a remote path, .* copy it to"):
        read("hdfs://tea/links.tsv")
