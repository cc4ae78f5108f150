"""The similarity of texts by their definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import hypot, log

from tests.reference.plain_graph import Scores
from whatsrelated.graph.terms import words

Weights = dict[str, float]


def text_weights(texts: Mapping[str, str]) -> dict[str, Weights]:
    """The TF·IDF weights of the words that two pages have, as multiples of 1 / 65535."""
    counts = {page: Counter(words(f"{page} {text}")) for page, text in texts.items() if text}
    pages_with = Counter(word for counted in counts.values() for word in counted)
    weights = {}
    for page, counted in counts.items():
        raw = {word: count * log(len(counts) / pages_with[word]) for word, count in counted.items()}
        length = hypot(*raw.values()) or 1.0
        shared = {word: weight for word, weight in raw.items() if pages_with[word] > 1}
        weights[page] = {
            word: round(weight / length * 65535) / 65535 for word, weight in shared.items()
        }
    return weights


def text_similarities(query: str, texts: Mapping[str, str]) -> Scores:
    """The similarity of every other page's text to the query's."""
    weights = text_weights(texts)
    own = weights.get(query, {})
    return {
        page: sum(own.get(word, 0.0) * weight for word, weight in theirs.items())
        for page, theirs in weights.items()
        if page != query
    }
