"""A study in a file: no confirmed rating is lost, whenever the process ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.study import small_plan, small_study
from whatsrelated.apps.study.journal import Journal, Rating
from whatsrelated.errors import OptionError

ONE = Rating("ann", "tea", "cup", 1)


def test_a_study_is_read_again_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "my.study"
    with small_study(path, "ann", "bob") as journal:
        journal.rate([ONE, Rating("bob", "tea", "cup", 0)])
        journal.rate([Rating("ann", "tea", "cup", -1)])
        judges = journal.judges
    with Journal(path) as again:
        assert again.plan == journal.plan
        assert again.judges == judges
        assert again.ratings == {("ann", "tea", "cup"): -1, ("bob", "tea", "cup"): 0}


def test_links_are_secret_and_stay_the_same(tmp_path: Path) -> None:
    path = tmp_path / "my.study"
    with small_study(path, "ann", "bob") as journal:
        tokens = {judge.token for judge in journal.judges.values()}
        journal.add_judges(["ann", "cid"])
        assert tokens < {judge.token for judge in journal.judges.values()}
        assert len(tokens) == 2
        assert min(map(len, tokens)) == 24, "18 random bytes"
    assert path.stat().st_mode & 0o077 == 0
    with Journal(path) as journal, pytest.raises(OptionError, match="a judge's name must have"):
        journal.add_judges(["a\tb"])


def test_a_file_cut_anywhere_has_the_ratings_of_its_whole_lines(tmp_path: Path) -> None:
    path, cut = tmp_path / "my.study", tmp_path / "cut.study"
    with small_study(path, "ann") as journal:
        journal.rate([ONE])
        first = path.stat().st_size
        journal.rate([Rating("ann", "milk", "tea", 0)])
    text = path.read_bytes()
    for length in range(first, len(text)):
        cut.write_bytes(text[:length])
        with Journal(cut) as journal:
            assert journal.ratings == {("ann", "tea", "cup"): 1}
            journal.rate([Rating("ann", "milk", "cup", 1)])
        with Journal(cut) as journal:
            assert journal.ratings == {("ann", "tea", "cup"): 1, ("ann", "milk", "cup"): 1}


def test_a_failed_write_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my.study"
    with small_study(path, "ann") as journal:
        before = path.read_bytes()

        def fail(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr("whatsrelated.apps.study.journal.os.fsync", fail)
            with pytest.raises(OSError, match="No space"):
                journal.rate([ONE])
        assert (path.read_bytes(), journal.ratings) == (before, {})
        journal.rate([ONE])
    assert Journal(path, read_only=True).ratings == {("ann", "tea", "cup"): 1}


def test_a_study_is_for_one_process_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "my.study"
    with small_study(path):
        with pytest.raises(OptionError, match="another process is using"):
            Journal(path)
        Journal(path, read_only=True)
    with pytest.raises(OptionError, match="exists; omit --by"):
        Journal.create(path, small_plan())
    assert [file.name for file in tmp_path.iterdir()] == ["my.study"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "is not the file of a study"),
        (b"hello\n", "line 1, is not a line of a study"),
        (b'{"type":"judge","name":"a","token":"b"}\n', "is not the file of a study"),
    ],
)
def test_another_file_is_refused(text: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(text)
    with pytest.raises(OptionError, match=said):
        Journal(path)
    assert path.read_bytes() == text
    with pytest.raises(OptionError, match="cannot be used: No such file"):
        Journal(tmp_path / "nothing")
