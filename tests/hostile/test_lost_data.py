"""No graph is lost, and nothing that is not ours is ever removed or replaced."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

import whatsrelated
from tests.hostile.graphs import copy_of, generation_of
from tests.hostile.processes import Forks
from whatsrelated import Page, RelatedError


def arrays_of(graph: Path) -> dict[str, bytes]:
    """Every array of a graph, by its place."""
    return {str(file.relative_to(graph)): file.read_bytes() for file in graph.rglob("*.npy")}


def damage_current(graph: Path, how: str) -> None:
    current = graph / "current"
    told = json.loads(current.read_bytes())
    if how == "newer format":
        current.write_text(json.dumps({**told, "format": 99}))
    elif how == "cut short":
        current.write_bytes(current.read_bytes()[:20])
    elif how == "empty":
        current.write_bytes(b"")
    elif how == "not allowed":
        current.unlink()
        current.mkdir()
    else:
        current.unlink()


def failing_pages():  # type: ignore[no-untyped-def]
    yield Page("a", ["b"])
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize(
    "how",
    ["newer format", "cut short", "empty", "missing"],
)
def test_a_build_that_fails_leaves_the_generations_of_a_graph_that_it_cannot_read(
    how: str, small_graph: Path, tmp_path: Path
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    before = arrays_of(graph)
    damage_current(graph, how)
    with pytest.raises((RelatedError, OSError)):
        whatsrelated.build(failing_pages(), graph)
    after = arrays_of(graph)
    assert {name: after.get(name) for name in before} == before


def test_an_older_program_does_not_replace_a_graph_of_a_newer_format(
    small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    before = arrays_of(graph)
    damage_current(graph, "newer format")
    (tmp_path / "links.tsv").write_text("a\tb\n")
    done = forks.one("build", tmp_path / "links.tsv", "-o", graph)
    after = arrays_of(graph)
    assert {name: after.get(name) for name in before} == before
    assert done.is_refusal, done


def test_a_build_that_fails_leaves_the_graph(small_graph: Path, tmp_path: Path) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    before = arrays_of(graph)
    with pytest.raises(RelatedError):
        whatsrelated.build(failing_pages(), graph)
    assert arrays_of(graph) == before
    assert whatsrelated.open(graph).store.check() is None


MINE = ("generation-1/thesis.txt", ".building-site/plan.txt", "ranks/of-my-army.txt")


@pytest.mark.parametrize("mine", MINE)
def test_a_folder_that_is_not_a_graph_is_rejected_and_left_alone(
    mine: str, tmp_path: Path, forks: Forks
) -> None:
    file = tmp_path / "mine" / mine
    file.parent.mkdir(parents=True)
    file.write_text("three years of work")
    (tmp_path / "links.tsv").write_text("a\tb\n")
    done = forks.one("build", tmp_path / "links.tsv", "-o", tmp_path / "mine")
    assert file.read_text() == "three years of work"
    assert done.is_refusal, done


@pytest.mark.parametrize(
    "mine", ["generation-000099/thesis.txt", "{current}/thesis.txt", "ranks/notes.txt"]
)
def test_a_build_removes_only_files_that_a_build_wrote(
    mine: str, small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    file = graph / mine.format(current=generation_of(graph).name)
    file.parent.mkdir(exist_ok=True)
    file.write_text("three years of work")
    (tmp_path / "links.tsv").write_text("a\tb\n")
    forks.one("build", tmp_path / "links.tsv", "-o", graph)
    assert file.read_text() == "three years of work"


@pytest.mark.parametrize("kind", ["a link to a folder", "a broken link"])
def test_a_graph_is_not_written_through_what_looks_like_a_generation(
    kind: str, small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("three years of work")
    link = graph / "generation-000002"
    link.symlink_to(tmp_path / ("mine" if kind == "a link to a folder" else "nowhere"))
    (tmp_path / "links.tsv").write_text("a\tb\n")
    done = forks.one("build", tmp_path / "links.tsv", "-o", graph)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "three years of work"
    assert done.is_tidy, done
    assert whatsrelated.open(graph).store.check() is None


def special(kind: str, place: Path) -> None:
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "device":
        if os.getuid() != 0:
            pytest.skip("only root makes devices")
        try:
            os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except OSError:
            pytest.skip("devices cannot be made here")
    else:
        (place.parent / "pointed-to").write_text("mine")
        place.symlink_to(place.parent / "pointed-to")


@pytest.mark.parametrize("kind", ["fifo", "device", "symlink"])
@pytest.mark.parametrize("suffix", [".jsonl", ".tsv", ".graphml", ".parquet"])
def test_an_export_replaces_no_device_no_fifo_and_no_link(
    kind: str, suffix: str, small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    place = tmp_path / f"out{suffix}"
    special(kind, place)
    before = stat.S_IFMT(place.lstat().st_mode)
    reader = os.open(place, os.O_RDONLY | os.O_NONBLOCK) if kind == "fifo" else None
    done = forks.one("export", "-g", small_graph, "-o", place, seconds=20)
    if reader is not None:
        os.close(reader)
    assert stat.S_IFMT(place.lstat().st_mode) == before
    assert done.is_tidy or kind == "fifo", done


@pytest.mark.parametrize(
    "command",
    [
        ["rank", "--parquet", "{}"],
        ["similarity", "https://www.h3.org/3", "https://www.h4.org/4", "--picture", "{}.png"],
    ],
    ids=["rank", "similarity"],
)
def test_no_output_follows_a_link_that_points_nowhere_into_a_traceback(
    command: list[str], small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    words = [word.format(tmp_path / "out") for word in command]
    Path(words[-1]).symlink_to(tmp_path / "no-folder" / "file")
    done = forks.one(*words, "-g", small_graph)
    assert done.is_refusal, done


def test_a_file_beside_an_export_is_not_overwritten(
    small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    """An export is first written under another name, which a user's file may have."""
    (tmp_path / "out.jsonl.new").write_text("mine")
    done = forks.one("export", "-g", small_graph, "-o", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl.new").exists(), done
    assert (tmp_path / "out.jsonl.new").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty.jsonl", "{}\n[]\n"),
        ("mail.tsv", "mailto:a@b.org\tmailto:c@d.org\n"),
        ("nulls.jsonl", '{"url": null, "links": null}\n'),
        ("graph.gml", "graph [ ]"),
        ("graph.graphml", "<graphml><graph></graph></graphml>"),
        ("matrix.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"),
        ("rows.adj", "\n\n"),
        ("control.tsv", "\x01\t\x02\n\x03\t\x04\n"),
        ("head.tsv", "source\ttarget\n"),
    ],
)
def test_garbage_does_not_replace_a_good_graph(
    name: str, text: str, small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    """A graph without pages is made only with --allow-empty."""
    graph = copy_of(small_graph, tmp_path / "web.graph")
    (tmp_path / name).write_text(text)
    done = forks.one("build", tmp_path / name, "-o", graph)
    assert len(whatsrelated.open(graph)) > 100, done
    assert done.is_refusal, done


def test_a_folder_without_pages_does_not_replace_a_good_graph(
    small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "picture.png").write_bytes(b"\x89PNG")
    done = forks.one("build", tmp_path / "site", "-o", graph)
    assert len(whatsrelated.open(graph)) > 100, done


def test_the_next_build_cleans_up_after_a_killed_one(
    small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    shutil.copytree(generation_of(graph), graph / "generation-000007")
    (tmp_path / "links.tsv").write_text("a\tb\n")
    forks.one("build", tmp_path / "links.tsv", "-o", graph)
    assert not (graph / "generation-000007").exists(), "a whole generation of ours, not in use"
