"""A site's own links decide how much each signal of a missing link counts there."""

from __future__ import annotations

import numpy as np
import pytest

from whatsrelated.api import Graph
from whatsrelated.apps.gaps.calibration import (
    DEPTHS,
    GRID,
    CalibrationTrial,
    Formula,
    calibrate,
    choose,
    hold_out,
    spread,
)
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.apps.gaps.suggestions import Powers, Suggester
from whatsrelated.stream import Page


def wiki(pages: int, seed: int, *, mutual: bool) -> Graph:
    """A site of shelves: pages of a shelf link to each other, both ways where links are mutual."""
    random = np.random.default_rng(seed)
    links: list[list[int]] = [[] for _ in range(pages)]
    for page in range(pages):
        for other in random.integers(0, pages, 40).tolist():
            near = other % 12 == page % 12
            if other != page and (near or random.random() < 0.05):
                links[page].append(other)
                if mutual:
                    links[other].append(page)
    return Graph.from_pages(
        [
            Page(f"p{page:04}", [f"p{to:04}" for to in dict.fromkeys(links[page])])
            for page in range(pages)
        ]
    )


def pages_of(site: SiteStructure) -> np.ndarray:
    return np.flatnonzero(site.is_page)


def test_on_sites_with_mutual_links_linking_back_counts_more() -> None:
    powers = []
    for mutual in (False, True):
        site = SiteStructure(wiki(300, 1, mutual=mutual).store)
        powers.append(calibrate(site, pages_of(site)).powers)
    assert powers[1].back > powers[0].back


def test_the_same_site_has_the_same_formula() -> None:
    site = SiteStructure(wiki(160, 2, mutual=True).store)
    formula = calibrate(site, pages_of(site))
    assert formula != Formula()
    assert calibrate(SiteStructure(wiki(160, 2, mutual=True).store), pages_of(site)) == formula


def test_few_links_decide_nothing() -> None:
    site = SiteStructure(wiki(40, 3, mutual=False).store)
    home = Formula(Powers(0.25, 0.4, 0.0, 0.5), 1.0, 1.5)
    assert calibrate(site, pages_of(site), home) == home
    assert calibrate(site, np.empty(0, np.int64), home) == home


def test_a_score_is_the_share_of_links_that_were_true() -> None:
    site = SiteStructure(wiki(200, 4, mutual=True).store)
    formula = calibrate(site, pages_of(site))
    rest, gone = hold_out(site, 99)  # another draw
    suggester, n_pages = Suggester(rest, site.is_page), site.store.n_pages
    scores, true = [], []
    for page in pages_of(site).tolist():
        found = suggester.suggest(page)
        assert found is not None
        scores += formula.scores(found.signals()).tolist()
        true += np.isin(page * n_pages + found.targets.astype(np.int64), gone).tolist()
    first = np.argsort(-np.array(scores), kind="stable")[:500]
    assert np.array(scores)[first].mean() == pytest.approx(np.array(true)[first].mean(), abs=0.15)


def test_held_out_links_are_a_tenth_and_gone_from_both_directions() -> None:
    site = SiteStructure(wiki(200, 5, mutual=False).store)
    n_pages, whole = site.store.n_pages, site.store.links
    rest, gone = hold_out(site, 0)
    total = len(site.links[0])
    assert 0.07 < len(gone) / total < 0.13
    sources, targets = gone // n_pages, gone % n_pages
    for source, target in zip(sources.tolist()[:50], targets.tolist()[:50], strict=True):
        assert target in whole.row(source, False)
        assert target not in rest.row(source, False)
        assert source not in rest.row(target, True)
    for page in range(n_pages):
        left = set(whole.row(page, False).tolist()) - set(targets[sources == page].tolist())
        assert set(rest.row(page, False).tolist()) == left
        left = set(whole.row(page, True).tolist()) - set(sources[targets == page].tolist())
        assert set(rest.row(page, True).tolist()) == left
    assert hold_out(site, 1)[1].tolist() != gone.tolist()


def test_a_setting_is_worth_the_share_of_true_links_among_the_first() -> None:
    random = np.random.default_rng(6)
    trial = CalibrationTrial(random.normal(size=(1000, 5)), random.random(1000) < 0.3)
    for powers in GRID[::60]:
        z = trial.signals @ np.array([1.0, *powers])
        order = sorted(range(1000), key=lambda place: (-z[place], place))
        shares = [np.mean([trial.true[place] for place in order[:depth]]) for depth in DEPTHS]
        assert trial.precision(powers) == pytest.approx(np.mean(shares))
    few = CalibrationTrial(trial.signals[:20], trial.true[:20])
    assert few.precision(GRID[0]) == pytest.approx(few.true.mean())


def test_the_best_settings_are_averaged_and_near_ones_win_a_tie() -> None:
    home = Powers()
    same = choose(np.zeros(len(GRID)), home)
    assert np.abs(np.array(same) - np.array(home)).max() <= 0.25
    worth = np.zeros(len(GRID))
    best = [place for place, powers in enumerate(GRID) if powers.back == 0][:5]
    worth[best] = 1
    assert choose(worth, home) == pytest.approx(Powers(*np.mean([GRID[p] for p in best], axis=0)))


def test_many_pages_are_queried_evenly() -> None:
    assert spread(np.arange(10), 4).tolist() == [0, 2, 5, 7]
    assert spread(np.arange(3), 4).tolist() == [0, 1, 2]
