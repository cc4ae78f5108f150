"""The state of a crawl: all of a step or nothing, and one crawl at a time."""

from __future__ import annotations

import random
import sqlite3

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


def state_with_pages(path):
    state = Frontier(path)
    with state:
        for number in range(60):
            state.add(f"https://a.example/{number}", "a.example", number % 3)
        state.keep_robots("a.example", 200, b"User-agent: *", 1.5)
        state.counted("p", 9)
        state.remember(size=9, pages=3, bytes=1000)
    state.close()


def use(path):
    """Read all that a crawl reads, with values of the right types."""
    state = Frontier(path)
    try:
        for host in state.waiting_hosts():
            while (page := state.next_page(host)) is not None:
                assert [type(value) for value in page] == [int, str, str, int, int, str, int] + [
                    str
                ] * 4
                state.finish(page, "done")
            robots = state.robots(host)
            assert robots is None or [type(value) for value in robots] == [int, bytes, float]
        assert 0 <= int(state.fact("size")) <= 10**15
        return state.counts(), state.starts(), state.reasons(), state.counted("p", 9)
    finally:
        state.close()


def test_a_damaged_state_is_read_or_refused_with_one_sentence(tmp_path):
    state_with_pages(tmp_path / "good.crawl")
    good = (tmp_path / "good.crawl").read_bytes()
    path = tmp_path / "x.crawl"
    chance = random.Random(34)
    refused = 0
    for _ in range(300):
        bad = bytearray(good)
        for _ in range(chance.choice([1, 4, 40])):
            start = chance.choice([0, chance.randrange(len(bad))])
            bad[min(start + chance.randrange(120), len(bad) - 1)] = chance.randrange(256)
        if chance.random() < 0.1:
            del bad[chance.randrange(1, len(bad)) :]
        path.write_bytes(bad)
        for suffix in ("-wal", "-shm", "-journal"):
            leftover = path.with_name(path.name + suffix)
            leftover.unlink(missing_ok=True)
            if chance.random() < 0.1:
                leftover.write_bytes(chance.randbytes(5000))
        try:
            use(path)
        except ReadError as error:
            assert "\n" not in str(error)  # noqa: PT017 -- either outcome is right
            refused += 1
    assert 0 < refused < 300


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE pages SET depth = 'deep'",
        "UPDATE pages SET url = x'00ff' WHERE id = 7",
        "UPDATE robots SET time = 'soon'",
        "UPDATE facts SET value = 9e999",
        "UPDATE facts SET value = -1",
        "DROP TABLE robots",
        "CREATE TRIGGER t AFTER UPDATE ON pages BEGIN DELETE FROM pages; END",
    ],
)
def test_a_crafted_state_is_refused(tmp_path, statement):
    path = tmp_path / "x.crawl"
    state_with_pages(path)
    base = sqlite3.connect(path)
    base.execute(statement)
    base.commit()
    base.close()
    with pytest.raises(ReadError, match="damaged or not the state of a crawl; remove it"):
        Frontier(path)


def test_a_later_visit_fetches_everything_except_rejected_pages(frontier):
    for url, state in [("a", "done"), ("b", "failed"), ("c", "refused")]:
        frontier.add(url, "h", 0)
        frontier.finish(frontier.next_page("h"), state, reason="x")
    assert frontier.reasons() == {"x": (2, ["b"])}
    frontier.visit_again()
    assert frontier.counts() == {"queued": 2, "refused": 1}
