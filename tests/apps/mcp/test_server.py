"""Over the standard streams, every line gets a reply."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.cli.commands import RELATED
from tests.waiting import PATIENCE
from whatsrelated.apps.mcp.server import without_surrogates

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def request(number: int, method: str, **parameters: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})


def test_every_line_gets_a_reply() -> None:
    lines = [
        request(1, "initialize", **HELLO),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        request(2, "tools/call", name="links", arguments={"page": "\ud800"}),
        request(3, "tools/call", name="links\udfff", arguments={}),
        request(4, "tools/call", name="links", arguments={"page": "\0"}),
        '{"jsonrpc": "2.0", "id": 5, "method": 7}',
        "[" * 100_000,
        "not JSON",
        request(6, "tools/call", name="find_pages", arguments={"words": "times", "limit": 1}),
    ]
    with subprocess.Popen(
        [RELATED, "mcp", "sample"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        replies = []
        try:
            for line in lines:
                process.stdin.write(line + "\n")
                process.stdin.flush()
                if "notifications" not in line:
                    replies.append(json.loads(process.stdout.readline()))
            process.stdin.close()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
        assert "Traceback" not in process.stderr.read()
    assert [reply.get("id") for reply in replies] == [1, 2, 3, 4, 5, None, None, 6]
    assert all("\0" not in json.dumps(reply, ensure_ascii=False) for reply in replies)
    assert "1 to 1 of them" in replies[-1]["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (r'["\ud800"]', '["\ufffd"]'),
        (r'["\ud83d\ude00"]', '["\U0001f600"]'),
        (r'["\\ud800"]', r'["\\ud800"]'),
        (r'["\ud800', r'["\ud800'),
    ],
)
def test_half_a_surrogate_pair_is_replaced(line: str, expected: str) -> None:
    assert without_surrogates(line) == expected
