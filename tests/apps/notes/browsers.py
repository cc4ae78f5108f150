"""Real headless browsers, controlled over a WebSocket, and a small Web for them.

Chromium speaks the DevTools protocol and Firefox WebDriver BiDi; in both, a message and its
reply carry the same id.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import aiohttp

from tests.waiting import PATIENCE
from whatsrelated.apps import notes

EXTENSION = Path(notes.__path__[0], "browser")
GECKO_ID = "whatsrelated@whatsrelated.example"
GECKO_UUID = "11111111-2222-4333-8444-555555555555"


class FakeWeb(ThreadingHTTPServer):
    """A proxy that answers for every host itself; `asked` are the addresses that it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), _Answer)


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, FakeWeb)
        self.server.asked.append(self.path)
        body = f"<title>Page {self.path}</title>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self) -> None:
        self.send_error(403)

    def log_message(self, *words: object) -> None:
        pass


@contextlib.contextmanager
def fake_web() -> Iterator[FakeWeb]:
    with FakeWeb() as web:
        thread = threading.Thread(target=web.serve_forever)
        thread.start()
        try:
            yield web
        finally:
            web.shutdown()
            thread.join()


async def until(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    """Wait until the condition holds."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not await condition():
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"it did not come to that: {what}") from None


class Connection:
    """Messages to a browser, and their answers."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def read(self) -> None:
        async for message in self._socket:
            answer = json.loads(message.data)
            waiting = self._waiting.pop(answer.get("id"), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(answer)

    async def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        number = next(self._ids)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        to = {"sessionId": session} if session else {}
        await self._socket.send_json({"id": number, "method": method, "params": params, **to})
        async with asyncio.timeout(PATIENCE):
            answer = await future
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


@contextlib.asynccontextmanager
async def _running(
    command: list[str], folder: Path, address: Callable[[], str | None]
) -> AsyncIterator[Connection]:
    """A running browser; `address` is its WebSocket, once it listens."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    )
    try:

        async def listens() -> bool:
            assert process.poll() is None, f"{command[0]} has ended"
            return address() is not None

        await until(listens, f"{command[0]} listens")
        async with aiohttp.ClientSession() as session:
            found = address()
            assert found is not None
            async with session.ws_connect(found, max_msg_size=0) as socket:
                connection = Connection(socket)
                reading = asyncio.create_task(connection.read())
                yield connection
                reading.cancel()
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.asynccontextmanager
async def chromium(folder: Path, web: FakeWeb) -> AsyncIterator[Connection]:
    """Debian's Chromium with the extension."""
    command = [
        shutil.which("chromium") or "chromium",
        "--headless=new",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
        "--no-first-run",
        "--disable-gpu",
        "--remote-debugging-port=0",
        f"--user-data-dir={folder}",
        f"--proxy-server=http://127.0.0.1:{web.server_port}",
        f"--disable-extensions-except={EXTENSION}",
        f"--load-extension={EXTENSION}",
        "about:blank",
    ]

    def address() -> str | None:
        try:
            port, path = (folder / "DevToolsActivePort").read_text().split("\n")
        except (OSError, ValueError):
            return None
        return f"ws://127.0.0.1:{port}{path}"

    async with _running(command, folder, address) as connection:
        yield connection


@contextlib.asynccontextmanager
async def firefox(folder: Path, web: FakeWeb) -> AsyncIterator[Connection]:
    """Debian's Firefox ESR, with a session; system access is for pages of extensions."""
    port = web.server_port
    preferences = {
        "network.proxy.type": 1,
        "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": port,
        "network.proxy.ssl": "127.0.0.1",
        "network.proxy.ssl_port": port,
        "dom.security.https_first": False,
        "extensions.webextensions.uuids": json.dumps({GECKO_ID: GECKO_UUID}),
    }
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in preferences.items())
    (folder / "user.js").write_text("".join(lines))
    command = [
        shutil.which("firefox-esr") or "firefox-esr",
        *("--headless", "--no-remote", "--remote-debugging-port=0"),
        *("--remote-allow-system-access", "--profile", str(folder)),
    ]

    def address() -> str | None:
        try:
            found = json.loads((folder / "WebDriverBiDiServer.json").read_text())
        except (OSError, ValueError):
            return None
        return f"ws://{found['ws_host']}:{found['ws_port']}/session"

    async with _running(command, folder, address) as connection:
        await connection.send("session.new", capabilities={})
        yield connection
