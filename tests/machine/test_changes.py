"""A change in a folder is noticed, by inotify or by polling."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.waiting import PATIENCE
from whatsrelated.machine.changes import FolderChanges


@pytest.mark.parametrize("by", ["inotify", "polling"])
def test_a_change_is_noticed_once_and_ignored_files_are_not(
    by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "polling":
        monkeypatch.setattr(FolderChanges, "_open", lambda self: None)
    (tmp_path / "inner").mkdir()
    (tmp_path / "ignored").mkdir()
    (tmp_path / "a").write_text("1")
    with FolderChanges(tmp_path, lambda path: path.name == "ignored") as changes:
        assert changes.by in (by, "polling")
        (tmp_path / "ignored" / "x").write_text("1")
        assert not changes.wait(0.01)
        for file, text in (("a", "22"), ("inner/b", "1"), ("inner/b", "22")):
            (tmp_path / file).write_text(text)
            assert changes.wait(PATIENCE)
            assert not changes.wait(0.01)
        (tmp_path / "new").mkdir()
        assert changes.wait(PATIENCE)
        (tmp_path / "new" / "c").write_text("1")
        assert changes.wait(PATIENCE)
        (tmp_path / "a").unlink()
        assert changes.wait(PATIENCE)
