"""The extension in real browsers: the panel follows the tab, and asks this machine alone."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.apps.notes.browsers import (
    EXTENSION,
    GECKO_UUID,
    Connection,
    FakeWeb,
    chromium,
    fake_web,
    firefox,
    until,
)
from tests.apps.serve import Client, serving
from tests.graphs import graph_of

TEA, COFFEE, PRIVATE = "http://tea.example/", "http://coffee.example/", "http://private.example/"
TOKEN = "open-sesame-42"
ANSWER = re.compile(
    r"coffee\.example/.*the only two pages that link to “[^”]+”, also link to", re.S
)
SIDE_PANEL = "chrome-extension://[a-z]+/panel.html"


@pytest.fixture
def web() -> Iterator[FakeWeb]:
    with fake_web() as served:
        yield served


class Asked:
    """A server with a token, and the pages requested from it."""

    def __init__(self, client: Client) -> None:
        self.address = str(client.base_url).rstrip("/")
        self.pages: list[str] = []
        admit = client.server.admit

        def remember(path: str, scope: Any, headers: Any) -> None:
            if path == "/api/related":
                self.pages += parse_qs(scope["query_string"].decode()).get("url", [])
            admit(path, scope, headers)

        client.server.admit = remember  # type: ignore[method-assign]


@pytest.fixture
def server() -> Iterator[Asked]:
    graph = graph_of(
        f"http://anna.example/ -> {TEA} {COFFEE}",
        f"http://ben.example/ -> {COFFEE} {TEA} {PRIVATE}",
    )
    with serving(graph, token=TOKEN) as client:
        yield Asked(client)


def test_the_manifest_asks_for_no_more_than_it_needs() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text())
    assert manifest["manifest_version"] == 3
    assert set(manifest["permissions"]) == {"sidePanel", "storage", "tabs"}
    assert manifest["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    assert manifest["incognito"] == "not_allowed"
    named = json.dumps(manifest) + "".join(p.read_text() for p in EXTENSION.glob("*.[hj][ts]*"))
    files = set(re.findall(r"[\w-]+\.(?:js|html|css|png|svg)\b", named))
    assert files == {path.name for path in EXTENSION.iterdir()} - {"manifest.json"}
    assert "innerHTML" not in named
    assert "eval(" not in named


class ChromiumPage:
    """A page of Chromium, by its target."""

    def __init__(self, browser: Connection, session: str) -> None:
        self.browser, self.session = browser, session

    @classmethod
    async def attach(cls, browser: Connection, target: dict[str, str]) -> ChromiumPage:
        attached = await browser.send(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        return cls(browser, attached["sessionId"])

    async def run(self, code: str) -> Any:
        told = await self.browser.send(
            "Runtime.evaluate",
            self.session,
            expression=code,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        return told["result"].get("value")

    async def visit(self, url: str) -> None:
        await self.browser.send("Page.navigate", self.session, url=url)

    async def has(self, condition: str) -> None:
        async def there() -> bool:
            return await self.run(condition) is True

        await until(there, condition)

    async def shows(self, expected: str | re.Pattern[str]) -> None:
        async def there() -> bool:
            return re.search(expected, await self.run("document.body.innerText") or "") is not None

        await until(there, f"{expected} is shown")


async def target_of(browser: Connection, url: str) -> dict[str, str]:
    """The target with that address, once there is one."""
    found: list[dict[str, str]] = []

    async def there() -> bool:
        targets = (await browser.send("Target.getTargets"))["targetInfos"]
        found[:] = [one for one in targets if re.fullmatch(url, one["url"])]
        return bool(found)

    await until(there, f"{url} is open")
    return found[0]


async def set_options(page: ChromiumPage, server: str, token: str) -> None:
    await page.run(
        f"document.getElementById('server').value = {json.dumps(server)};"
        f"document.getElementById('token').value = {json.dumps(token)};"
        "document.getElementById('said').textContent = '';"
        "document.querySelector('form').requestSubmit()"
    )


@pytest.mark.needs_system("chromium")
def test_the_side_panel_of_chromium_follows_the_tab(
    tmp_path: Path, web: FakeWeb, server: Asked
) -> None:
    async def talk() -> None:
        async with chromium(tmp_path, web) as browser:
            tab = await ChromiumPage.attach(browser, await target_of(browser, "about:blank"))
            worker = await target_of(browser, "chrome-extension://[a-z]+/background.js")
            url = worker["url"].replace("background.js", "options.html")
            options = await ChromiumPage.attach(
                browser, await browser.send("Target.createTarget", url=url)
            )
            await options.has(
                "document.getElementById('server')?.value === 'http://127.0.0.1:8765'"
            )
            await set_options(options, "https://evil.example/", "")
            await options.shows("evil.example/ is not on this machine; enter an address such as")
            await set_options(options, "http://127.0.0.1:9", "")
            await options.shows("Saved")
            await options.run("document.getElementById('panel').click()")
            panel = await ChromiumPage.attach(browser, await target_of(browser, SIDE_PANEL))
            await panel.shows("Open a web page to see its related pages here")

            await browser.send("Page.bringToFront", tab.session)
            await tab.visit(TEA + "#leaves")
            await panel.shows("No server answers at http://127.0.0.1:9: start it with")
            await set_options(options, server.address + "/", "")
            await panel.shows("The server needs a token: enter it in the options")
            await set_options(options, server.address, TOKEN)
            await panel.shows(ANSWER)
            await panel.shows(f"Related to Page {TEA}")
            await tab.visit("http://unknown.example/")
            await panel.shows("No page http://unknown.example/ in this graph; the nearest is")
            await tab.visit(TEA)
            await panel.shows(ANSWER)
            await panel.run(f"document.querySelector('a[href=\"{COFFEE}\"]').click()")
            await panel.shows(f"Related to Page {COFFEE}")
            await tab.shows("^$")
            assert await tab.run("location.href") == COFFEE

            private = (await browser.send("Target.createBrowserContext"))["browserContextId"]
            await browser.send("Target.createTarget", url=PRIVATE, browserContextId=private)

            async def fetched() -> bool:
                return PRIVATE in web.asked

            await until(fetched, "the private tab is loaded")
            told = await panel.run(f"pageOf({{incognito: true, url: '{PRIVATE}'}}).why")
            assert told == "This tab is private, so nothing is looked up."
            await tab.visit(TEA)
            await panel.shows(f"Related to Page {TEA}")

    asyncio.run(talk())
    assert set(server.pages) == {TEA, COFFEE, "http://unknown.example/"}
    pages = [url for url in web.asked if ".example/" in url and "favicon" not in url]
    assert pages == [TEA, "http://unknown.example/", TEA, COFFEE, PRIVATE, TEA]


@pytest.mark.needs_system("firefox-esr")
def test_the_sidebar_of_firefox_follows_the_tab(
    tmp_path: Path, web: FakeWeb, server: Asked
) -> None:
    async def talk() -> None:
        async with firefox(tmp_path, web) as browser:

            async def visit(context: str, url: str) -> None:
                await browser.send(
                    "browsingContext.navigate", context=context, url=url, wait="complete"
                )

            async def run(code: str) -> Any:
                told = await browser.send(
                    "script.evaluate",
                    target={"context": options},
                    awaitPromise=True,
                    expression=code,
                )
                return told["result"].get("value")

            async def sidebar_shows(expected: str | re.Pattern[str]) -> None:
                async def there() -> bool:
                    text = await run(
                        "browser.extension.getViews({type: 'sidebar'})"
                        ".map((view) => view.document.body.innerText).join()"
                    )
                    return re.search(expected, text or "") is not None

                await until(there, f"the sidebar shows {expected}")

            tab = (await browser.send("browsingContext.getTree"))["contexts"][0]["context"]
            await browser.send(
                "webExtension.install", extensionData={"type": "path", "path": str(EXTENSION)}
            )
            made = await browser.send("browsingContext.create", type="tab", background=True)
            options = made["context"]
            await visit(options, f"moz-extension://{GECKO_UUID}/options.html")
            values = json.dumps({"server": server.address, "token": TOKEN})
            await run(f"browser.storage.local.set({values})")
            await visit(tab, TEA)
            await sidebar_shows(ANSWER)
            await visit(tab, COFFEE)
            await sidebar_shows(f"Related to Page {COFFEE}")
            granted = json.loads(await run("browser.permissions.getAll().then(JSON.stringify)"))
            assert sorted(granted["origins"]) == ["http://127.0.0.1/*", "http://localhost/*"]

    asyncio.run(talk())
    assert set(server.pages) == {TEA, COFFEE}
