"""What is verified when a graph is opened, and when it is verified again."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

import whatsrelated as wr
from tests.graph import PAGES
from whatsrelated import api
from whatsrelated.errors import GraphFormatError, OptionError
from whatsrelated.graph import format as disk
from whatsrelated.graph import verification


@pytest.fixture
def large(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small graph, treated as too large to be verified at every opening."""
    monkeypatch.setattr(verification, "CHEAP", 0)
    monkeypatch.setattr(verification, "CHEAP_DIGEST", 0)
    return path


def links_of(path: Path) -> Path:
    return disk.current_generation(path)[0] / "out.links.npy"


def spoil(file: Path) -> None:
    """Flip a bit of the last link: whatever page it then names exists."""
    data = bytearray(file.read_bytes())
    data[-4] ^= 1
    file.write_bytes(data)


def spoil_unnoticed(file: Path) -> None:
    """As close as possible to damage below the file system: the times stay."""
    verified = file.parent.parent / disk.VERIFIED
    spoil(file)
    known = json.loads(verified.read_bytes())
    names = sorted(json.loads((file.parent / "manifest.json").read_bytes())["files"])
    state = file.stat()
    known["files"][names.index("out.links")][-2:] = [state.st_mtime_ns, state.st_ctime_ns]
    verified.write_text(json.dumps(known))


def test_a_small_graph_is_read_whenever_it_is_opened(path: Path) -> None:
    spoil(links_of(path))
    for verify in ("full", "lazy"):
        with pytest.raises(GraphFormatError, match=r"out\.links"):
            api.open(path, verify=verify)
    assert len(api.open(path, verify="none")) == 5
    assert not (path / disk.VERIFIED).exists()


def test_a_large_graph_is_read_once_and_again_when_a_file_has_changed(large: Path) -> None:
    api.open(large)
    assert (large / disk.VERIFIED).exists()
    spoil_unnoticed(links_of(large))
    api.open(large)
    with pytest.raises(GraphFormatError, match=r"out\.links"):
        api.open(large, verify="full")
    os.utime(links_of(large))
    with pytest.raises(GraphFormatError, match=r"out\.links"):
        api.open(large)


def test_a_large_graph_is_read_again_after_a_week(large: Path) -> None:
    api.open(large)
    spoil_unnoticed(links_of(large))
    now = time.time()
    os.utime(large / disk.VERIFIED, (now, now - 6 * 24 * 3600))
    assert len(api.open(large)) == 5
    for day in (8, -8):
        os.utime(large / disk.VERIFIED, (now, now - day * 24 * 3600))
        with pytest.raises(GraphFormatError, match=r"out\.links"):
            api.open(large)


def test_a_large_graph_is_built_again_and_then_verified_again(large: Path) -> None:
    api.open(large)
    left = large / f".{disk.VERIFIED}.related-0123456789abcdef"
    left.write_text("left by a process that was killed")
    before = (large / disk.VERIFIED).read_bytes()
    api.build(PAGES, large)
    assert (large / disk.VERIFIED).read_bytes() != before
    assert not left.exists()
    spoil_unnoticed(links_of(large))
    assert len(api.open(large)) == 5


def test_a_large_graph_that_was_just_written_is_not_read_again(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.open(large)
    monkeypatch.setattr(verification, "content_fault", lambda *_: "it was read")
    api.build(PAGES, large)
    assert len(api.open(large)) == 5
    wr.update(large, [wr.Page("tea", ["new"])])
    assert len(api.open(large)) == 7
    (large / disk.VERIFIED).unlink()
    with pytest.raises(GraphFormatError, match="it was read"):
        wr.update(large, [wr.Page("tea", ["newer"])])


def test_a_record_of_other_files_is_ignored(large: Path) -> None:
    api.open(large)
    spoil(links_of(large))
    with pytest.raises(GraphFormatError, match=r"out\.links"):
        api.open(large)
    for text in ("", "[]", "[" * 100_000, "{}", "null"):
        (large / disk.VERIFIED).write_text(text)
        with pytest.raises(GraphFormatError, match=r"out\.links"):
            api.open(large)


def test_a_large_graph_in_a_folder_that_cannot_be_written_is_read_each_time(large: Path) -> None:
    (large / disk.VERIFIED).mkdir()
    assert len(api.open(large)) == 5
    spoil(links_of(large))
    with pytest.raises(GraphFormatError, match=r"out\.links"):
        api.open(large)


def test_a_graph_that_was_built_without_checksums_is_compared_with_its_digests(
    path: Path,
) -> None:
    folder = disk.current_generation(path)[0]
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for file in manifest["files"].values():
        del file["sum"]
    data = json.dumps(manifest).encode()
    (folder / "manifest.json").write_bytes(data)
    current = json.loads((path / "current").read_bytes())
    (path / "current").write_text(json.dumps({**current, "manifest": disk.digest(data)}))
    assert len(api.open(path)) == 5
    spoil(links_of(path))
    with pytest.raises(GraphFormatError, match=r"out\.links"):
        api.open(path)


def test_an_unknown_way_to_verify_is_rejected(path: Path) -> None:
    with pytest.raises(OptionError, match="verify must be full, lazy or none, got 'some'"):
        api.open(path, verify="some")


def test_a_closed_graph_is_an_error_that_says_so(path: Path) -> None:
    with api.open(path) as graph:
        assert graph.page("Tea") >= 0
    assert repr(graph) == "<Graph, closed>"
    with pytest.raises(OptionError, match="closed; open it again"):
        graph.page("Tea")


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="asks Linux for its memory")
def test_the_memory_of_a_mapped_array_can_be_given_back(tmp_path: Path) -> None:
    def in_memory() -> str:
        mappings = Path("/proc/self/smaps").read_text().partition(str(tmp_path / "x.npy"))[2]
        return mappings.partition("Rss:")[2].split()[0]

    disk.write_array(tmp_path / "x.npy", np.ones(1 << 18, "<u8"))
    array = disk.map_array(tmp_path / "x.npy", "<u8", 1 << 18)
    assert int(array.sum()) == 1 << 18
    verification._release(array)
    assert in_memory() == "0"
    assert int(array.sum()) == 1 << 18
    verification._release(np.ones(3))
