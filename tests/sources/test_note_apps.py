"""Notes as other programs write them; all examples are made by hand, none is a real export."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS
from tests.sources import links_of, read
from tests.sources.markdown_folders import folder

SEEDS = CORPUS / "readers"
LINKS = {
    "joplin": [("Tea", "Milk"), ("Tea", "https://tea.example/"), ("Milk", "Tea")],
    "textbundle": [("Milk", "Tea"), ("Tea", "Milk"), ("Tea", "Sugar")],
    "zettlr": [
        ("20261117120000 Tea", "Milk"),
        ("20261117120000 Tea", "Sugar"),
        ("Milk", "20261117120000 Tea"),
        ("Sugar", "@doe99"),
        ("Sugar", "@roe01"),
    ],
    "github-wiki": [
        ("Green Tea", "Home"),
        ("Green Tea", "Missing-Page"),
        ("Home", "Green Tea"),
        ("Home", "Milk"),
        ("Home", "Sugar and Spice"),
        ("Milk", "Home"),
        ("Sugar and Spice", "Green Tea"),
    ],
    "gemini": [
        ("green.gmi", "index.gmi"),
        ("green.gmi", "https://tea.example/"),
        ("index.gmi", "green.gmi"),
        ("index.gmi", "milk/index.gmi"),
        ("index.gmi", "gemini:other.example/tea"),
        ("milk/index.gmi", "green.gmi"),
    ],
}


@pytest.mark.parametrize("kind", LINKS)
def test_the_notes_of_a_program_are_recognised_and_read(kind: str) -> None:
    source = read(SEEDS / kind)
    assert [reader.name for _, reader in source.parts] == [kind]
    assert sorted(links_of(source)) == sorted(LINKS[kind])
    assert not source.refused.counts


def test_a_jex_file_is_read_like_the_folder(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "notes.jex", "w") as archive:
        archive.add(SEEDS / "joplin", "")
    source = read(tmp_path / "notes.jex")
    assert sorted(links_of(source)) == sorted(LINKS["joplin"])
    counts = source.counts["joplin"]
    assert counts["notebooks left out"] == counts["attachments left out"] - 1 == 1


def test_a_bearbk_file_is_read_like_the_folder_without_deleted_notes(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in (SEEDS / "textbundle").rglob("*.*"):
            if path.is_file():
                archive.write(path, path.relative_to(SEEDS))
    (tmp_path / "notes.bearbk").write_bytes(packed.getvalue())
    source = read(tmp_path / "notes.bearbk")
    assert sorted(links_of(source)) == sorted(LINKS["textbundle"])
    assert source.counts["textbundle"]["deleted notes left out"] == 1


def test_joplin_notes_of_one_title_stay_two_pages(tmp_path: Path) -> None:
    a, b, c = ("a" * 31 + last for last in "123")
    notes = {
        f"{a}.md": f"Tea\n\n[x](:/{c})\n\nid: {a}\ntype_: 1",
        f"{b}.md": f"Tea\n\n[x](:/{a}) [gone](:/{'b' * 32})\n\nid: {b}\ntype_: 1",
        f"{c}.md": f"Secret\n\nid: {c}\nencryption_applied: 1\ntype_: 1",
    }
    source = read(folder(tmp_path, notes))
    assert links_of(source) == [
        ("Tea", f":/{c}"),
        (f"Tea {b}", "Tea"),
        (f"Tea {b}", f":/{'b' * 32}"),
    ]
    assert source.counts["joplin"]["encrypted items left out"] == 1
    assert source.counts["joplin"]["links to missing pages"] == 2


def test_a_citation_links_to_the_note_about_the_work(tmp_path: Path) -> None:
    notes = {
        ".obsidian/app.json": "{}",
        "a.md": "[see @doe99, p. 3; -@roe01] [@poe] `[@code]` [@defined] x@y.org [me@y.org]\n\n"
        "[@defined]: https://d.example/\n\n[z](zotero://select/library/items/ABCD1234?page=2)",
        "@doe99.md": "The work.",
        "deep/roe01.md": "[[a]]",
    }
    source = read(folder(tmp_path, notes))
    assert links_of(source) == [
        ("a", "@doe99"),
        ("a", "deep/roe01"),
        ("a", "@poe"),
        ("a", "https://d.example/"),
        ("a", "zotero:ABCD1234"),
        ("deep/roe01", "a"),
    ]
    assert "links to missing pages" not in source.counts["obsidian"]
