"""A web page of another server, in a real browser, gets no answer and causes no work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.apps.serve import Client, serving
from tests.browser import chromium
from tests.graphs import graph_of
from tests.waiting import PATIENCE

pytestmark = pytest.mark.needs_system("chromium")

FORGE = """
async ([target]) => {
  const asked = target + "api/related?url=tea", found = {};
  const post = (type) => ({method: "POST", mode: "no-cors", body: '{"url": ["tea"]}',
                           headers: {"content-type": type}});
  const tries = {
    fetch: () => fetch(asked).then((answer) => answer.text()),
    credentials: () => fetch(asked, {credentials: "include"}).then((answer) => answer.text()),
    opaque: () => fetch(asked, {mode: "no-cors"}).then((answer) => answer.type + answer.status),
    post: () => fetch(target + "api/related", {...post("application/json"), mode: "cors"}),
    plain: () => fetch(target + "api/related", post("text/plain")).then((answer) => answer.type),
    beacon: async () => String(navigator.sendBeacon(target + "api/related", '{"url": ["tea"]}')),
  };
  for (const [name, attempt] of Object.entries(tries)) {
    found[name] = await attempt().then(String, () => "refused");
  }
  const loaded = (kind, attributes) => new Promise((done) => {
    const element = Object.assign(document.createElement(kind), attributes);
    element.onload = () => done("loaded");
    element.onerror = () => done("refused");
    document.body.append(element);
  });
  found.img = await loaded("img", {src: target + "api/picture?url=tea"});
  found.script = await loaded("script", {src: asked});
  found.style = await loaded("link", {rel: "stylesheet", href: asked});
  const frame = document.createElement("iframe");
  frame.name = "frame";
  document.body.append(frame);
  for (const method of ["get", "post"]) {
    const form = Object.assign(document.createElement("form"),
                               {action: asked, method, target: "frame", enctype: "text/plain"});
    form.append(Object.assign(document.createElement("input"), {name: "url", value: "tea"}));
    document.body.append(form);
    await new Promise((done) => { frame.onload = done; form.submit(); });
    try { found[method] = frame.contentDocument.body.innerText; } catch { found[method] = ""; }
    found[method] ||= "refused";
  }
  return found;
}
"""


@contextmanager
def another_server() -> Iterator[int]:
    """The port of a server that has an empty page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>free tea</title><body>")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def answered(client: Client) -> list[str]:
    """The routes that were answered with status 200, besides the metrics themselves."""
    lines = client.get("/metrics").text.splitlines()
    counted = [line for line in lines if "requests_total{" in line and 'status="200"' in line]
    return [line for line in counted if "/metrics" not in line and not line.endswith(" 0")]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_of_another_server_gets_nothing_through_a_browser(name: str) -> None:
    graph = graph_of("a -> tea coffee", "b -> coffee tea")
    with another_server() as port, serving(graph) as client, chromium() as browser:
        page: Any = browser.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(f"http://{name}:{port}/")
        found = page.evaluate(FORGE, [str(client.base_url)])
        assert found.pop("opaque") in ("refused", "opaque0")
        assert found.pop("plain") in ("refused", "opaque")
        assert found.pop("beacon") in ("true", "refused")  # sent, and answered with an error
        assert set(found.values()) == {"refused"}, found
        assert answered(client) == []
        own = browser.new_page()
        own.goto(f"{client.base_url}?url=tea")
        assert "coffee" in own.content()
        assert answered(client) != []
