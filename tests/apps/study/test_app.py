"""The server of a study: links that nobody can guess, forms that are checked, hosts that are known.

With RELATED_KILLS=50 the process that takes ratings is killed so many times.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.apps.study import GRAPH, own_plan, serving_study, small_plan, small_study
from tests.waiting import PATIENCE
from whatsrelated.apps.study.journal import Journal
from whatsrelated.apps.study.own import OwnPages
from whatsrelated.apps.study.pages import JudgesView

KILLS = int(os.environ.get("RELATED_KILLS", "3"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with small_study(tmp_path / "my.study", "ann", "bob") as journal:
        yield journal


@pytest.fixture
def client(journal: Journal) -> Iterator[httpx.Client]:
    with serving_study(journal, body=1) as client:
        yield client


@pytest.fixture
def home(journal: Journal) -> str:
    return f"/j/{journal.judges['ann'].token}"


def test_ratings_are_saved_and_the_next_page_follows(
    client: httpx.Client, journal: Journal, home: str
) -> None:
    view = JudgesView(journal, journal.judges["ann"])
    order = [page.url for page in view.pages(view.pools[0])]
    answer = client.post(f"{home}/1/2", data={"rating": "0"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{home}/1/1")
    assert journal.ratings == {("ann", "tea", order[1]): 0}
    answer = client.post(f"{home}/1", data={"r1": "1", "r2": "1", "r3": "-1", "r4": "0"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{home}/2")
    assert [journal.ratings["ann", "tea", url] for url in order] == [1, 1, -1, 0]
    answer = client.post(f"{home}/2", data={"r1": "1"}, headers={"accept": "application/json"})
    assert answer.json() == {"done": 5}
    assert "5</span> of 7 rated" in client.get(home).text


@pytest.mark.parametrize(
    ("path", "data", "status"),
    [
        ("/1", {"r9": "1"}, 400),
        ("/1", {"r1": "2"}, 400),
        ("/1", {"r1": "x"}, 400),
        ("/1", {"rating": "1"}, 400),
        ("/1", {f"r{n}": "1" for n in range(1, 20)}, 400),
        ("/1", {"r1": "1" * 2000}, 413),
        ("/3", {"r1": "1"}, 404),
        ("/0", {}, 404),
        ("/1/5", {"rating": "1"}, 404),
        ("/1/٣", {"rating": "1"}, 404),
        ("/1/1/1", {"rating": "1"}, 404),
    ],
)
def test_a_foreign_form_changes_nothing(
    client: httpx.Client, journal: Journal, home: str, path: str, data: dict, status: int
) -> None:
    before = journal.path.read_bytes()
    answer = client.post(home + path, data=data)
    assert answer.status_code == status, answer.text
    assert "Traceback" not in answer.text
    assert (journal.path.read_bytes(), journal.ratings) == (before, {})


def test_only_a_judges_own_link_opens_and_only_under_known_names(
    client: httpx.Client, journal: Journal, home: str
) -> None:
    token = journal.judges["ann"].token
    for path in ("/j/", f"/j/{token[:-1]}", f"/j/{token}x", f"/x/{token}", "/j/é", "/my.study"):
        assert client.get(path).status_code == 404, path
    assert token not in client.get("/").text
    assert journal.judges["bob"].token not in client.get(home).text
    assert client.get(home, headers={"host": "evil.example"}).status_code == 421
    assert client.put(home).status_code == 405
    wrong = client.post(f"{home}/1", json={"r1": 1})
    assert wrong.status_code == 415
    sent = client.get(home).headers
    assert sent["referrer-policy"] == "no-referrer"
    assert sent["cache-control"] == "no-store"
    assert "script-src 'self'" in sent["content-security-policy"]
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get(home).text)
    assert {file.partition("?")[0] for file in files} >= {"/static/study.css", "/static/study.js"}
    for file in files:
        assert client.get(file).status_code == 200


def test_pages_cannot_be_added_to_a_study_of_common_queries(
    client: httpx.Client, home: str
) -> None:
    assert "<textarea" not in client.get(home).text
    assert client.post(home, data={"pages": "tea\nmilk"}).status_code == 405


def test_judges_rate_only_the_pages_that_they_brought(tmp_path: Path) -> None:
    plan = own_plan()
    path = tmp_path / "own.study"
    with Journal.create(path, plan) as journal:
        journal.add_judges(["ann", "bob"])
        ann, bob = (f"/j/{journal.judges[name].token}" for name in ("ann", "bob"))
        with serving_study(journal, own_pages=OwnPages(GRAPH, plan)) as client:
            assert "Enter at least 2 URLs" in client.get(ann).text
            assert client.get(f"{ann}/1").status_code == 404
            one = client.post(ann, data={"pages": "tea"})
            assert one.status_code == 400
            assert "Enter at least 2 and at most 50 pages" in one.text
            unknown = client.post(ann, data={"pages": "tea\nbeer & wine"})
            assert unknown.status_code == 400
            assert "beer &amp; wine</textarea>" in unknown.text
            assert journal.own_queries == {}
            assert client.post(ann, data={"pages": "tea\r\n\r\nmilk\r\n"}).status_code == 303
            assert client.post(bob, data={"pages": "milk\ncup"}).status_code == 303
            assert client.post(bob, data={"pages": "cup"}).status_code == 303
            assert journal.own_queries == {"ann": ["tea", "milk"], "bob": ["milk", "cup"]}
            assert client.post(f"{bob}/1/1", data={"rating": "1"}).status_code == 303
            assert [query for _, query, _ in journal.ratings] == ["milk"]
            assert client.get(f"{bob}/3").status_code == 404
        before = journal.pools, journal.answers, journal.own_queries
    with Journal(path) as again:
        assert (again.pools, again.answers, again.own_queries) == before
        assert list(again.pools) == ["tea", "milk", "cup"]
        assert again.pools["tea"] == small_plan().pools[0]
        trials = [[trial.query for trial in own] for own in again.answers.values()]
        assert trials == [["tea", "milk", "cup"]] * 2


def test_a_full_disk_is_reported_to_the_judge(
    client: httpx.Client, journal: Journal, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("whatsrelated.apps.study.journal.os.fsync", fail)
    answer = client.post(f"{home}/1", data={"r1": "1"})
    assert answer.status_code == 503
    assert "could not be saved: No space left on device" in answer.text
    assert journal.ratings == {}


def test_confirmed_ratings_survive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "my.study"
    with small_study(path, "ann"):
        pass
    view = JudgesView(Journal(path, read_only=True), Journal(path, read_only=True).judges["ann"])
    pages = [page.url for page in view.pages(view.pools[0])]
    command = [sys.executable, "-m", "whatsrelated", "study", "--into", str(path), "--port", "0"]
    confirmed: dict[str, int] = {}
    for kill in range(KILLS):
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            link = re.search(r"http\S+", process.stdout.readline())
            assert link is not None
            for place, url in enumerate(pages, 1):
                rating = (kill + place) % 3 - 1
                answer = httpx.post(
                    f"{link[0]}/1/{place}", data={"rating": rating}, timeout=PATIENCE
                )
                assert answer.status_code == 303
                confirmed[url] = rating
                if place == 1 + kill % len(pages):
                    break
            process.send_signal(signal.SIGKILL)
        kept = Journal(path, read_only=True).ratings
        assert {page: rating for (_, _, page), rating in kept.items()} == confirmed
