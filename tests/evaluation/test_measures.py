"""The measures and tests agree with their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import measures as plain
from whatsrelated.evaluation import measures, significance

answers = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True)
golds = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.integers(-1, 3), min_size=1)
numbers = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=3, max_size=30)


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
        assert measures.recall(answer, gold, at) == plain.recall_at(at, answer, good)
        expected = plain.map_over_gold(answer, good)
        assert measures.mean_precision(answer, gold) == pytest.approx(expected)
    else:
        assert measures.recall(answer, gold, at) == measures.mean_precision(answer, gold) == 0


@given(numbers, numbers)
def test_tests_are_what_their_definitions_say(x: list[float], y: list[float]) -> None:
    length = min(len(x), len(y))
    x, y = x[:length], y[:length]
    assert significance.sign_test(x, y) == pytest.approx(plain.sign_test(x, y))
    assert significance.cliffs_delta(x, y) == pytest.approx(plain.cliffs_delta(x, y))
    if len({*x, *y}) > 1:
        assert significance.rank_sum_test(x, y) == pytest.approx(plain.rank_sum_test(x, y))
    else:
        assert significance.rank_sum_test(x, y) == 1


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_what_its_definition_says(p_values: list[float]) -> None:
    assert significance.holm(p_values) == plain.holm(p_values)


@given(answers, golds, st.integers(1, 12))
def test_measures_are_what_trec_eval_says(answer: list[str], gold: dict[str, int], at: int) -> None:
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    run = {"q": {page: -float(place) for place, page in enumerate(answer)}}
    told = {
        str(one.measure): one.value
        for one in ir_measures.iter_calc([AP, RR, P @ at, R @ at, nDCG @ at], {"q": gold}, run)
    }
    if not answer:
        told = dict.fromkeys(["AP", "RR", f"P@{at}", f"R@{at}", f"nDCG@{at}"], 0.0)
    related = measures.related(gold)
    assert measures.mean_precision(answer, gold) == pytest.approx(told["AP"])
    assert measures.reciprocal_rank(answer, gold) == pytest.approx(told["RR"])
    assert measures.precision(answer, gold, at) == pytest.approx(told[f"P@{at}"])
    assert measures.ndcg(answer, gold, at) == pytest.approx(told[f"nDCG@{at}"])
    # Ours is over as many pages as could be among the first.
    possible = max(min(at, related), 1)
    assert measures.recall(answer, gold, at) * possible == pytest.approx(told[f"R@{at}"] * related)
