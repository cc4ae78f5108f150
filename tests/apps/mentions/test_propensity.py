"""Groups whose candidates are links more often than their words lead us to expect."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from tests.apps.mentions.sites import vault
from whatsrelated import build
from whatsrelated.apps.mentions.finder import MentionFinder, folder_of
from whatsrelated.apps.mentions.propensity import propensity


def test_a_group_with_more_links_than_expected_has_a_positive_feature() -> None:
    linked = np.array([0] * 12 + [1] * 3)
    groups = np.array([0, 0, 1, 1, 1, 1])
    expected = np.full(6, 1.0)
    features = propensity(linked, groups, expected)
    ratio = 16 / 7
    assert math.isclose(features[0], math.log((12 + 3 * ratio) / (1 + 3)) - math.log(ratio))
    assert math.isclose(features[2], math.log((3 + 3 * ratio) / (3 + 3)) - math.log(ratio))
    assert features[0] > 0 > features[2]


def test_a_group_without_evidence_has_a_feature_of_zero() -> None:
    assert propensity(np.zeros(0, np.int64), np.array([5]), np.array([0.5])) == [0.0]


def test_the_words_around_a_link_and_around_plain_words_are_the_same(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    vault(site)
    (site / "one.md").write_text("See [kettle](kettle.md), please.\n")
    (site / "two.md").write_text("See kettle, please.\n")
    with build([site], tmp_path / "graph") as graph:
        reader = MentionFinder(graph.store, folder_of(graph.store)).reader
        mentions, page = reader.finder.mentions, graph.page
        rows = np.flatnonzero(np.isin(mentions.pages, [page("one.md"), page("two.md")]))
        assert len(rows) == 2
        first, second = reader.surroundings.of(rows).tolist()
    assert first == second
