"""An experiment is a value; run, it measures its contenders on a graph."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference import measures
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.experiment import Experiment
from whatsrelated.apps.evaluate.gold import GoldFile, Judgments
from whatsrelated.apps.evaluate.held_out import HeldOutLinks
from whatsrelated.errors import OptionError, PageNotFound, ReadError

GRAPH = graph_of("p -> u v w", "q -> u w", "u -> w")
GOLD = Judgments({"u": {"w": 1.0, "v": 1.0}, "q": {"w": 1.0}})


def test_an_experiment_measures_every_contender_on_every_query() -> None:
    findings = Experiment(GOLD, contenders("cpa,cocitation")).run(GRAPH, name="web.graph")
    assert findings.outcome.labels == ["cpa", "cocitation"]
    assert [trial.query for trial in findings.outcome.answers["cpa"]] == ["q", "u"]
    assert findings.outcome.mean("cpa", "capped_recall", findings.outcome.groups[0]) == 0.5
    assert findings.about["graph"] == {"name": "web.graph", "pages": 5, "links": 6}
    assert {(test.x, test.y) for test in findings.tests} == {
        ("cpa", "cocitation"),
        ("cocitation", "cpa"),
    }


def test_linked_pages_are_left_out_if_the_gold_or_the_experiment_says_so() -> None:
    assert not Experiment(GOLD).leaves_out_linked
    assert Experiment(HeldOutLinks(0.1)).leaves_out_linked
    assert not Experiment(HeldOutLinks(0.1), unlinked=False).leaves_out_linked
    outcome = Experiment(GOLD, contenders("cpa"), unlinked=True).run(GRAPH).outcome
    assert outcome.golds == {"u": {"v": 1.0}}
    assert outcome.answers["cpa"][0].urls == ("v",)
    with pytest.raises(ReadError, match="leave out --unlinked"):
        Experiment(Judgments({"q": {"w": 1.0}}), contenders("cpa"), unlinked=True).run(GRAPH)


def test_a_query_whose_answers_are_all_rated_0_counts() -> None:
    rated = Judgments({"u": {"w": 1.0, "v": 0.0}, "v": {"u": 0.0, "w": -1.0}})
    for unlinked, found in ((False, 1 / 10), (True, 0)):
        outcome = Experiment(rated, contenders("cpa"), unlinked=unlinked).run(GRAPH).outcome
        assert list(outcome.golds) == (["v"] if unlinked else ["u", "v"])
        group = outcome.groups[0]
        assert outcome.precision_at("cpa", group)[9] == found / len(outcome.golds)
        assert outcome.mean("cpa", "precision", group) == found / len(outcome.golds)
        assert outcome.unopened("cpa") == 1
    only = Experiment(rated, contenders("cpa"), least=1).run(GRAPH).outcome
    assert list(only.golds) == ["u"]


def test_a_rating_of_a_page_outside_the_graph_counts_if_a_run_has_it(tmp_path: Path) -> None:
    run, gold = tmp_path / "run.tsv", tmp_path / "gold.tsv"
    run.write_text("u\t1\tfar\nu\t2\tgone\nu\t3\toff\n")
    gold.write_text("u\tw\t1\nu\tfar\t1\nu\toff\t-1\nu\tnobody\t1\n")
    outcome = Experiment(GoldFile(gold), contenders("cpa"), [str(run)]).run(GRAPH).outcome
    assert outcome.golds == {"u": {"w": 1.0, "far": 1.0, "off": -1.0}}
    assert outcome.scores["run"]["u"].precision == 1 / 10
    assert outcome.unopened("run") == 2


def test_a_query_whose_rated_pages_are_all_outside_the_graph_counts(tmp_path: Path) -> None:
    run, gold = tmp_path / "run.tsv", tmp_path / "gold.tsv"
    run.write_text("u\t1\tw\nv\t1\tfar\n")
    gold.write_text("u\tw\t1\nv\tfar\t1\n")
    outcome = Experiment(GoldFile(gold), contenders("cpa"), [str(run)]).run(GRAPH).outcome
    assert outcome.golds == {"u": {"w": 1.0}, "v": {"far": 1.0}}
    assert outcome.mean("run", "precision", outcome.groups[0]) == 1 / 10
    assert outcome.scores["cpa"]["v"].precision == 0


PAGES = st.sampled_from(["p", "q", "w", "far", "off"])


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("uvx"), PAGES), st.sampled_from([1, 0, -1]), min_size=1
    ),
    st.dictionaries(st.sampled_from("uv"), st.lists(PAGES, min_size=1, unique=True), min_size=1),
)
def test_every_rated_query_of_the_graph_counts_in_the_measures(
    ratings: dict[tuple[str, str], int], answers: dict[str, list[str]]
) -> None:
    # The graph has u, v, p, q and w.
    rated = sorted({query for query, _ in ratings} - {"x"})
    assume(any(query in answers for query in rated))
    with TemporaryDirectory() as folder:
        gold, run = Path(folder) / "gold.tsv", Path(folder) / "run.tsv"
        gold.write_text("".join(f"{q}\t{page}\t{n}\n" for (q, page), n in ratings.items()))
        run.write_text(
            "".join(f"{q}\t{at}\t{p}\n" for q in answers for at, p in enumerate(answers[q], 1))
        )
        outcome = Experiment(GoldFile(gold), contenders("cpa"), [str(run)]).run(GRAPH).outcome
    assert list(outcome.golds) == rated
    found = [[ratings.get((query, page), 0) for page in answers.get(query, [])] for query in rated]
    assert outcome.precision_at("run", outcome.groups[0]) == pytest.approx(
        [measures.precision_at(r, found) for r in range(1, 11)]
    )
    for query, rating in zip(rated, found, strict=True):
        score = outcome.scores["run"][query].average_precision
        assert score == pytest.approx(measures.average_precision(rating))


def test_gold_is_reported_before_any_query() -> None:
    calls: list[str] = []
    Experiment(GOLD, contenders("cpa"), least=2).run(
        GRAPH,
        progress=lambda what, done, of: calls.append(f"{what} {done} of {of}"),
        on_gold=lambda all_, drawn: calls.append(f"{len(drawn.queries)} of {len(all_.queries)}"),
    )
    assert calls == ["1 of 2", "asking 1 of 1"]


def test_equal_experiments_are_equal_and_say_what_they_are() -> None:
    one, other = (Experiment(HeldOutLinks(0.1), contenders("lli(gap=0.3)")) for _ in range(2))
    assert one == other
    assert "HeldOutLinks(share=0.1)" in repr(one)


def test_lli_is_shown_only_on_request() -> None:
    assert Experiment(GOLD, contenders("cpa")).run(GRAPH).latent == ()
    shown = Experiment(GOLD, contenders("cpa"), latent=True).run(GRAPH).latent
    assert {one.query for one in shown} == {"u"}


def test_lli_is_shown_with_the_options_of_its_contenders() -> None:
    graph = graph_of("p -> u v w", "q -> u w x", "r -> u v x", "s -> u v y", "t -> u y")
    gold = Judgments({"u": {"w": 1.0}})
    named = contenders("lli(rank=1),lli(rank=2, parents=3),cpa")
    shown = Experiment(gold, named, look_at=["u"]).run(graph).latent
    assert [(one.method, one.k) for one in shown] == [
        ("lli(rank=1)", 1),
        ("lli(rank=2, parents=3)", 2),
    ]
    assert [one.r for one in shown] == [4, 3]


def test_unmeasurable_runs_are_rejected() -> None:
    with pytest.raises(OptionError, match="name at least one method"):
        Experiment(GOLD).run(GRAPH)
    with pytest.raises(OptionError, match="'lli' is not among the methods measured: cpa"):
        Experiment(GOLD, contenders("cpa"), unanswered_by="lli").run(GRAPH)
    with pytest.raises(PageNotFound):
        Experiment(GOLD, contenders("cpa"), look_at=["nowhere"]).run(GRAPH)
