"""All lists in one file: the three formats hold the same data."""

from __future__ import annotations

import json
import tomllib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.site.data import data_bytes, require_data_file, write_if_changed
from whatsrelated.errors import OptionError

READ = {
    ".json": json.loads,
    ".yaml": yaml.safe_load,
    ".toml": lambda data: tomllib.loads(data.decode()),
}
texts = st.text(max_size=8)
entries = st.lists(
    st.fixed_dictionaries(
        {
            "url": texts,
            "title": texts,
            "score": st.floats(1e-9, 1e9).map(lambda score: float(f"{score:.6g}")),
            "linked": st.booleans(),
        }
    ),
    min_size=1,
    max_size=3,
)


@given(
    st.one_of(
        st.dictionaries(texts, entries, max_size=3),
        st.dictionaries(
            texts,
            st.dictionaries(st.sampled_from(["related", "backlinks"]), entries, min_size=1),
            max_size=3,
        ),
    )
)
def test_every_format_reads_back_its_own_output(lists):
    for suffix, read in READ.items():
        assert (read(data_bytes(lists, suffix)) or {}) == lists, suffix


def test_the_same_lists_give_the_same_bytes_and_numbers_have_six_digits():
    first = {"b": [{"url": "x", "score": 1 / 3}], "a": [{"score": 2e-05, "url": "y"}], "c": []}
    second = {"a": [{"url": "y", "score": 2e-05}], "b": [{"score": 1 / 3, "url": "x"}]}
    for suffix in READ:
        assert data_bytes(first, suffix) == data_bytes(second, suffix)
    assert data_bytes(first, ".json").decode() == (
        '{\n "a": [\n  {"score": 0.00002, "url": "y"}\n ],\n'
        ' "b": [\n  {"score": 0.333333, "url": "x"}\n ]\n}\n'
    )


def test_a_file_is_written_only_if_it_changes(tmp_path):
    path = tmp_path / "data" / "related.json"
    assert write_if_changed(path, b"{}")
    before = path.stat().st_ino
    assert not write_if_changed(path, b"{}")
    assert path.stat().st_ino == before
    assert write_if_changed(path, b"[]")


def test_a_name_without_a_known_format_is_rejected(tmp_path):
    with pytest.raises(
        OptionError, match=r"--data must name a file ending in \.json, .*, got 'related\.xml'"
    ):
        require_data_file(tmp_path / "related.xml")
