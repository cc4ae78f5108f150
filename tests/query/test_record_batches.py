"""Arrow batches have a row for each result, and every URL once in their dictionaries."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from whatsrelated import kernels
from whatsrelated.api import Graph
from whatsrelated.errors import GraphFormatError, MissingExtra
from whatsrelated.graph.names import PageNames
from whatsrelated.query.many import ask_many
from whatsrelated.query.record_batches import _names, _number, arrow, record_batch, schema

pytest.importorskip("pyarrow")

GRAPH = graph_of("a -> tea coffee", "b -> coffee tea", "c -> tea milk", "alone")


def test_a_row_for_each_result() -> None:
    pages = np.arange(len(GRAPH), dtype=np.uint32)
    batch = record_batch(GRAPH.store, ask_many(GRAPH.asker("cocitation"), pages))
    assert batch.schema.equals(schema())
    rows = batch.to_pylist()
    expected = [
        {
            "url": url,
            "position": position,
            "related_url": result.url,
            "score": result.score,
            "answered_for": None,
        }
        for url in GRAPH
        for position, result in enumerate(GRAPH.related(url, by="cocitation"), 1)
    ]
    assert rows == expected
    assert {row["url"] for row in rows} == {"tea", "coffee", "milk"}
    assert batch.column("related_url").dictionary.to_pylist() == ["coffee", "milk", "tea"]


def test_the_page_used_instead_is_named() -> None:
    links = [
        (f"https://p{i}.org/", f"https://h.org/{page}") for i in range(3) for page in ("", "x")
    ]
    links += [(f"https://p{i}.org/", f"https://s{j}.org/") for i in range(3) for j in range(3)]
    links += [("https://q.org/", "https://h.org/a/b"), ("https://q.org/", "https://s1.org/")]
    graph = Graph.from_links(links)
    page = graph.page("https://h.org/a/b")
    block = ask_many(graph.asker("cocitation", enough=2), np.array([page], np.uint32), why=True)
    rows = record_batch(graph.store, block).to_pylist()
    assert {row["answered_for"] for row in rows} == {"https://h.org/"}
    assert all(row["reason"].endswith(".") for row in rows)


@given(st.lists(st.integers(0, 40), max_size=30), st.sampled_from([0, 2**32 - 50]))
def test_pages_are_numbered_as_numpy_does(pages: list[int], after: int) -> None:
    array = np.array([page + after for page in pages], np.uint32)
    distinct, places = _number(array)
    expected = np.unique(array, return_inverse=True)
    assert distinct.tolist() == expected[0].tolist()
    assert places.tolist() == expected[1].tolist()


def test_without_the_package_the_error_has_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[parquet\]'"):
        arrow()


def test_names_that_are_not_text_are_rejected() -> None:
    text, blocks = kernels.name_table.encode(
        np.frombuffer(b"a\xffb", np.uint8), np.array([0, 3], "u8")
    )
    store: Any = SimpleNamespace(names=PageNames(text, blocks, 1))
    with pytest.raises(GraphFormatError, match="damaged; build the graph again"):
        _names(store, np.zeros(1, np.uint32))
