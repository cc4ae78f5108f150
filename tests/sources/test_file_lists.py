"""Lists of files: existing ones are found, the others counted."""

from __future__ import annotations

import gzip

import pytest

from whatsrelated.errors import ReadError
from whatsrelated.sources.file_lists import files_in
from whatsrelated.stream import Refused

PATHS = "crawl-data/CC/segments/1/warc/a.warc.gz\ncrawl-data/CC/segments/2/warc/b.warc.gz\n"


def test_downloaded_files_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = tmp_path / "crawl-data/CC/segments/1/warc/a.warc.gz"
    whole.parent.mkdir(parents=True)
    whole.touch()
    (tmp_path / "b.warc.gz").touch()
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(PATHS.encode()))
    refused = Refused()
    assert files_in("warc.paths.gz", refused) == [str(whole.relative_to(tmp_path)), "b.warc.gz"]
    assert refused.total() == 0
    monkeypatch.chdir(tmp_path.parent)
    beside = files_in(str(tmp_path / "warc.paths.gz"), refused)
    assert beside == [str(whole), str(tmp_path / "b.warc.gz")]


def test_missing_files_are_counted(tmp_path):
    (tmp_path / "b.warc.gz").touch()
    (tmp_path / "list").write_text("# comment\n\n" + PATHS + PATHS)
    refused = Refused()
    assert files_in(str(tmp_path / "list"), refused) == [str(tmp_path / "b.warc.gz")]
    assert refused.counts == {"listed files that are missing": 1}


def test_a_list_of_nothing_is_an_error(tmp_path):
    (tmp_path / "list").write_text(PATHS)
    with pytest.raises(ReadError, match=r"None of the 2 files .* the first is 'crawl-data/"):
        files_in(str(tmp_path / "list"), Refused())
    (tmp_path / "list").write_text("\n")
    with pytest.raises(ReadError, match="None of the 0 files"):
        files_in(str(tmp_path / "list"), Refused())
    with pytest.raises(ReadError, match="No file"):
        files_in(str(tmp_path / "absent"), Refused())
