"""The state of a crawl: all of a step or nothing, and one crawl at a time."""

from __future__ import annotations

import pytest

from whatsrelated.apps.crawl.frontier import Frontier
from whatsrelated.errors import ReadError


@pytest.fixture
def frontier(tmp_path):
    made = Frontier(tmp_path / "x.crawl")
    yield made
    made.close()


def test_pages_come_by_depth_each_once(frontier):
    for url, depth in [("c", 2), ("a", 0), ("b", 1), ("a", 5)]:
        frontier.add(url, "h", depth)
    seen = []
    while (page := frontier.next_page("h")) is not None:
        seen.append((page.url, page.depth))
        frontier.finish(page, "done")
    assert seen == [("a", 0), ("b", 1), ("c", 2)]
    assert frontier.counts() == {"done": 3}
    assert frontier.waiting_hosts() == []


def test_a_step_that_fails_leaves_nothing(frontier):
    def step():
        with frontier:
            frontier.add("a", "h", 0)
            frontier.remember(size=9)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        step()
    assert frontier.counts() == {}
    assert frontier.fact("size") == 0


def test_patterns_are_counted_up_to_a_bound(frontier):
    assert [frontier.counted("p", 2) for _ in range(3)] == [True, True, False]


def test_a_second_crawl_is_refused_with_one_sentence(frontier):
    with pytest.raises(ReadError, match="in use by another crawl"):
        Frontier(frontier.path)


def test_a_file_that_is_not_a_state_is_one_sentence(tmp_path):
    (tmp_path / "x.crawl").write_bytes(b"tea and milk" * 99)
    with pytest.raises(ReadError, match="not the state of a crawl"):
        Frontier(tmp_path / "x.crawl")


def test_a_later_visit_asks_for_everything_but_what_was_refused(frontier):
    for url, state in [("a", "done"), ("b", "failed"), ("c", "refused")]:
        frontier.add(url, "h", 0)
        frontier.finish(frontier.next_page("h"), state, reason="x")
    assert frontier.reasons() == {"x": (2, ["b"])}
    frontier.visit_again()
    assert frontier.counts() == {"queued": 2, "refused": 1}
