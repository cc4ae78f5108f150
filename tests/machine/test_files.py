"""An output file appears only when it is complete, and no other file is touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from whatsrelated.errors import BuildError
from whatsrelated.machine.files import (
    UNFINISHED,
    open_own,
    output_file,
    read_small,
    remove_unfinished,
    replace_file,
    write_file,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("old")
    with output_file(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
        assert UNFINISHED.fullmatch(Path(file.name).name)
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.html"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("old")
    full = r"a\.html cannot be written: No space left\."
    with pytest.raises(BuildError, match=full), output_file(path):
        raise OSError(28, "No space left")
    with pytest.raises(KeyboardInterrupt), replace_file(path):
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.html"]


def test_a_file_keeps_its_permissions_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    page, study = tmp_path / "a.html", tmp_path / "my.study"
    page.write_text("old")
    page.chmod(0o640)
    write_file(page, "new")
    write_file(study, "secret", private=True)
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert stat.S_IMODE(study.stat().st_mode) == 0o600


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    write_file(tmp_path / "a", "old", new=True)
    with pytest.raises(FileExistsError):
        write_file(tmp_path / "a", "new", new=True)
    assert (tmp_path / "a").read_text() == "old"
    assert names(tmp_path) == ["a"]


def test_a_long_name_has_room_for_more(tmp_path: Path) -> None:
    write_file(tmp_path / ("é" * 127), "new")
    assert names(tmp_path) == ["é" * 127]


def test_neither_a_link_nor_a_folder_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to("mine")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BuildError, match="link is a link and will not be replaced"):
        write_file(tmp_path / "link", "new")
    with pytest.raises(BuildError, match="folder is not a regular file"):
        write_file(tmp_path / "folder", "new")
    with pytest.raises(OSError, match="link"), open_own(tmp_path / "link", "ab"):
        pass
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize("address", ["ftp://a.org/a", "https://a.org/x.csv", "hdfs:///a"])
def test_an_address_is_not_an_output(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BuildError, match="is a remote address; write a local file"):
        write_file(address, "new", parents=True)
    assert names(tmp_path) == []
    write_file("a:b", "new")
    assert names(tmp_path) == ["a:b"]


def test_a_small_file_is_neither_a_pipe_nor_endless(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_small(tmp_path / "pipe") == b""
    with pytest.raises(OSError, match="larger than 1,000 bytes"):
        read_small(Path("/dev/zero"), 1000)
    (tmp_path / "a").write_bytes(b"tea")
    assert read_small(tmp_path / "a", 3) == b"tea"


def test_only_unfinished_files_are_removed(tmp_path: Path) -> None:
    for name in (".a.html.related-0123456789abcdef", ".a.html.related-0", ".hidden", "a.html.new"):
        (tmp_path / name).write_text("")
    remove_unfinished(tmp_path)
    assert names(tmp_path) == [".a.html.related-0", ".hidden", "a.html.new"]
