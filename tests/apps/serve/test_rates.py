"""How often a client may ask."""

from __future__ import annotations

from contextlib import suppress

import pytest
from starlette.exceptions import HTTPException

from tests.apps.serve import problem, serving
from tests.graphs import graph_of
from whatsrelated.apps.serve import rates
from whatsrelated.apps.serve.rates import Rates, client_of


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def admitted(limits: Rates, client: str, times: int) -> int:
    done = 0
    for _ in range(times):
        with suppress(HTTPException):
            limits.admit(client)
            done += 1
    return done


def test_twice_the_rate_at_once_then_the_rate() -> None:
    clock = Clock()
    limits = Rates(2, clock)
    assert admitted(limits, "anna", 10) == 4
    assert admitted(limits, "ben", 3) == 3
    clock.now = 1.5
    assert admitted(limits, "anna", 10) == 3
    clock.now = 100
    assert admitted(limits, "anna", 10) == 4


def test_a_low_rate_limit_says_when_to_retry() -> None:
    limits = Rates(0.1, Clock())
    limits.admit("anna")
    with pytest.raises(
        HTTPException, match=r"More than 0\.1 requests per second; try again in 10 s"
    ):
        limits.admit("anna")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MAX_CLIENTS", 3)
    limits = Rates(1, Clock())
    for client in "abcd":
        assert admitted(limits, client, 9) == 2
    assert len(limits._buckets) == 3
    assert admitted(limits, "d", 1) == 0
    assert admitted(limits, "a", 1) == 1


def test_a_server_limits_the_rate_but_never_of_health_checks() -> None:
    with serving(graph_of("a -> tea coffee", "b -> coffee tea"), rate=0.001) as client:
        assert client.get("/api/related?url=tea").status_code == 200
        refused = client.get("/api/related?url=tea")
        assert "requests per second" in problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 100
        assert client.get("/api/health").status_code == 200


def test_guessing_tokens_is_bounded_too() -> None:
    with serving(graph_of("a -> tea coffee"), token="open sesame", rate=0.001) as client:
        problem(client.get("/api/related?url=tea"), 401)
        problem(client.get("/api/related?url=tea"), 429)
        good = {"authorization": "Bearer open sesame"}
        assert client.get("/api/related?url=tea", headers=good).status_code == 200


def test_the_addresses_of_one_ipv6_network_are_one_client() -> None:
    addresses = ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "192.0.2.1")
    first, same, other, older = (
        client_of({"client": (address, 80), "token": None}) for address in addresses
    )
    assert first == same
    assert len({first, other, older}) == 3
