"""The non-principal eigenvectors of HITS: against NumPy's, and where a page has two meanings."""

from __future__ import annotations

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.methods import eigenvectors


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


# Six pages link to u: three with a and b, two with c and d, one with a and c.
LINES = (
    *(f"$p{i}.org/ -> $u.org/ $a.org/ $b.org/" for i in range(3)),
    *(f"$q{i}.org/ -> $u.org/ $c.org/ $d.org/" for i in range(2)),
    "$r.org/ -> $u.org/ $a.org/ $c.org/",
)


@pytest.mark.parametrize("dense", [True, False])
def test_the_second_eigenvector_has_a_meaning_at_each_end(
    dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not dense:
        monkeypatch.setattr(eigenvectors, "DENSE", 0)
    graph = web(*LINES)
    rows = [[1, 1, 1, 0, 0]] * 3 + [[1, 0, 0, 1, 1]] * 2 + [[1, 1, 0, 1, 0]]
    values, vectors = np.linalg.eigh(np.array(rows).T @ np.array(rows))
    vector = dict(zip("uabcd", vectors[:, np.argsort(-values)[1]], strict=True))
    if max(vector.values(), key=abs) < 0:
        vector = {page: -value for page, value in vector.items()}
    for other_end in (False, True):
        answer = graph.related("https://u.org/", by="hits", vector=2, other_end=other_end)
        sign = -1 if other_end else 1
        expected = {
            f"https://{page}.org/": sign * value
            for page, value in vector.items()
            if sign * value > 1e-9 and page != "u"
        }
        assert {r.url: r.score for r in answer} == pytest.approx(expected, abs=1e-9)
        assert {r.url[8] for r in answer} in ({"a", "b"}, {"c", "d"})
        assert answer[0].evidence["hubs"]


def test_a_missing_or_ambiguous_vector_is_named() -> None:
    graph = web(*LINES)
    beyond = graph.related("https://u.org/", by="hits", vector=9)
    assert len(beyond) == 0
    assert "have 3 eigenvectors, not 9" in beyond.notes[-1]
    even = web("$p.org/ -> $u.org/ $a.org/", "$u.org/ -> $b.org/", "$q.org/ -> $c.org/ $p.org/")
    notes = even.related("https://u.org/", by="hits", vector=2).notes
    assert any("same eigenvalue" in note for note in notes)
