"""A line for each request: client, path and duration; the query only on request."""

from __future__ import annotations

import json
import logging
import re

import pytest

from tests.apps.serve import serving
from tests.graphs import graph_of

GRAPH = graph_of("a -> tea coffee", "b -> coffee tea")
COMBINED = re.compile(
    r"127\.0\.0\.1 - (\S+) \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "
    r'"GET (\S+) HTTP/1\.1" (\d+) (\d+) "([^"]*)" "([^"]*)" (\S+) [0-9.]+ms'
)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "whatsrelated")
    logging.getLogger("whatsrelated.access").propagate = True
    return caplog


def told(caplog: pytest.LogCaptureFixture, name: str = "whatsrelated.access") -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == name]


def test_nothing_is_written_unless_requested(lines: pytest.LogCaptureFixture) -> None:
    with serving(GRAPH) as client:
        client.get("/api/related?url=tea")
    assert told(lines) == []


def test_combined_lines_have_no_query(lines: pytest.LogCaptureFixture) -> None:
    with serving(GRAPH, token="open sesame", access_log="combined") as client:
        good = {
            "authorization": "Bearer open sesame",
            "x-request-id": "mine-1",
            "user-agent": 'a "browser"',
        }
        answer = client.get("/api/related?url=tea", headers=good)
        assert answer.headers["x-request-id"] == "mine-1"
    (line,) = told(lines)
    matched = COMBINED.fullmatch(line)
    assert matched, line
    user, path, status, size, _, agent, request = matched.groups()
    assert (user, path, status, request) == ("token", "/api/related", "200", "mine-1")
    assert int(size) > 100
    assert agent == r"a \x22browser\x22"


def test_json_lines_include_the_query_on_request(lines: pytest.LogCaptureFixture) -> None:
    with serving(GRAPH, access_log="json", log_queries=True) as client:
        answer = client.get("/api/related?url=tea%0Acoffee", headers={"x-request-id": "no\tplain"})
        own = answer.headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{8}-1", own)
    (line,) = told(lines)
    entry = json.loads(line)
    assert entry["path"] == "/api/related?url=tea%0Acoffee"
    assert (entry["request"], entry["status"], entry["user"]) == (own, 404, None)
    assert entry["ms"] > 0


def test_every_refusal_has_a_line_that_nobody_can_break(lines: pytest.LogCaptureFixture) -> None:
    with serving(GRAPH, token="open sesame") as client:
        client.get("/api/related%0D%0AFAKE?url=secret", headers={"x-request-id": "r7"})
    (line,) = told(lines, "whatsrelated.apps.serve")
    assert line == (
        "Rejected with 401: GET /api/related%0D%0AFAKE from 127.0.0.1, token -, request r7"
    )
