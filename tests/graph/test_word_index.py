"""The index finds every page by label and word, and every word within two edits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whatsrelated.api import Graph, build
from whatsrelated.graph import kept_arrays, word_index
from whatsrelated.kernels.asking.searching import distance
from whatsrelated.names.folding import words
from whatsrelated.stream import Page

names = st.lists(st.text("abcd /_", min_size=1, max_size=9), min_size=1, max_size=12, unique=True)


def store_of(listed: list[str], titles: dict[str, str] | None = None) -> Graph:
    return Graph.from_links([], pages=listed, titles=titles)


@given(names)
def test_every_word_leads_to_the_pages_that_have_it(listed: list[str]) -> None:
    store = store_of(listed).store
    index = word_index.build(store)
    own = {store.url(page): set(words(store.url(page))) for page in range(store.n_pages)}
    for word in {"a", *(word for each in own.values() for word in each)}:
        found = {store.url(page) for page in index.pages_at(index.with_word(word))}
        assert found == {name for name, each in own.items() if word in each}
        starting = {store.url(page) for page in index.pages_at(index.with_beginning(word))}
        assert starting == {
            name for name, each in own.items() if any(one.startswith(word) for one in each)
        }


@given(
    st.sets(st.text("abc", min_size=3, max_size=9), min_size=1),
    st.text("abc", max_size=9),
)
@settings(max_examples=300)
def test_every_word_within_the_changes_that_are_allowed_is_found(
    vocabulary: set[str], typed: str
) -> None:
    index = word_index.build(store_of(sorted(vocabulary)).store)
    most = word_index.max_changes(typed)
    apart = distance if most < 2 else levenshtein
    near = {word for word in vocabulary if most and apart(typed, word, 9) <= most}
    found = index.words_like(typed)
    assert near <= set(found)
    far = [distance(typed, word, 9) for word in found]
    assert far == sorted(far)
    assert max(far, default=0) <= most


def levenshtein(a: str, b: str, most: int = 9) -> int:
    """Without swaps: a swap counts two."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return min(row[-1], most + 1)


def test_a_swap_counts_two_at_most() -> None:
    assert levenshtein("emial", "email") == 2 > distance("emial", "email", 9)


def test_lists_begin_with_the_most_linked_page() -> None:
    links = [("x", "tea green"), ("y", "tea green"), ("x", "tea black")]
    store = Graph.from_links(links).store
    index = word_index.build(store)
    found = [store.url(page) for page in index.pages_at(index.with_word("tea"))]
    assert found == ["tea green", "tea black"]


def test_it_is_built_once_and_stored_with_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = build([Page("tea", ["milk"])], tmp_path / "g")
    word_index.word_index(graph.store)
    monkeypatch.setattr(word_index, "build", None)
    again = word_index.word_index(graph.store)
    assert again.pages_at(again.with_word("milk")) == [graph.page("milk")]


def test_a_damaged_index_or_one_of_another_graph_is_built_again(tmp_path: Path) -> None:
    path = tmp_path / "g"
    word_index.word_index(build([Page("tea", ["milk"])], path).store)
    other = build([Page("tea", ["honey", "milk"])], path)
    assert word_index.read_index(other.store) is None
    index = word_index.word_index(other.store)
    assert len(index.with_word("honey")) == 1
    folder = path / word_index.FOLDER
    for name in (*word_index.TYPES, "index"):
        file = next(folder.glob(f"{name}.[nj]*"))
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        assert word_index.read_index(other.store) is None, name
        file.write_bytes(whole)
    assert word_index.read_index(other.store) is not None
    described = json.loads((folder / "index.json").read_bytes())
    assert described["graph"] == other.store.fingerprint


@pytest.mark.parametrize("name", word_index.TYPES)
def test_a_changed_byte_is_detected(name: str, tmp_path: Path) -> None:
    graph = build([Page(f"page {i}", [f"word{i} tea"]) for i in range(9)], tmp_path / "web.graph")
    word_index.word_index(graph.store)
    file = tmp_path / "web.graph" / word_index.FOLDER / f"{name}.npy"
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(data)
    assert word_index.read_index(graph.store) is None
    word_index.word_index(graph.store)
    assert word_index.read_index(graph.store) is not None


def test_a_crafted_index_gives_pages_of_the_graph_whatever_it_says() -> None:
    index = word_index.build(store_of(["tea", "milk"]).store)
    index.pages = np.array([7, 2**32 - 1], np.uint32)
    assert index.pages_at(np.array([0, 1, 99], np.uint32)) == [1, 1, 1]


def test_it_stays_in_memory_if_the_folder_is_not_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = build([Page("tea", ["milk"])], tmp_path / "g")

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(kept_arrays.KeptArrays, "write", refuse)
    assert len(word_index.word_index(graph.store).with_word("tea")) == 1
