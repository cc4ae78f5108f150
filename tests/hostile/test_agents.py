"""No call of a tool for agents, whatever its arguments, ends the server or goes unanswered."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hostile.agents import CALLS, Agents, message
from whatsrelated.apps.mcp.tools import TOOLS


def test_no_mutated_call_of_an_agent_does_harm(small_graph: Path, tmp_path: Path) -> None:
    assert list(CALLS) == [tool.__name__ for tool in TOOLS]
    with Agents(small_graph, tmp_path) as agents:
        for name, arguments in CALLS.items():
            call = message(1, "tools/call", {"name": name, "arguments": arguments})
            for reply in agents.replies(json.dumps(call).encode()):
                assert not reply["result"].get("isError"), reply
        wrong = [f"{what}: {fault}" for n in range(6) for what, fault in agents.faults(n) if fault]
    assert not wrong, "\n".join(wrong)
