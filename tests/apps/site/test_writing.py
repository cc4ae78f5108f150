"""One process at a time writes a site."""

from __future__ import annotations

import pytest

from whatsrelated.apps.site.writing import writing
from whatsrelated.errors import BuildError


def names(folder):
    return [path.name for path in folder.iterdir()]


def test_only_unfinished_files_of_a_killed_run_are_removed(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".a.html.related-0123456789abcdef").write_bytes(b"half")
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
