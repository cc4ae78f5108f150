"""`related mcp`: agents use both transports, each in its own process."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.cli.commands import RELATED
from tests.waiting import PATIENCE

PAPER = "https://www.nytimes.com/"
TOKEN = "open-sesame-42"


def stdio(tmp_path: Path, *words: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=str(RELATED),
        args=["mcp", *words],
        cwd=tmp_path,
        env={"XDG_CACHE_HOME": str(tmp_path / "cache")},
    )


def test_an_agent_asks_on_the_standard_streams(tmp_path: Path) -> None:
    async def ask() -> Any:
        async with Client(stdio(tmp_path, "sample"), read_timeout_seconds=PATIENCE) as client:
            return await client.call_tool("related", {"pages": PAPER, "limit": 2})

    answer = asyncio.run(ask())
    assert answer.content[0].text.startswith(f"2 pages related to {PAPER}, by blend:\n1. https://")


def test_a_folder_of_notes_is_followed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Tea.md").write_text("[[Milk]]")

    async def ask() -> None:
        async with Client(stdio(tmp_path, "notes"), read_timeout_seconds=PATIENCE) as client:
            answer = await client.call_tool("links", {"page": str(notes / "Tea.md"), "way": "out"})
            assert answer.content[0].text.endswith("\nMilk")
            (notes / "Tea.md").write_text("[[Milk]] [[Sugar]]")
            async with asyncio.timeout(PATIENCE):
                while not answer.content[0].text.endswith("\nSugar"):
                    answer = await client.call_tool("links", {"page": "Tea", "way": "out"})

    asyncio.run(ask())


def test_an_agent_asks_over_http_with_the_token() -> None:
    process = subprocess.Popen(
        [RELATED, "mcp", "sample", "--http", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "RELATED_TOKEN": TOKEN},
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()

    async def ask(token: str) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await client.call_tool("find_pages", {"words": "new york times", "limit": 1})

    try:
        assert address.endswith("/mcp")
        answer = asyncio.run(ask(TOKEN))
        assert PAPER in answer.content[0].text
        with pytest.raises(Exception):  # noqa: B017, PT011 -- whatever the client makes of 401
            asyncio.run(ask("another-token"))
    finally:
        process.terminate()
        with process:
            assert process.wait(PATIENCE) == 143, "128 + SIGTERM, as for every verb"


def test_others_are_admitted_only_with_a_token() -> None:
    done = subprocess.run(
        [RELATED, "mcp", "sample", "--http", "--host", "0.0.0.0"],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "RELATED_TOKEN"},
        check=False,
    )
    assert done.returncode == 2
    assert "mcp: other machines can reach 0.0.0.0, so set a token" in done.stderr
