"""A damaged graph is refused with the file; a graph is replaced whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from whatsrelated import api
from whatsrelated.errors import BuildError, GraphFormatError
from whatsrelated.graph.store import Store
from whatsrelated.stream import Page

PAGES = [
    Page("https://a.org/", ["https://b.org/", "https://c.org/x"], title="A"),
    Page("https://b.org/", ["https://c.org/x"]),
    Page("Tea", ["https://a.org/", "7"]),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "web.graph"
    api.build(PAGES, folder)
    return folder


def files_of(path: Path) -> list[Path]:
    return [file for file in sorted(path.rglob("*")) if file.is_file() and file.name != "lock"]


def test_any_file_that_is_missing_is_named(path: Path) -> None:
    for file in files_of(path):
        data = file.read_bytes()
        file.unlink()
        expected = "is no graph" if file.name == "current" else str(file)
        with pytest.raises(GraphFormatError, match=expected):
            api.open(path)
        file.write_bytes(data)
    assert len(api.open(path)) == 5


def test_any_file_cut_at_any_byte_is_refused(path: Path) -> None:
    for file in files_of(path):
        data = file.read_bytes()
        for size in range(len(data)):
            file.write_bytes(data[:size])
            with pytest.raises(GraphFormatError, match=file.name):
                api.open(path)
        file.write_bytes(data + b"\0")
        with pytest.raises(GraphFormatError, match=file.name):
            api.open(path)
        file.write_bytes(data)


def test_any_flipped_bit_is_found(path: Path) -> None:
    for file in files_of(path):
        data = file.read_bytes()
        for place in range(len(data)):
            flipped = data[place] ^ (1 << place % 8)
            file.write_bytes(data[:place] + bytes([flipped]) + data[place + 1 :])
            try:
                fault = api.open(path).store.check()
            except GraphFormatError:
                fault = "refused"
            assert fault, f"{file.name} at {place}"
        file.write_bytes(data)
    assert api.open(path).store.check() is None


def test_a_graph_of_a_newer_version_says_so(path: Path) -> None:
    told = json.loads((path / "current").read_bytes())
    (path / "current").write_text(json.dumps({**told, "format": 99}))
    with pytest.raises(GraphFormatError, match="format version 99, this program reads 1; upgrade"):
        api.open(path)


def test_the_first_link_that_stands_in_one_direction_only_is_named(path: Path) -> None:
    store = api.open(path).store
    arrays = dict(store.arrays)
    arrays["in.links"] = np.array(arrays["in.links"])
    target = store.find("7")
    assert target is not None
    arrays["in.links"][int(store.in_offsets[target])] = store.find("https://b.org/")
    broken = Store(arrays, {**store.manifest, "files": {}})
    assert broken.check() == "the link Tea -> 7 has only one direction"


def test_the_arrays_are_plain_numpy_files(path: Path) -> None:
    folder = path / "generation-000001"
    links = np.load(folder / "out.links.npy", mmap_mode="r")
    assert links.tolist() == api.open(path).store.out_links.tolist()


def test_a_second_build_is_refused_naming_the_first(path: Path) -> None:
    def pages() -> object:
        with pytest.raises(BuildError, match=f"being built by process {os.getpid()}"):
            api.build(PAGES, path)
        yield Page("only", ["this"])

    assert len(api.build(pages(), path)) == 2  # type: ignore[arg-type]


def test_an_error_on_the_way_leaves_the_old_graph_and_nothing_else(path: Path) -> None:
    def pages() -> object:
        yield PAGES[0]
        raise OSError(28, "No space left on device")

    before = sorted(file.relative_to(path) for file in files_of(path))
    with pytest.raises(BuildError, match=r"the disk is full.*The old graph is untouched"):
        api.build(pages(), path)  # type: ignore[arg-type]
    assert sorted(file.relative_to(path) for file in files_of(path)) == before
    assert api.open(path).store.check() is None


def test_a_graph_wants_a_folder_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(BuildError, match="is a file"):
        api.build(PAGES, file)
    with pytest.raises(BuildError, match=r"holds other things \('notes.txt'\)"):
        api.build(PAGES, tmp_path)
    assert file.read_text() == "mine"


def test_a_graph_can_be_copied_and_moved(path: Path, tmp_path: Path) -> None:
    shutil.copytree(path, tmp_path / "copy.graph")
    shutil.rmtree(path)
    assert api.open(tmp_path / "copy.graph").store.check() is None


def test_readers_see_one_graph_or_the_other_while_it_is_replaced(path: Path) -> None:
    """Forty replacements under readers: sizes and names always belong together."""
    stop = threading.Event()
    wrong: list[str] = []

    def read() -> None:
        while not stop.is_set():
            graph = api.open(path)
            names = [graph.url(page) for page in range(len(graph))]
            if len(names) not in (5, 2) or (len(names) == 2 and names != ["only", "this"]):
                wrong.append(str(names))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(40):
            api.build([Page("only", ["this"])] if turn % 2 else PAGES, path)
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert not wrong


KILLED = """
import os, signal, sys, threading, time
from pathlib import Path
from whatsrelated import api
from whatsrelated.stream import Page
def stop():
    time.sleep(float(sys.argv[2]))
    os.kill(os.getpid(), signal.SIGKILL)
def pages():
    for i in range(3000):
        links = [f"https://h{j % 50}.org/{j}" for j in range(i, i + 9)]
        yield Page(f"https://h{i % 50}.org/{i}", links)
api.build([Page("warm", ["up"])], sys.argv[1] + ".warm")
threading.Thread(target=stop, daemon=True).start()
while True:
    api.build(pages(), sys.argv[1], memory=200_000)
    api.build([Page("only", ["this"])], sys.argv[1])
"""


def test_a_kill_at_any_moment_leaves_the_old_graph_or_the_new_one(path: Path) -> None:
    for turn in range(25):
        delay = 0.01 + 0.013 * turn
        command = [sys.executable, "-c", KILLED, str(path), str(delay)]
        done = subprocess.run(command, check=False, capture_output=True)
        assert done.returncode == -9, done.stderr.decode()
        graph = api.open(path)
        assert len(graph) in (5, 2, 3008)
        assert graph.store.check() is None
    api.build(PAGES, path)
    names = {entry.name for entry in path.iterdir()}
    assert {name for name in names if name.startswith(".building")} == set()
