"""The measures agree with their definitions, and with trec_eval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import measures as plain
from whatsrelated.apps.evaluate import measures

answers = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True)
golds = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.integers(-1, 3), min_size=1)


@given(answers, golds, st.integers(1, 12))
def test_measures_are_what_their_definitions_say(
    answer: list[str], gold: dict[str, float], at: int
) -> None:
    good = {page for page, rating in gold.items() if rating > 0}
    rated = [1.0 if page in good else 0.0 for page in answer]
    gains = {page: max(rating, 0) for page, rating in gold.items()}
    assert measures.precision(answer, gold, at) == plain.precision_at(at, [rated])
    assert measures.average_precision(answer, gold) == plain.average_precision(rated)
    assert measures.reciprocal_rank(answer, gold) == plain.reciprocal_rank(answer, good)
    assert measures.ndcg(answer, gold, at) == pytest.approx(plain.ndcg_at(at, answer, gains))
    if good:
        assert measures.capped_recall(answer, gold, at) == plain.recall_at(at, answer, good)
        expected = plain.map_over_gold(answer, good)
        assert measures.mean_precision(answer, gold) == pytest.approx(expected)
    else:
        assert (
            measures.capped_recall(answer, gold, at) == measures.mean_precision(answer, gold) == 0
        )


@given(answers, golds, st.integers(1, 12))
def test_measures_are_what_trec_eval_says(answer: list[str], gold: dict[str, int], at: int) -> None:
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    run = {"q": {page: -float(place) for place, page in enumerate(answer)}}
    computed = {
        str(one.measure): one.value
        for one in ir_measures.iter_calc([AP, RR, P @ at, R @ at, nDCG @ at], {"q": gold}, run)
    }
    if not answer:
        computed = dict.fromkeys(["AP", "RR", f"P@{at}", f"R@{at}", f"nDCG@{at}"], 0.0)
    related = measures.related_count(gold)
    assert measures.mean_precision(answer, gold) == pytest.approx(computed["AP"])
    assert measures.reciprocal_rank(answer, gold) == pytest.approx(computed["RR"])
    assert measures.precision(answer, gold, at) == pytest.approx(computed[f"P@{at}"])
    assert measures.ndcg(answer, gold, at) == pytest.approx(computed[f"nDCG@{at}"])
    # Ours is over as many pages as could be among the first.
    possible = max(min(at, related), 1)
    assert measures.capped_recall(answer, gold, at) * possible == pytest.approx(
        computed[f"R@{at}"] * related
    )
