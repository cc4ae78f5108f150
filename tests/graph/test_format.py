"""A damaged graph is refused with the name of the file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.graph import files_of
from whatsrelated import api
from whatsrelated.errors import GraphFormatError


def test_any_file_that_is_missing_is_named(path: Path) -> None:
    for file in files_of(path):
        data = file.read_bytes()
        file.unlink()
        expected = "is not a graph" if file.name == "current" else str(file)
        with pytest.raises(GraphFormatError, match=expected):
            api.open(path)
        file.write_bytes(data)
    assert len(api.open(path)) == 5


def test_a_folder_of_other_files_is_named_as_the_source_of_a_graph(tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match=r"related build SOURCE -o "):
        api.open(tmp_path)
    (tmp_path / "index.html").write_text("<a href=tea.html>tea</a>")
    with pytest.raises(GraphFormatError) as error:
        api.open(tmp_path)
    assert str(error.value).endswith(f"make one with: related build {tmp_path} -o web.graph")


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
    current = json.loads((path / "current").read_bytes())
    (path / "current").write_text(json.dumps({**current, "format": 99}))
    with pytest.raises(GraphFormatError, match="format version 99, this program reads 1 to 2"):
        api.open(path)


def test_the_arrays_are_plain_numpy_files(path: Path) -> None:
    folder = path / "generation-000001"
    links = np.load(folder / "out.links.npy", mmap_mode="r")
    assert links.tolist() == api.open(path).store.out_links.tolist()
