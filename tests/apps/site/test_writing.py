"""Pages are replaced as a whole."""

from __future__ import annotations

import stat

import pytest

from whatsrelated.apps.site.writing import PREFIX, replace_page, writing
from whatsrelated.errors import BuildError


def names(folder):
    return [path.name for path in folder.iterdir()]


def test_a_page_keeps_its_rights(tmp_path):
    page = tmp_path / "a.html"
    page.write_bytes(b"old")
    page.chmod(0o640)
    replace_page(str(page), b"new")
    assert page.read_bytes() == b"new"
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert names(tmp_path) == ["a.html"]


def test_a_page_that_is_gone_is_one_sentence(tmp_path):
    with pytest.raises(
        BuildError, match=r"b/a.html cannot be written: No such file or directory\."
    ):
        replace_page(str(tmp_path / "b" / "a.html"), b"new")
    with pytest.raises(BuildError, match=r"a.html cannot be written: No such file or directory\."):
        replace_page(str(tmp_path / "a.html"), b"new")
    assert names(tmp_path) == []


def test_what_was_left_unfinished_is_removed_and_nothing_else(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / f"{PREFIX}x").write_bytes(b"half")
    (tmp_path / "b" / ".hidden").write_bytes(b"kept")
    with writing(str(tmp_path)):
        assert names(tmp_path / "b") == [".hidden"]


def test_one_process_at_a_time_writes_a_folder(tmp_path):
    def write_again():
        with writing(str(tmp_path)):
            pass

    with (
        writing(str(tmp_path)),
        pytest.raises(BuildError, match="is being written by another process"),
    ):
        write_again()
    write_again()
