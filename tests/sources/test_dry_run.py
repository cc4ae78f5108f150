"""A dry run shows how each source would be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS, seeds, sources_of
from tests.sources import write
from whatsrelated import sources
from whatsrelated.sources import ReadOptions, dry_run
from whatsrelated.sources.dry_run import describe, recognised
from whatsrelated.sources.files import File
from whatsrelated.sources.recognition import sureness


def test_a_dry_run_shows_the_reader_of_a_file_and_its_first_links(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "x.tsv", "src\tdst\n" + "".join(f"a\tb{i}\n" for i in range(9)))
    assert list(describe([path])) == [
        f"{path}: columns (one link per line, in two columns: TSV, CSV, SNAP, Common "
        f"Crawl, SEO tools; "
        "tab between columns, links from src to dst)",
        "  likely: no other format matches its first lines; to change how it is read: --format, "
        "--columns, --where, --delimiter, --header",
        *(f"  a -> b{i}" for i in range(9)),
    ]


def test_a_dry_run_shows_ten_links(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", "".join(f"a\tb{number}\n" for number in range(30)))
    assert len(list(describe([path]))) == 2 + 10


def test_a_dry_run_shows_how_each_file_was_recognised(tmp_path: Path) -> None:
    graph = write(tmp_path / "x.txt", "digraph { a -> b }")
    named = File(write(tmp_path / "y.nt", "# only a comment"))
    listed = write(tmp_path / "z.tsv", "a\tb\n")
    lines = [line for line in describe([graph, listed]) if "; to change" in line]
    assert [line.partition(";")[0] for line in lines] == [
        "  sure: recognised by its contents",
        "  likely: no other format matches its first lines",
    ]
    assert lines[0].endswith(": --format, --node-name")
    reader = sources.READERS["ntriples"]()
    assert sureness(named, reader, None) == "likely: recognised by its name"
    chosen = list(describe([listed], ReadOptions(format="columns")))
    assert chosen[1].startswith("  chosen by --format; ")


def test_files_of_the_same_format_in_a_folder_are_shown_once(tmp_path: Path) -> None:
    for part in range(3):
        write(tmp_path / f"part-{part}.csv", f"src,dst\na,b{part}\n")
    lines = list(describe([tmp_path]))
    assert lines[0].startswith(f"{tmp_path}/part-0.csv: columns (")
    assert lines[2:] == ["  a -> b0", f"  and 2 more files of this format in {tmp_path}"]


def test_long_work_is_announced_with_the_format_and_the_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "x.tsv", "a\tb\n")
    assert list(recognised(sources.open_sources([path]))) == []
    monkeypatch.setattr(dry_run, "MANY_BYTES", 4)
    (line,) = recognised(sources.open_sources([path]))
    assert line.startswith(f"{path}: columns (one link per line")
    assert line.endswith("; 1 file, 0 MB); likely: no other format matches its first lines")
    monkeypatch.setattr(dry_run, "MANY_FILES", 2)
    write(tmp_path / "y.tsv", "a\tb\n")
    (line,) = recognised(sources.open_sources([tmp_path]))
    assert line.startswith(f"{tmp_path}: columns (")
    assert "; 2 files, 0 MB); likely: " in line


@pytest.mark.parametrize("seed", seeds("readers"))
def test_every_format_can_be_shown(seed: str) -> None:
    owner, _, path = seed.partition("/")
    paths = sources_of(owner, CORPUS / "readers" / owner, path)
    with_links = ["jsonl"] if owner == "bibliography" else []
    links = [CORPUS / "readers" / name / "pages.jsonl" for name in with_links]
    assert any(f": {owner} (" in line for line in describe([*paths, *links]))
