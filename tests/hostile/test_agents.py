"""No call of a tool for agents, whatever its arguments, ends the server or goes unanswered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.agents import CALLS, NOTE_CALLS, Agents, graph_of_notes, message
from whatsrelated.apps.mcp.tools import TOOLS


def test_every_tool_is_attacked() -> None:
    assert {*CALLS, *NOTE_CALLS} == {tool.__name__ for tool in TOOLS}


@pytest.mark.parametrize("calls", [CALLS, NOTE_CALLS], ids=["graph", "notes"])
def test_no_mutated_call_of_an_agent_does_harm(
    calls: dict[str, dict[str, Any]], small_graph: Path, tmp_path: Path
) -> None:
    graph = small_graph if calls is CALLS else graph_of_notes(tmp_path)
    with Agents(graph, tmp_path, calls) as agents:
        for name, arguments in calls.items():
            call = message(1, "tools/call", {"name": name, "arguments": arguments})
            for reply in agents.replies(json.dumps(call).encode()):
                assert not reply["result"].get("isError"), reply
        wrong = [f"{what}: {fault}" for n in range(6) for what, fault in agents.faults(n) if fault]
    assert not wrong, "\n".join(wrong)
