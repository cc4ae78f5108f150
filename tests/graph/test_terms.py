"""The words of pages: what a word is, and how similar two pages are by their words."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import api
from whatsrelated.api import Graph
from whatsrelated.errors import GraphFormatError
from whatsrelated.graph import columns
from whatsrelated.graph.terms import PageCounts, terms_of, text_of, words, words_of
from whatsrelated.stream import Page


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Green TEA, black-tea (2 kinds)!", ["green", "tea", "black", "tea", "2", "kinds"]),
        ("snake_case under_score", ["snake", "case", "under", "score"]),
        ("Straße ＦＵＬＬ ﬁne", ["strasse", "full", "fine"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("绿茶很好", ["绿茶", "茶很", "很好"]),
        ("お茶、茶 ABC", ["お茶", "茶", "abc"]),
        ("ชาเขียว", ["ชา", "าเ", "เข", "ขย", "ยว"]),
        ("", []),
        ("—…!", []),
    ],
)
def test_words_are_runs_of_letters_of_any_script(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_only_the_first_thousand_words_count() -> None:
    assert words("a " * 1000 + "b") == ["a"] * 1000
    assert len(words("茶" * 2000)) == 1000


def test_long_words_are_cut() -> None:
    assert words("a" * 1000) == ["a" * 64]


def test_titles_are_part_of_the_text() -> None:
    words_in = words_of(terms_of(Page("p", title="Green tea", text="tea")) or b"")
    assert words_in[0] == [b"green", b"tea"]
    assert words_in[1].tolist() == [1, 2]
    assert words_of(terms_of(Page("p", text="tea")) or b"")[0] == [b"p", b"tea"]


@pytest.mark.parametrize(
    "data", [b"x", b"\0" * 9, zlib.compress(b"tea\0"), zlib.compress(b"a\0aaaa")]
)
def test_damaged_words_are_refused(data: bytes) -> None:
    with pytest.raises(GraphFormatError, match="graph's words are damaged"):
        words_of(data)


def test_damaged_words_do_not_fill_the_memory() -> None:
    with pytest.raises(GraphFormatError, match="graph's words are damaged"):
        words_of(zlib.compress(bytes([65]) * (1 << 26)))


def cosine(a: int, b: int, texts: list[str]) -> float:
    """TF·IDF by definition."""
    lists = [Counter(words(f"p{i} {text}") if text else ()) for i, text in enumerate(texts)]
    holding = [counts for counts in lists if counts]
    x, y = (
        {
            word: count * math.log(len(holding) / sum(word in other for other in holding))
            for word, count in lists[page].items()
        }
        for page in (a, b)
    )
    lengths = math.hypot(*x.values()) * math.hypot(*y.values())
    return sum(x[word] * y.get(word, 0) for word in x) / lengths if lengths else 0.0


texts = st.lists(
    st.lists(st.sampled_from(["tea", "coffee", "milk", "茶", "the", "x", "ß"]), max_size=6).map(
        " ".join
    ),
    min_size=2,
    max_size=8,
)


@given(texts)
def test_likeness_is_the_cosine_of_tf_idf(given_texts: list[str]) -> None:
    pages = [Page(f"p{i}", [f"p{i + 1}"], text=text) for i, text in enumerate(given_texts)]
    graph = Graph.from_pages(pages, text=True)
    if not any(given_texts):
        assert graph.store.column("terms") is None
        return
    terms = text_of(graph.store, "like")
    asked = np.array([0, 1], np.uint32)
    others = np.arange(len(given_texts), dtype=np.uint32)
    expected = [max(cosine(q, i, given_texts) for q in (0, 1)) for i in others.tolist()]
    assert terms.likeness(asked, others).tolist() == pytest.approx(expected, abs=1e-12)


def test_words_are_kept_on_disk_whatever_the_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [Page(f"p{i}", [f"p{i + 1}"], text=f"tea number {i % 7} of {i}") for i in range(9000)]
    whole = api.build(pages, tmp_path / "whole.graph", text=True)
    monkeypatch.setattr(columns, "PIECE", 1)
    pieces = api.build(pages, tmp_path / "pieces.graph", text=True)
    assert pieces.store.fingerprint == whole.store.fingerprint
    assert pieces.store.arrays["terms.counts"][0] == 9000
    asked, same, other = (np.array([pieces.page(name)]) for name in ("p7", "p14", "p15"))
    likeness = text_of(pieces.store, "like").likeness
    assert likeness(asked, same)[0] > 0.02 > likeness(asked, other)[0]


def test_a_graph_is_built_without_words_unless_asked() -> None:
    pages = [Page("a", ["b"], text="tea")]
    assert Graph.from_pages(pages).store.column("terms") is None
    assert Graph.from_pages(pages, text=True).store.column("terms") is not None


@given(st.lists(st.text("abc ", max_size=5), max_size=6), st.integers(0, 6))
def test_removed_pages_are_no_longer_counted(texts: list[str], went: int) -> None:
    vectors = [terms_of(Page("a", text=text)) or b"" for text in texts]
    counted = PageCounts()
    counted.add(vectors)
    left = PageCounts(counted.as_array())
    left.remove(vectors[:went])
    expected = PageCounts()
    expected.add(vectors[went:])
    assert left.as_array().tolist() == expected.as_array().tolist()


def test_counts_that_lack_a_word_are_refused() -> None:
    counts = PageCounts()
    counts.add([terms_of(Page("a", text="tea")) or b""])
    with pytest.raises(GraphFormatError, match="graph's words are damaged"):
        counts.remove([terms_of(Page("a", text="coffee")) or b""])
