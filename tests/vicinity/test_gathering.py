"""The pages around a question, and the graph of the links between them."""

from __future__ import annotations

import numpy as np

from tests.graphs import graph_of
from whatsrelated.contract.question import Question
from whatsrelated.vicinity.gathering import CHILD, COPARENT, PARENT, QUERY, SIBLING, Gathering

LINES = (
    "https://p.org/ -> https://a.org/ https://u.org/ https://b.org/",
    "https://u.org/ -> https://c.org/ https://u.org/in",
    "https://q.org/ -> https://c.org/",
)
STORE = graph_of(*LINES).store
NAMES = ("u.org", "p.org", "a.org", "b.org", "c.org", "q.org")
U, P, A, B, C, Q = (STORE.page(f"https://{name}/") for name in NAMES)


def pages(*listed: int) -> np.ndarray:
    return np.array(listed, np.uint32)


def gathered(stop: tuple[int, ...] = ()) -> Gathering:
    around = Gathering(Question.about(STORE, (U,), site="host", stop=pages(*stop)), 10)
    around.add(pages(U), QUERY)
    around.add(pages(P), PARENT)
    around.add_windows(U, pages(P), 2)
    around.add(pages(C), CHILD)
    around.add_best_parents(pages(C), 5)
    return around


def test_every_page_has_the_roles_in_which_it_came() -> None:
    vicinity = gathered().vicinity()
    roles = dict(zip(vicinity.pages.tolist(), vicinity.roles.tolist(), strict=True))
    assert roles == {
        U: QUERY | COPARENT,
        P: PARENT,
        A: SIBLING,
        B: SIBLING,
        C: CHILD,
        Q: COPARENT,
    }


def test_stop_pages_stay_out() -> None:
    assert A not in gathered(stop=(A,)).vicinity().pages


def test_the_links_are_those_between_gathered_pages_of_different_sites() -> None:
    vicinity = gathered().vicinity()
    place = {page: at for at, page in enumerate(vicinity.pages.tolist())}
    links = {
        (int(vicinity.pages[vicinity.sources(np.array([at]))[0]]), int(vicinity.pages[target]))
        for at, target in enumerate(vicinity.targets.tolist())
    }
    assert links == {(P, A), (P, U), (P, B), (U, C), (Q, C)}
    assert len(vicinity.links_to(place[C])) == 2
