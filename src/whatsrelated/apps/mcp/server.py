"""An MCP server that replies to every request, and never quotes untrusted text.

By default, the `mcp` package quotes pydantic's errors and the agent's input in its replies. It also
ignores lines of standard input that it cannot read, so the agent would wait forever.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from whatsrelated.apps.mcp.replies import error_lines
from whatsrelated.apps.mcp.tools import TOOLS, checked
from whatsrelated.errors import OptionError


class AgentServer(MCPServer[Any]):
    """The package's server, with our error messages."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        names = [tool.__name__ for tool in TOOLS]
        try:
            if name not in names:
                raise OptionError(f"No tool {name!r:.80}; the tools are {', '.join(names)}.")
            arguments = checked(name, arguments)
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except (ToolError, OptionError) as error:
            ours = not isinstance(error.__cause__, ValidationError)
            text = str(error) if ours else f"{name}: wrong arguments; see the tool's schema."
            text = text.removeprefix(f"Error executing tool {name}: ")
            raise ToolError(error_lines(text)) from None

    async def run_stdio_async(self) -> None:
        async def readable_lines() -> AsyncIterator[str]:
            stdin = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
            async for line in anyio.wrap_file(stdin):
                text = without_surrogates(line)
                try:
                    jsonrpc_message_adapter.validate_json(text, by_name=False)
                except ValidationError:
                    await write.send(SessionMessage(_unreadable(text)))
                else:
                    yield text

        low = self._lowlevel_server
        async with stdio_server(stdin=readable_lines()) as (read, write):  # type: ignore[arg-type]
            await low.run(read, write, low.create_initialization_options())


def without_surrogates(line: str) -> str:
    """A line of JSON with U+FFFD for each half of a surrogate pair, which pydantic rejects."""
    if "\\ud" in line.lower():
        with suppress(ValueError, RecursionError):
            text = json.dumps(json.loads(line), ensure_ascii=False)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return line


def _unreadable(line: str) -> JSONRPCError:
    """The reply to a line that is not a JSON-RPC message, with its id if it has one."""
    number = None
    with suppress(ValueError, RecursionError, AttributeError):
        number = json.loads(line).get("id")
    wrong = ErrorData(code=INVALID_REQUEST, message="This line is not a JSON-RPC 2.0 message.")
    known = isinstance(number, int | str) and not isinstance(number, bool)
    return JSONRPCError(jsonrpc="2.0", id=number if known else None, error=wrong)
