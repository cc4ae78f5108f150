"""A query is put to a method, and what it answers, costs or gets wrong is recorded."""

from __future__ import annotations

from tests.graphs import graph_of
from whatsrelated.apps.evaluate.contenders import Contender
from whatsrelated.apps.evaluate.trials import ask, linked_pages, unlinked_gold
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.methods.cpa import Cpa

GRAPH = graph_of("p -> u v w", "q -> u w", "u -> w")
CPA = Contender("cpa", Cpa())


def test_a_trial_has_the_answer_and_what_it_read() -> None:
    trial = ask(GRAPH, CPA, "u")
    assert (trial.urls, trial.error) == (("w", "v"), "")
    assert (trial.pages, trial.links) == (5, 5)
    assert ask(GRAPH, CPA, "p").urls == ()


def test_cocitation_counts_its_siblings_and_those_cocited_twice() -> None:
    trial = ask(GRAPH, Contender("cocitation", Cocitation()), "u")
    assert (trial.siblings, trial.cocited) == (2, 1)


def test_pages_already_linked_count_neither_as_gold_nor_as_answers() -> None:
    assert linked_pages(GRAPH, "u") == {"w"}
    golds = {"u": {"w": 1.0, "v": 1.0}, "q": {"w": 1.0}}
    assert unlinked_gold(GRAPH, golds) == {"u": {"v": 1.0}}
    assert ask(GRAPH, CPA, "u", limit=1, unlinked=True).urls == ("v",)


def test_options_of_the_request_reach_the_method() -> None:
    limited = Contender("cpa", Cpa(), (("only", "v"),))
    assert ask(GRAPH, limited, "u").urls == ("v",)


def test_a_failure_is_recorded_with_its_error() -> None:
    trial = ask(GRAPH, CPA, "nowhere")
    assert "No page nowhere" in trial.error
    assert trial.urls == ()
