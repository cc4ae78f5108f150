"""A graph on disk, from files or from pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import whatsrelated as wr


def test_a_build_takes_pages_or_files_and_rejects_unknown_options(tmp_path: Path) -> None:
    built = wr.build([wr.Page("a", ["b"])], tmp_path / "one.graph", urls="keep")
    assert wr.open(tmp_path / "one.graph").n_links == built.n_links == 1
    (tmp_path / "links.tsv").write_text("a\tb\nb\tc\n")
    files = wr.build(tmp_path / "links.tsv", tmp_path / "two.graph")
    assert files.store.manifest["built"]["sources"] == [str(tmp_path / "links.tsv")]
    with pytest.raises(wr.OptionError, match="build has no option 'colour'; it has: format,"):
        wr.build([wr.Page("a", ["b"])], tmp_path / "three.graph", colour="red")
