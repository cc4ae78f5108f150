"""Links are written byte for byte, checked, and taken back."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import subprocess
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.apps.mentions.sites import vault
from whatsrelated.apps.mentions.edits import UNDO, Changes, apply, plan, undo
from whatsrelated.apps.mentions.finder import MentionFinder, folder_of
from whatsrelated.apps.mentions.linking import Edit, LinkWriter
from whatsrelated.apps.mentions.markdown_text import outline
from whatsrelated.apps.mentions.patch import patch
from whatsrelated.errors import BuildError, ReadError


def finder_of(folder: Path) -> MentionFinder:
    graph = wr.build([folder], folder.parent / f"{folder.name}.graph")
    return MentionFinder(graph.store, folder_of(graph.store))


def all_changes(finder: MentionFinder) -> Changes:
    """Every mention as a link."""
    writer = LinkWriter(finder.corpus)
    edits = []
    for one in finder.ranked:
        place = finder.place(one.page, one.target)
        assert place is not None
        edit = writer.edit(place, one.page, one.target)
        if edit is not None:
            edits.append(edit)
    return plan(finder.corpus, edits)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.*"))}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    return vault(folder)


def test_links_are_added_where_the_words_are_and_taken_back(site: Path) -> None:
    before = contents(site)
    finder = finder_of(site)
    changes = all_changes(finder)
    apply(finder.corpus, changes)
    text = (site / "plain.md").read_text()
    assert "Fill the [kettle](kettle.md), then warm the [teapot](teapot.md)." in text
    assert "The kettle `milk`" in text
    assert undo(site) == (len(changes.files), [])
    assert contents(site) == before


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encoding_and_line_endings_stay(site: Path, encoding: str, newline: str) -> None:
    text = newline.join(["# Plain", "", "Grüße: the kettle", "no end"])
    (site / "plain.md").write_bytes(text.encode(encoding))
    finder = finder_of(site)
    apply(finder.corpus, all_changes(finder))
    expected = text.replace("the kettle", "the [kettle](kettle.md)")
    assert (site / "plain.md").read_bytes() == expected.encode(encoding)


def test_bytes_that_are_not_text_stay(site: Path) -> None:
    (site / "plain.md").write_bytes(b"# Plain\n\n\xff the kettle\n")
    finder = finder_of(site)
    apply(finder.corpus, all_changes(finder))
    assert (site / "plain.md").read_bytes() == b"# Plain\n\n\xff the [kettle](kettle.md)\n"


def test_git_applies_the_patch(site: Path, tmp_path: Path) -> None:
    (site / "plain.md").write_text("# Plain\r\n\r\nThe kettle")
    finder = finder_of(site)
    changes = all_changes(finder)
    (tmp_path / "links.patch").write_bytes(patch(changes))
    subprocess.run(["git", "init", "-q"], cwd=site, check=True)
    subprocess.run(["git", "apply", "../links.patch"], cwd=site, check=True)
    for change in changes.files:
        assert (site / change.text.path).read_bytes() == change.new


def test_a_file_that_changed_meanwhile_is_left_alone(site: Path) -> None:
    finder = finder_of(site)
    changes = all_changes(finder)
    (site / "plain.md").write_text("new")
    with pytest.raises(BuildError, match="has changed"):
        apply(finder.corpus, changes)
    assert not (site / UNDO).exists()


def test_undo_leaves_a_file_alone_that_was_edited_since(site: Path) -> None:
    finder = finder_of(site)
    apply(finder.corpus, all_changes(finder))
    (site / "plain.md").write_text("mine")
    _, changed = undo(site)
    assert changed == ["plain.md"]
    assert (site / "plain.md").read_text() == "mine"


def test_links_to_other_files_are_not_written_through(site: Path, tmp_path: Path) -> None:
    finder = finder_of(site)
    changes = all_changes(finder)
    outside = tmp_path / "outside.md"
    outside.write_bytes((site / "plain.md").read_bytes())
    (site / "plain.md").unlink()
    (site / "plain.md").symlink_to(outside)
    with pytest.raises(BuildError, match="is a link"):
        apply(finder.corpus, changes)


@pytest.mark.parametrize("path", ["../outside.md", "/etc/hostname"])
def test_a_crafted_record_restores_nothing_outside_the_folder(site: Path, path: str) -> None:
    record = {"path": path, "before": "0", "after": "0", "edits": []}
    (site / UNDO).write_text(json.dumps({"version": 1, "runs": [[record]]}))
    assert undo(site) == (0, [path])


def test_a_crafted_record_restores_no_hidden_file(site: Path) -> None:
    (site / ".git").mkdir()
    config = site / ".git" / "config"
    config.write_bytes(b"[core]\n")
    before, after = b"[core]\n\tpager = evil\n", config.read_bytes()
    record = {
        "path": ".git/config",
        "before": hashlib.sha256(before).hexdigest(),
        "after": hashlib.sha256(after).hexdigest(),
        "edits": [[0, base64.b64encode(after).decode(), base64.b64encode(before).decode()]],
    }
    (site / UNDO).write_text(json.dumps({"version": 1, "runs": [[record]]}))
    assert undo(site) == (0, [".git/config"])
    assert config.read_bytes() == after


@pytest.mark.parametrize(
    "text", ['{"runs": [[5]]}', '{"runs": [[{}]]}', '{"runs": 5}', "[" * 100_000, '"', "\xff"]
)
def test_a_damaged_record_is_one_sentence(site: Path, text: str) -> None:
    (site / UNDO).write_text(text, encoding="latin-1")
    with pytest.raises(ReadError, match="is not a record of links"):
        undo(site)


def test_undo_without_a_record_says_so(site: Path) -> None:
    with pytest.raises(ReadError, match="nothing to undo"):
        undo(site)
    (site / UNDO).write_text("[]")
    with pytest.raises(ReadError, match="not a record"):
        undo(site)


def test_an_edit_that_would_change_the_page_is_left_out(site: Path) -> None:
    (site / "plain.md").write_text("# Plain\n\n`the kettle` is\n")
    finder = finder_of(site)
    start = (site / "plain.md").read_text().index("kettle")
    inside_code = Edit("plain.md", start, start + 6, "[kettle](kettle.md)", "kettle.md")
    changes = plan(finder.corpus, [inside_code])
    assert not changes.files
    assert changes.left_out.total() == 1


def test_wikilinks_are_written_as_in_the_vault(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    vault(folder, "[[{0}]]")
    (folder / "plain.md").write_text("# Plain\n\nFill the kettle, then [[sugar]].\n")
    finder = finder_of(folder)
    apply(finder.corpus, all_changes(finder))
    assert "Fill the [[kettle]], then" in (folder / "plain.md").read_text()


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_mutated_files_keep_their_words_and_links(tmp_path: Path, suffix: str) -> None:
    """A small share of `python -m tests.hostile.link_edits`."""
    from tests.hostile.link_edits import damaged_files

    assert damaged_files(tmp_path, suffix, count=60, rng=random.Random(7)) == []


def test_the_outline_of_a_wikilink_in_a_table_is_whole() -> None:
    assert outline("| a |\n|---|\n| [[x\\|y]] |\n")[1]
