"""The papers' methods on graphs small enough to work by hand."""

from __future__ import annotations

from math import sqrt

import networkx as nx
import numpy as np
import pytest

from tests.reference.chopping import chopped, shorter
from tests.reference.cocitation import cocitation, enough
from tests.reference.companion import companion
from tests.reference.extended_cocitation import extended_cocitation
from tests.reference.hits import hits
from tests.reference.lli import chosen_rank, lli
from tests.reference.plain_graph import PlainGraph

TWENTY = [f"http://t{i}.org/" for i in range(20)]


def test_cocitation_counts_on_the_page_or_in_the_window() -> None:
    graph = PlainGraph(
        {
            "p": ["far", "x1", "x2", "near", "u", "y1", "y2"],
            "q": ["u", "near"],
            "r": ["far", "z"],
            "s": ["far", "u"],
        }
    )
    page = cocitation(graph, "u", siblings=2)
    assert page == {"near": 2, "y1": 1, "far": 2}
    assert cocitation(graph, "u", siblings=2, count="window") == {"near": 2, "y1": 1, "far": 1}


def test_chopping_climbs_to_the_first_page_whose_answer_is_enough() -> None:
    assert list(shorter("http://h.org/a/b/c.html?q=1")) == [
        "http://h.org/a/b/c.html",
        "http://h.org/a/b/",
        "http://h.org/a/",
        "http://h.org/",
    ]
    graph = PlainGraph(
        {
            "http://p.org/": ["http://h.org/a/b", "http://x.org/"],
            "http://q.org/": ["http://h.org/", "http://x.org/", "http://h.org/a/b/c.html"],
            "http://r.org/": ["http://h.org/", "http://x.org/"],
        }
    )

    def demand(scores: dict[str, float]) -> bool:
        return enough(scores, siblings=1, shared=2)

    asked = "http://h.org/a/b/c.html"
    answer = chopped(graph, asked, lambda u: cocitation(graph, u), demand)
    assert answer == ("http://h.org/", {"http://x.org/": 2})
    missing = chopped(graph, "http://h.org/a/b/d.html", lambda u: cocitation(graph, u))
    assert missing == ("http://h.org/a/b", {"http://x.org/": 1})


def test_companion_weighs_a_host_once_however_many_of_its_pages_link() -> None:
    graph = PlainGraph(
        {
            "http://farm.org/1": ["http://u.org/", "http://spam.org/"],
            "http://farm.org/2": ["http://u.org/", "http://spam.org/"],
            "http://farm.org/3": ["http://u.org/", "http://spam.org/"],
            "http://p.org/": ["http://u.org/", "http://good.org/"],
            "http://q.org/": ["http://u.org/", "http://good.org/"],
        }
    )
    weighted = companion(graph, "http://u.org/").scores
    plain = companion(graph, "http://u.org/", weights=False).scores
    assert graph.ordered_list(weighted) == ["http://good.org/", "http://spam.org/"]
    assert graph.ordered_list(plain) == ["http://spam.org/", "http://good.org/"]
    # By symmetry h1 = h2 = h3 and hp = hq, so A is an eigenvector of a 3 x 3 matrix
    # over (u, spam, good): each farm page has hub u + spam and authority weight 1/3.
    block = np.array([[3.0, 1.0, 2.0], [1.0, 1.0, 0.0], [2.0, 0.0, 2.0]])
    vector = np.linalg.eigh(block)[1][:, -1]
    vector = np.abs(vector)
    assert weighted["http://spam.org/"] == pytest.approx(vector[1], abs=1e-8)
    assert weighted["http://good.org/"] == pytest.approx(vector[2], abs=1e-8)


def test_companion_leaves_out_links_inside_a_site_and_counts_a_mirror_once() -> None:
    links = {
        "http://m1.org/": ["http://u.org/", *TWENTY],
        "http://m2.org/": ["http://u.org/", *TWENTY],
        "http://m3.org/": ["http://u.org/", *TWENTY[:-1]],
        "http://p.org/": ["http://u.org/", "http://v.org/"],
        "http://q.org/": ["http://u.org/", "http://v.org/", "http://q.org/in"],
    }
    graph = PlainGraph(links)
    found = companion(graph, "http://u.org/")
    assert graph.ordered_list(found.scores)[0] == "http://v.org/"
    assert found.merged["http://m2.org/"] == found.merged["http://m3.org/"] == "http://m1.org/"
    assert "http://q.org/in" in found.nodes
    assert "http://q.org/in" not in found.scores
    unmerged = companion(graph, "http://u.org/", merge=False)
    assert graph.ordered_list(unmerged.scores)[0] == "http://t0.org/"


def test_companion_joins_the_vicinities_of_several_pages() -> None:
    graph = PlainGraph({"p": ["u", "a"], "q": ["v", "a", "b"], "u": ["c"], "x": ["c"]})
    found = companion(graph, ["u", "v"])
    assert found.nodes == {"u", "v", "p", "q", "a", "b", "c", "x"}
    # Two links to c alone are a weaker component, and die out.
    assert set(found.scores) == {"a", "b"}


def test_hits_agrees_with_networkx_on_its_vicinity() -> None:
    links = {
        "p": ["u", "a", "b"],
        "q": ["u", "a"],
        "x": ["p", "u", "c"],
        "y": ["q", "a", "d"],
        "u": ["e", "a"],
    }
    graph = PlainGraph(links)
    scores = hits(graph, "u")
    whole = nx.DiGraph([(p, q) for p in links for q in links[p] if q != "d"])
    # y links to a parent and is in; d is only y's child and stays out.
    _, authorities = nx.hits(whole, tol=1e-13)
    best = max(v for k, v in authorities.items() if k != "u")
    for page, score in scores.items():
        assert score / max(scores.values()) == pytest.approx(authorities[page] / best, abs=1e-7)
    assert "d" not in scores
    assert graph.ordered_list(scores)[0] == "a"


def test_three_parents_on_one_site_give_a_back_cocitation_degree_of_one() -> None:
    children = ["http://c1.org/", "http://c2.org/", "http://c3.org/"]
    links = {f"http://s.org/{i}": ["http://u.org/", *children] for i in range(3)}
    links["http://other.org/"] = ["http://u.org/", "http://c1.org/"]
    graph = PlainGraph(links)
    found = extended_cocitation(graph, "http://u.org/")
    assert found.back == {"http://c1.org/": 2, "http://c2.org/": 1, "http://c3.org/": 1}
    assert extended_cocitation(graph, "http://u.org/", site="page").back["http://c2.org/"] == 3


def test_extended_cocitation_looks_forward_past_pages_like_the_query() -> None:
    graph = PlainGraph(
        {
            "http://u.org/": ["http://a.org/", "http://b.org/", "http://b.org/2"],
            "http://u.org/twin": ["http://a.org/", "http://b.org/"],
            "http://v.org/": ["http://a.org/", "http://b.org/", "http://b.org/2"],
            "http://w.org/": ["http://b.org/"],
            "http://p.org/": ["http://u.org/", "http://w.org/"],
        }
    )
    found = extended_cocitation(graph, "http://u.org/")
    assert found.forward == {"http://v.org/": 2, "http://w.org/": 1}
    assert found.back == {"http://w.org/": 1}
    assert found.ties["http://w.org/"] == 2
    assert graph.ordered_list(found.scores, found.ties) == ["http://v.org/", "http://w.org/"]
    assert set(extended_cocitation(graph, "http://u.org/", threshold=2).scores) == {"http://v.org/"}


def test_the_rank_of_lli_stops_at_the_first_gap_from_two_on() -> None:
    assert chosen_rank(np.array([9.0, 4.0, 1.9, 1.8]), 0.5) == 2
    assert chosen_rank(np.array([9.0, 4.0, 3.0, 1.5, 1.4]), 0.5) == 3
    assert chosen_rank(np.array([9.0, 4.0, 3.0]), 0.5) == 3
    assert chosen_rank(np.array([9.0]), 0.5) == 1
    assert chosen_rank(np.array([9.0, 1.0]), 0.5) == 2


def test_lli_similarities_by_hand_on_two_parents() -> None:
    # A = [[1, 1], [1, 0]] (a, b) is of full rank: R = A V and u' = 1 V S, so
    # R.u' = A V S V^T 1 = A (A^T A)^(1/2) 1, with (A^T A)^(1/2) = [[3, 1], [1, 2]] / sqrt 5.
    graph = PlainGraph({"p": ["u", "a", "b"], "q": ["u", "a"]})
    found = lli(graph, "u").back
    query = np.array([4.0, 3.0]) / sqrt(5)
    expected = {
        "a": query.sum() / (sqrt(2) * np.linalg.norm(query)),
        "b": query[0] / np.linalg.norm(query),
    }
    assert found.similarity == pytest.approx(expected, abs=1e-12)
    assert (found.k, found.r) == (2, 2)
    assert found.bcp == {"a": 1.0, "b": 0.5}
    assert sorted(found.bd) == [0.5, 1.0]
    assert found.dd == pytest.approx({"a": 0.0, "b": 1 - 1 / 1.5})


def test_lli_joins_its_halves_by_reciprocal_places() -> None:
    graph = PlainGraph(
        {"p": ["u", "a", "b"], "q": ["u", "a"], "u": ["c", "d"], "b": ["c", "d"], "e": ["d"]}
    )
    found = lli(graph, "u")
    assert graph.ordered_list(found.back.similarity)[0] == "a"
    assert graph.ordered_list(found.forward.similarity)[0] == "b"
    assert found.scores["b"] == pytest.approx(1 / 62 + 1 / 61)
    assert graph.ordered_list(found.scores) == ["b", "a", "e"]
