"""The index of texts finds the pages with similar text, and damage is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatsrelated as wr
from tests.reference.texts import text_similarities
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.graph import text_index as module
from whatsrelated.graph.text_index import KEPT, TYPES, TextIndex, find_text_index, text_index
from whatsrelated.stream import Page

NONE = np.empty(0, np.uint32)
WORDS = ["tea", "green", "milk", "茶", "and", "tea and milk"]
texts_of_pages = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=2, max_size=9
)


def pages_with(texts: list[str]) -> list[Page]:
    return [Page(f"p{i}", [f"p{i + 1}"], text=text) for i, text in enumerate(texts)]


@given(texts_of_pages, st.sets(st.integers(0, 8)))
def test_the_similarity_is_the_cosine_of_tf_idf(texts: list[str], known: set[int]) -> None:
    graph = Graph.from_pages(pages_with(texts), text=True)
    expected = text_similarities("p0", {f"p{i}": text for i, text in enumerate(texts)})
    index = graph.store.texts
    assert (index is None) == (not any(texts))
    if index is None:
        return
    listed = np.array([graph.page(f"p{i}") for i in known if i < len(texts)], np.uint32)
    similar = index.similar({graph.page("p0"): 1.0}, listed, 100)
    for page, similarity in zip(listed.tolist(), similar.known.tolist(), strict=True):
        if graph.url(page) != "p0":
            assert similarity == pytest.approx(expected.get(graph.url(page), 0.0), abs=1e-12)
    found = {
        graph.url(page): similarity
        for page, similarity in zip(
            similar.others.tolist(), similar.similarities.tolist(), strict=True
        )
    }
    names = {graph.url(page) for page in listed.tolist()}
    close = {page: s for page, s in expected.items() if s >= module.MIN_SIMILARITY}
    assert found == pytest.approx({page: s for page, s in close.items() if page not in names})


def test_only_the_most_similar_pages_are_returned() -> None:
    texts = ["green tea", "green tea", "green tea with milk", "milk", "tea"]
    graph = Graph.from_pages(pages_with(texts), text=True)
    index = text_index(graph.store)
    similar = index.similar({graph.page("p0"): 1.0}, NONE, 2)
    assert {graph.url(page) for page in similar.others.tolist()} == {"p1", "p2"}


def test_weights_of_several_pages_add_up_and_pages_to_move_away_from_subtract() -> None:
    texts = ["green tea", "strong coffee", "green leaf", "coffee bean", "coffee tea"]
    graph = Graph.from_pages(pages_with(texts), text=True)
    index = text_index(graph.store)
    pages = {name: graph.page(name) for name in ("p0", "p1", "p2", "p3", "p4")}
    others = np.array([pages["p2"], pages["p3"], pages["p4"]], np.uint32)
    one, two = (index.similar({pages[name]: 1.0}, others, 9).known for name in ("p0", "p1"))
    both = index.similar({pages["p0"]: 0.75, pages["p1"]: 0.25}, others, 9).known
    assert both == pytest.approx(0.75 * one + 0.25 * two)
    away = index.similar({pages["p0"]: 1.0, pages["p1"]: -1.0}, others, 9).known
    assert away == pytest.approx(np.maximum(one - two, 0))


def test_a_page_keeps_its_words_with_the_highest_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORDS_KEPT", 1)
    texts = ["tea tea milk", "tea", "milk", "water"]
    graph = Graph.from_pages(pages_with(texts), text=True)
    index = text_index(graph.store)
    assert len(index.words(graph.page("p0"))[0]) == 1
    similar = index.similar({graph.page("p0"): 1.0}, NONE, 9)
    assert [graph.url(page) for page in similar.others.tolist()] == ["p1"]


def test_a_build_keeps_the_index_in_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = wr.build(pages_with(["tea", "tea milk", "milk"]), tmp_path / "g", text=True)
    monkeypatch.setattr(module, "build", None)
    assert isinstance(graph.store.texts, TextIndex)
    assert KEPT.read(graph.store) is not None


def test_an_update_builds_the_index_again(tmp_path: Path) -> None:
    wr.build(pages_with(["tea", "tea milk", "milk"]), tmp_path / "g", text=True)
    new = Page("new", ["p0"], text="milk and honey")
    updated = wr.update(tmp_path / "g", [new])
    whole = wr.build([*pages_with(["tea", "tea milk", "milk"]), new], tmp_path / "h", text=True)
    assert updated.store.texts is not None
    assert whole.store.texts is not None
    for name, array in whole.store.texts.arrays.items():
        assert updated.store.texts.arrays[name].tolist() == array.tolist()


@pytest.mark.parametrize("name", TYPES)
def test_a_damaged_index_is_built_again(tmp_path: Path, name: str) -> None:
    graph = wr.build(pages_with(["tea", "tea milk", "milk"]), tmp_path / "g", text=True)
    file = tmp_path / "g" / module.FOLDER / f"{name}.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert KEPT.read(graph.store) is None
    index = find_text_index(graph.store)
    assert index is not None
    assert index.similar({graph.page("p0"): 1.0}, NONE, 9).others.tolist() == [graph.page("p1")]


def test_a_large_graph_gets_its_index_only_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph.from_pages(pages_with(["tea", "tea milk", "milk"]), text=True)
    monkeypatch.setattr(module, "BUILT_AT_ONCE", 2)
    assert graph.store.texts is None
    assert len(graph.related("p0", text="on"))
    with pytest.raises(OptionError, match="text=on needs the text of pages"):
        module.require_text_index(Graph.from_pages(pages_with([""] * 3)).store, "text=on")
