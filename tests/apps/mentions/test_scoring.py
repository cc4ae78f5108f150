"""The weights of the features that tell whether a mention is a link."""

from __future__ import annotations

import numpy as np
import pytest

from whatsrelated.apps.mentions.scoring import STRENGTH, USUAL, fit, probability


@pytest.mark.parametrize("seed", range(6))
def test_weights_are_fitted_even_if_the_usual_ones_are_far_off(seed: int) -> None:
    random = np.random.default_rng(seed)
    features = np.ones((400, len(USUAL)))
    features[:, 1:] = random.normal(scale=20, size=(400, len(USUAL) - 1))
    linked = random.random(400) < 0.1
    usual = USUAL + random.normal(scale=30, size=len(USUAL))
    weights = fit(features, linked, usual)
    doubt = STRENGTH * np.maximum(features.std(axis=0), 0.05) ** 2
    doubt[0] = 0.05 * STRENGTH
    slope = features.T @ (linked - probability(features, weights)) - doubt * (weights - usual)
    assert np.abs(slope).max() < 1e-3


def test_a_site_without_candidates_keeps_the_usual_weights() -> None:
    nothing = np.empty((0, len(USUAL)))
    assert fit(nothing, np.empty(0, bool)) is USUAL
