"""Is the picture of an answer true and readable?  Measured in Chromium.

    python -m benchmarks.pictures GRAPH... [--queries 200] [--seed 7] [--limit 10] [--crowd 300]

For random pages of each graph that have at least three related pages, in the wide frame and in the
narrow one:

- *Spearman*: the lowest correlation of strength and nearness to the middle over all queries;
- *overlaps*, *clipped*: pairs of names that overlap by more than half a pixel, and names that reach
  out of the picture, as Chromium draws them, before any script has run;
- *names*: the share of pages whose name is written; the others have only their number.

Then the first picture is expanded to --crowd pages, and one of them is dragged for three seconds:
the table gives the frames per second that requestAnimationFrame counts, the longest pause between
two frames, the CPU time of a frame in all processes of the browser, and the time that the page's
thread works on it, which includes waiting for a core.  At 60 frames per second, a frame has 16.7
ms.

Last, the map of the graph: the CPU time of the server for the first request and for the next, and
that of the browser until the page is ready.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import hypot
from pathlib import Path
from time import process_time
from typing import Any
from urllib.parse import urlencode

import numpy as np

from tests.apps.serve import Client, serving
from tests.browser import chromium
from tests.waiting import PATIENCE
from whatsrelated.api import Graph, open
from whatsrelated.errors import RelatedError

FRAMES = {"wide": 1400, "narrow": 390}
NAMES = """svg => {
  const frame = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll(".label")].filter((text) => text.firstChild)
    .map((text) => text.getBoundingClientRect());
  const over = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)) > 0.5;
  const out = (a) => a.left < frame.left - 0.5 || a.top < frame.top - 0.5
    || a.right > frame.right + 0.5 || a.bottom > frame.bottom + 0.5;
  let overlaps = 0;
  boxes.forEach((a, place) => boxes.slice(place + 1).forEach((b) => { overlaps += over(a, b); }));
  return [overlaps, boxes.filter(out).length, boxes.length, svg.querySelectorAll(".node").length];
}"""
COUNT = """() => {
  window.frames_drawn = [];
  const count = (now) => { window.frames_drawn.push(now); requestAnimationFrame(count); };
  requestAnimationFrame(count);
}"""


def spearman(strengths: list[float], near: list[float]) -> float:
    """The rank correlation, with the mean rank for ties; 1 if either is constant in both."""

    def ranks(values: list[float]) -> Any:
        _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        return (np.cumsum(counts) - (counts - 1) / 2)[inverse.ravel()]

    one, other = ranks(strengths), ranks(near)
    if one.std() == 0 or other.std() == 0:
        return 1.0 if one.std() == other.std() else 0.0
    return float(np.corrcoef(one, other)[0, 1])


def queries(graph: Graph, count: int, seed: int) -> Iterator[str]:
    """Random pages with at least three results."""
    found = 0
    for page in np.random.default_rng(seed).permutation(len(graph)).tolist():
        url = graph.url(page)
        try:
            enough = len(graph.related(url, limit=3, chop=False)) == 3
        except RelatedError:
            continue
        if enough:
            yield url
            found += 1
        if found == count:
            return


def correlation(client: Client, address: str, frame: str) -> float:
    """Spearman's correlation of strength and nearness in one picture."""
    drawn = client.get(f"/api/picture?{address}&frame={frame}").json()
    middle = drawn["width"] / 2, drawn["height"] / 2
    results = [node for node in drawn["nodes"] if node["kind"] == "result"]
    near = [-round(hypot(node["x"] - middle[0], node["y"] - middle[1]), 1) for node in results]
    return spearman([node["strength"] for node in results], near)


def truth(client: Client, browser: Any, urls: list[str], limit: int) -> list[str]:
    """A row for each frame."""
    rows = []
    for frame, width in FRAMES.items():
        context = browser.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=False
        )
        page = context.new_page()
        worst, sums = 1.0, np.zeros(4, np.int64)
        for url in urls:
            address = urlencode({"url": url, "limit": limit})
            worst = min(worst, correlation(client, address, frame))
            page.goto(f"{client.base_url}?{address}")
            sums += np.array(page.locator(f".sheet-of.{frame} svg").evaluate(NAMES))
        overlaps, clipped, names, pages = sums.tolist()
        rows.append(f"{frame} | {worst:.3f} | {overlaps} | {clipped} | {names / pages:.1%}")
        context.close()
    return rows


def drag(client: Client, browser: Any, url: str, crowd: int) -> str:
    """Frames per second while a page of a crowded picture is dragged."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{client.base_url}?{urlencode({'url': url, 'limit': 20})}")
    nodes = page.locator(".sheet-of.wide .node")
    place = 1
    while nodes.count() < crowd and place < nodes.count():
        with page.expect_response("**/api/related**"):
            nodes.nth(place).dispatch_event("click")
        page.wait_for_timeout(150)
        place += 1
    shown = nodes.count()
    box = nodes.nth(1).locator("circle").bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    page.mouse.down()
    page.evaluate(COUNT)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before = task_time(session), browser_time(browser)
    for step in range(180):
        page.mouse.move(box["x"] + 120 * np.sin(step / 9), box["y"] + 120 * np.cos(step / 9))
        page.wait_for_timeout(16)
    at = np.array(page.evaluate("window.frames_drawn"))
    used = task_time(session) - before[0], browser_time(browser) - before[1]
    page.mouse.up()
    page.close()
    rate = 1000 * (len(at) - 1) / (at[-1] - at[0])
    thread, everything = (1000 * seconds / len(at) for seconds in used)
    return (
        f"{shown} pages dragged at {rate:.0f} frames/s, longest pause {np.diff(at).max():.0f} ms; "
        f"a frame takes {everything:.1f} ms of CPU in all processes, {thread:.1f} ms of the page's "
        "thread by the clock"
    )


def task_time(session: Any) -> float:
    """The time that the page's thread has worked, in seconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def browser_time(browser: Any) -> float:
    """The CPU time of all processes of the browser, in seconds."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(process["cpuTime"] for process in processes))


def show_map(client: Client, browser: Any) -> str:
    """The CPU time until the map is shown."""
    times = [process_time()]
    for _ in range(2):
        dots = client.get("/map").text.count("<circle class=")
        times.append(process_time())
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_default_timeout(PATIENCE * 1000)
    before = browser_time(browser)
    page.goto(f"{client.base_url}map")
    page.locator("#find").wait_for()
    used = browser_time(browser) - before
    page.close()
    first, again = np.diff(times)
    return (
        f"map of {dots:,} pages: {first:.2f} s of CPU on the server for the first request, "
        f"{again:.2f} s for the next; {used:.2f} s in the browser"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="+")
    for name, default in (("queries", 200), ("seed", 7), ("limit", 10), ("crowd", 300)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    with chromium() as browser:
        for name in options.graphs:
            graph = open(name)
            urls = list(queries(graph, options.queries, options.seed))
            with serving(graph if name == "sample" else Path(name)) as client:
                print(f"{name}: {len(urls)} queries | Spearman | overlaps | clipped | names")
                for row in truth(client, browser, urls, options.limit):
                    print(row, flush=True)
                print(drag(client, browser, urls[0], options.crowd), flush=True)
                print(show_map(client, browser), flush=True)


if __name__ == "__main__":
    main()
