"""No query fills the disk, and a full disk is an error that leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import whatsrelated
from tests.hostile.graphs import copy_of
from tests.hostile.processes import RELATED, Forks, related, served
from tests.waiting import eventually


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    "path",
    [
        "/api/rank?by=pagerank&damping=0.{}",
        "/api/rank?by=hubrank&damping=0.{}",
        "/api/related?url=https://www.h3.org/3&by=pagesim&damping=0.{}",
        "/api/similarity?by=pagesim&url=https://www.h3.org/3&url=https://www.h4.org/4&damping=0.{}",
        "/api/related?url=https://www.h3.org/3&by=hubfinder&criterion=pagerank&seed={}",
    ],
)
def test_questions_over_http_write_nothing_that_grows_with_them(
    path: str, small_graph: Path, tmp_path: Path
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    with served(graph, tmp_path / "log") as server:
        assert server.client.get(path.format(50)).status_code == 200
        after_one = size_of(graph)
        for number in range(51, 71):
            assert server.client.get(path.format(number)).status_code == 200
        assert size_of(graph) <= after_one


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A folder on its own file system, whose size can be limited; skipped if it cannot be made."""
    folder = Path(tempfile.mkdtemp(prefix="small-disk-"))
    options = ["mount", "-t", "tmpfs", "-o", "size=16m", "none", str(folder)]
    try:
        mounted = subprocess.run(options, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        folder.rmdir()
        pytest.skip("a small file system cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


def resize(folder: Path, kilobytes: int) -> None:
    told = f"remount,size={kilobytes}k"
    subprocess.run(["mount", "-o", told, str(folder)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def links(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("links") / "links.tsv"
    lines = (
        f"https://h{i % 50}.org/{i}\thttps://h{j % 50}.org/{j}\n"
        for i in range(2000)
        for j in range(i, i + 9)
    )
    file.write_text("".join(lines))
    return file


def test_a_full_disk_is_one_sentence_and_leaves_the_old_graph_alone(
    small_disk: Path, links: Path, small_graph: Path, forks: Forks
) -> None:
    """From no space to enough, in steps: what is reported, and what is left."""
    graph = copy_of(small_graph, small_disk / "web.graph")
    disk = os.statvfs(small_disk)
    held = ((disk.f_blocks - disk.f_bfree) * disk.f_frsize >> 10) + 16
    wrong, built = [], 0
    for room in range(0, 640, 40):
        resize(small_disk, held + room)
        done = forks.one("build", links, "-o", graph)
        left = [entry.name for entry in graph.iterdir() if entry.name.startswith(".building")]
        pages = len(whatsrelated.open(graph))
        if done.status == 0:
            built += 1
            assert pages > 2000
            break
        if not done.is_refusal or left or pages > 200:
            wrong.append(f"{room} kB: {done.err[-200:]!r}, left {left}")
    assert not wrong, "\n".join(wrong)
    assert built, "the last step has room enough"


@pytest.mark.parametrize("kilobytes", [1, 8, 32, 60])
def test_a_limit_on_file_sizes_is_one_sentence(kilobytes: int, links: Path, tmp_path: Path) -> None:
    done = related("build", links, "-o", tmp_path / "web.graph", file_size=kilobytes << 10)
    assert done.is_refusal, done
    left = [entry.name for entry in (tmp_path / "web.graph").glob("*")]
    assert not [name for name in left if name.startswith((".building", "generation"))]


def test_an_export_to_a_full_disk_is_one_sentence_and_leaves_no_part(
    small_disk: Path, small_graph: Path, forks: Forks
) -> None:
    resize(small_disk, 16)
    for suffix in (".jsonl", ".tsv", ".graphml", ".parquet", ".jsonl.gz"):
        done = forks.one("export", "-g", small_graph, "-o", small_disk / f"out{suffix}")
        if done.status != 0:
            assert done.is_refusal, done
            assert list(small_disk.iterdir()) == []
        else:
            (small_disk / f"out{suffix}").unlink()


@pytest.mark.parametrize("suffix", [".jsonl", ".csv.gz", ".sqlite", ".parquet"])
def test_answers_for_all_pages_leave_nothing_on_a_full_disk(
    suffix: str, small_disk: Path, small_graph: Path, forks: Forks
) -> None:
    words = ("all", small_graph, "--by", "cocitation", "-o", small_disk / f"out{suffix}")
    for kilobytes in (4, 8, 12, 16, 20, 24):
        resize(small_disk, kilobytes)
        done = forks.one(*words)
        if done.status == 0:
            break
        assert done.is_refusal, done
        if "run the same command again to continue" in done.err:
            break
        assert list(small_disk.iterdir()) == []
    assert kilobytes > 8


def test_the_next_build_removes_the_temporary_files_of_a_killed_one(
    tmp_path: Path, forks: Forks
) -> None:
    (tmp_path / "temp").mkdir()
    words = ["build", "-", "--format", "columns", "-o", tmp_path / "web.graph"]
    words += ["--temp", tmp_path / "temp"]
    process = subprocess.Popen(
        [*RELATED, *map(str, words)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(b"a\tb\n" * 400_000)
    process.stdin.flush()
    eventually(lambda: any((tmp_path / "temp").iterdir()))
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    (tmp_path / "links.tsv").write_text("a\tb\n")
    words = ["build", tmp_path / "links.tsv", "-o", tmp_path / "web.graph"]
    done = forks.one(*words, "--temp", tmp_path / "temp")
    assert done.status == 0, done
    assert list((tmp_path / "temp").iterdir()) == []


def test_a_build_that_fails_leaves_nothing_in_its_temporary_folder(
    tmp_path: Path, forks: Forks
) -> None:
    (tmp_path / "temp").mkdir()
    (tmp_path / "links.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 9\n")
    words = ("build", tmp_path / "links.mtx", "-o", tmp_path / "web.graph")
    done = forks.one(*words, "--temp", tmp_path / "temp")
    assert done.is_refusal, done
    assert list((tmp_path / "temp").iterdir()) == []
