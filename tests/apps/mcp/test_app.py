"""The protocol, with the client of the package itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from mcp import Client

import whatsrelated as wr
from tests.waiting import PATIENCE
from whatsrelated import Graph, Page, sample
from whatsrelated.apps.mcp.app import Guarded, mcp_server
from whatsrelated.apps.mcp.replies import tokens
from whatsrelated.apps.mcp.tools import TOOLS
from whatsrelated.apps.serve.settings import Settings
from whatsrelated.apps.serve.tokens import one_token
from whatsrelated.names.display import harmless

PAPER = "https://www.nytimes.com/"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may need more than the 20 seconds of a call."""
    for module in ("app", "tools"):
        monkeypatch.setattr(f"whatsrelated.apps.mcp.{module}.SECONDS", float(PATIENCE))


def with_client(ask: Callable[[Client], Awaitable[Any]], graph: Any = None) -> Any:
    """What a server for the sample Web tells its client."""
    whole = Graph.from_pages(sample.pages())

    async def talk() -> Any:
        async with Client(mcp_server(graph or (lambda: whole))) as client:
            return await ask(client)

    return asyncio.run(talk())


def test_the_tools_only_read_and_their_schemas_are_short() -> None:
    tools = with_client(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == [tool.__name__ for tool in TOOLS]
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert not any(tool.annotations.destructive_hint for tool in tools)
    sent = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    text = json.dumps(sent, separators=(",", ":"))
    assert tokens(text) < 3400, tokens(text)
    assert len(text.encode()) / 4 < 1600


def test_every_parameter_has_a_sentence_and_its_bounds() -> None:
    tools = {tool.name: tool for tool in with_client(lambda client: client.list_tools()).tools}
    for tool in tools.values():
        assert all(each["description"] for each in tool.input_schema["properties"].values())
        assert tool.input_schema["additionalProperties"] is False
    related = tools["related"].input_schema
    assert related["required"] == ["pages"]
    limit = {"type": "integer", "minimum": 1, "maximum": 50, "default": 10}
    assert related["properties"]["limit"] == {**limit, "description": "maximum number of pages"}
    assert related["properties"]["by"]["enum"][:2] == ["blend", "cocitation"]
    assert tools["links"].input_schema["properties"]["way"]["enum"] == ["in", "out", "both"]


def test_a_call_is_answered_and_an_error_is_its_sentence() -> None:
    async def ask(client: Client) -> list[Any]:
        return [
            await client.call_tool("related", {"pages": PAPER, "limit": 2}),
            await client.call_tool("related", {"pages": ["www.nytimez.com"]}),
            await client.call_tool("links", {"page": PAPER, "limit": 51}),
            await client.call_tool("compare", {"page": PAPER, "by": ["lli", "magic"]}),
        ]

    answer, unknown, limit, method = with_client(ask)
    assert not answer.is_error
    assert answer.content[0].text.startswith(f"2 pages related to {PAPER}")
    assert all(each.is_error for each in (unknown, limit, method))
    assert f"the nearest is {PAPER}" in unknown.content[0].text
    assert "limit must be at least 1 and at most 50, got 51" in limit.content[0].text
    assert "compare: by must be one of blend, cocitation" in method.content[0].text


def test_other_exceptions_reveal_nothing() -> None:
    def broken() -> Graph:
        raise RuntimeError("secret")

    told = with_client(lambda client: client.call_tool("related", {"pages": PAPER}), broken)
    assert told.is_error
    assert "secret" not in told.content[0].text


HOSTILE = "a\x00\x1b[2J\u202e\u2066\u200f\U000e0049\U000e0067\n"
NOTES = [f"Note\u202e\U000e0049{letter}" for letter in "abcdef"]
NOTE, OTHER = NOTES[:2]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "related": {"pages": NOTE, "limit": 3, "by": "cocitation", "new": False, "other_site": False},
    "why": {"page": NOTE, "result": OTHER, "by": "cocitation"},
    "links": {"page": NOTE, "way": "in", "limit": 3, "skip": 1},
    "path": {"start": NOTE, "end": OTHER, "way": "either", "limit": 3},
    "find_pages": {"words": "T", "limit": 3, "skip": 0},
    "gaps": {"limit": 3, "pages": "*Note*", "seconds": None},
    "missing_links": {"limit": 3, "pages": "*Note*", "seconds": None},
    "mentions": {"page": NOTE, "limit": 3, "seconds": None},
    "compare": {"page": NOTE, "by": ["cocitation", "companion"], "limit": 3},
}
VALUES: list[Any] = [
    *(None, True, -1, 0, 2**70, 1e300, "", " ", "[", '{"a": 1}', HOSTILE, "a" * 100_000, "*" * 999),
    *([], [HOSTILE], [[]], {}, {"a": {}}, ["x"] * 1000, "http://[", "\\", "%00", "null", "3"),
]


@pytest.fixture(scope="module")
def hostile() -> Graph:
    return Graph.from_pages(Page(note, NOTES[:5], title=f"T {HOSTILE}{note[-1]}") for note in NOTES)


def is_harmless(text: str) -> bool:
    return all(harmless(each) == each for each in text.split("\n"))


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_every_wrong_argument_gets_a_short_harmless_reply(
    tool: str, hostile: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    right = ARGUMENTS[tool]
    cases = [{**right, name: value} for name in right for value in VALUES]
    cases += [{name: right[name] for name in right if name != left} for left in right]
    cases += [{**right, HOSTILE: 1}, {}]

    async def ask(client: Client) -> list[Any]:
        return [await client.call_tool(tool, case) for case in cases]

    assert list(ARGUMENTS) == [each.__name__ for each in TOOLS]
    for case, reply in zip(cases, with_client(ask, lambda: hostile), strict=True):
        (content,) = reply.content
        assert is_harmless(content.text), case
        assert len(content.text) < 20_000, case
        assert "pydantic" not in content.text, case
        assert "validation error" not in content.text, case
        assert content.text != f"Error executing tool {tool}", case
    assert "Traceback" not in caplog.text


def test_wrong_arguments_and_unknown_tools_get_our_sentences() -> None:
    async def ask(client: Client) -> list[str]:
        calls: list[tuple[str, Any]] = [
            ("links", {}),
            ("links", {"page": PAPER, "limit": "many\0"}),
            ("links", {"page": PAPER, "limt": 3}),
            ("links", {"page": "zzzz"}),
            (f"no{HOSTILE}", {}),
        ]
        return [(await client.call_tool(*call)).content[0].text for call in calls]

    missing, wrong, misspelt, absent, unknown = with_client(ask)
    assert missing == "links: page is missing; add page=, URL, name, title or file path."
    assert wrong == "links: limit must be at least 1 and at most 50, got 'many\\x00'."
    assert misspelt.startswith("links has no option 'limt'; did you mean limit? It has: page, ")
    assert absent.startswith("No page zzzz in ")
    assert absent.endswith("\nfind_pages finds pages by words in their URL or title.")
    assert unknown.startswith("No tool 'noa")
    assert "; the tools are related, why, links, path, find_pages, gaps, " in unknown
    assert is_harmless(unknown)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """The same pages as notes, whose text mentions another one."""
    root = tmp_path_factory.mktemp("notes")
    for note, next_note in pairwise([*NOTES, NOTES[0]]):
        text = f"A [{next_note[-1]} T]({next_note}.md) {HOSTILE} is like {NOTE} and T{HOSTILE}.\n"
        (root / f"{note}.md").write_text(f"# T {HOSTILE[:-1]}{note[-1]}\n\n{text}")
    with wr.build([root], root.with_suffix(".graph")) as graph:
        yield graph


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_no_character_of_a_title_or_name_hides_or_turns_text(
    tool: str, hostile: Graph, folder: Graph
) -> None:
    graph = folder if tool in ("missing_links", "mentions") else hostile
    reply = with_client(lambda client: client.call_tool(tool, ARGUMENTS[tool]), lambda: graph)
    assert not reply.is_error, reply.content[0].text
    assert is_harmless(reply.content[0].text)


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_every_tool_has_a_deadline(
    tool: str, hostile: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.apps.mcp.app.SECONDS", -1.0)
    reply = with_client(lambda client: client.call_tool(tool, ARGUMENTS[tool]), lambda: hostile)
    assert reply.is_error
    assert "time" in reply.content[0].text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:8767", "authorization": "Bearer open-sesame"}, 200),
        ({"host": "127.0.0.1:8767", "authorization": "Bearer wrong-token"}, 401),
        ({"host": "127.0.0.1:8767"}, 401),
        ({"host": "evil.example", "authorization": "Bearer open-sesame"}, 421),
        (
            {
                "host": "localhost",
                "authorization": "Bearer open-sesame",
                "origin": "https://evil.example",
            },
            403,
        ),
    ],
)
def test_only_local_programs_with_the_token_are_admitted(
    headers: dict[str, str], status: int
) -> None:
    sent: list[Any] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    guarded = Guarded(inner, Settings(), one_token("open-sesame"))
    asyncio.run(guarded(scope, None, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == status
