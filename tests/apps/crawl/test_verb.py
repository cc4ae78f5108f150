"""`related crawl`: killed at any moment it goes on, and a site is the graph of its folder.

A few kills and a part of the documentation are in the suite; $RELATED_KILLS=50 makes as many,
and crawls all of it.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

import whatsrelated as wr
from tests.apps.crawl import SmallWeb, linked
from tests.cli.commands import related

KILLS = int(os.environ.get("RELATED_KILLS", "3"))
PYTHON_DOC = Path("/usr/share/doc/python3-doc/html")


def words(small: SmallWeb, *more: str) -> list[str]:
    bounds = ("--depth", "100000", "--per-pattern", "100000")
    return ["crawl", *more, "--delay", "0", "--resolve", "*=127.0.0.1", *bounds]


def test_a_crawl_becomes_a_graph(tmp_path: Path) -> None:
    small = SmallWeb({"a.test/": linked("/x", "http://b.test/"), "a.test/x": linked("/")})
    with small.served():
        done = related(*words(small, small.url("a.test")), cwd=tmp_path)
    assert done.stdout == "web.graph: 3 pages, 3 links\n"
    assert "web.warc.gz: 2 pages, 0.0 MB fetched" in done.stderr
    assert (tmp_path / "web.crawl").is_file()


def test_a_crawl_takes_the_options_of_a_build(tmp_path: Path) -> None:
    small = SmallWeb({"a.test/": linked("/x", "http://b.test/") + "tea", "a.test/x": linked("/")})
    (tmp_path / "related.toml").write_text('[crawl]\nstore = "packed"\n')
    with small.served():
        start = small.url("a.test")
        done = related(*words(small, start, "--text", "--least-parents", "2"), cwd=tmp_path)
    assert done.stdout == "web.graph: 2 pages, 2 links\n"
    store = wr.open(tmp_path / "web.graph").store
    assert store.is_packed
    assert store.column("terms") is not None


def test_a_delay_over_the_maximum_is_reported(tmp_path: Path) -> None:
    rules = "User-agent: *\nCrawl-delay: 1e300\n"
    small = SmallWeb({"a.test/robots.txt": lambda _: web.Response(text=rules), "a.test/": ""})
    with small.served():
        done = related(*words(small, small.url("a.test"), "--minutes", "0.02"), cwd=tmp_path)
    assert " asks for a delay of 1e+300 s between requests; the crawl keeps the" in done.stderr


def test_other_hosts_need_a_contact(tmp_path: Path) -> None:
    done = related("crawl", "http://a.test/", "--resolve", "*=93.184.216.34", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("related: crawl: identify yourself to a.test: use --contact ")


def test_a_crawl_that_is_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    """No page is lost, and no kill costs more than the one page that was under way."""
    pages = 40 * KILLS
    chain = {
        f"a.test/{n or ''}": linked(f"/{n + 1}", f"/{n + 2}") + f"page {n}" for n in range(pages)
    }
    small = SmallWeb(chain)
    rng = random.Random(5)
    kills = 0
    with small.served():
        start = [small.url("a.test")]
        more: list[str] = []
        while kills < KILLS:
            before = sum(small.asked.values())
            wanted = rng.randrange(1, 30)
            process = subprocess.Popen(
                [sys.executable, "-m", "whatsrelated", *words(small, *start, *more)],
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            while sum(small.asked.values()) - before < wanted and process.poll() is None:
                time.sleep(0.001)
            time.sleep(rng.random() / 50)
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            if (tmp_path / "web.crawl").exists():
                start, more = [], ["--continue"]
        done = related(*words(small, *start, *more), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    fetched = small.fetched()
    assert set(fetched) == {*chain, f"a.test/{pages}", f"a.test/{pages + 1}"}
    assert sum(fetched.values()) - len(fetched) <= kills
    graph = wr.open(tmp_path / "web.graph")
    assert graph.store.read_pages == pages
    assert graph.n_links == 2 * pages


@pytest.mark.needs_system("python3-doc")
def test_crawling_documentation_gives_the_graph_of_its_folder(tmp_path: Path) -> None:
    root = PYTHON_DOC.resolve()
    folder = root if KILLS >= 50 else root / "c-api"

    class Folder(dict[str, object]):
        """The files of the folder, index files under the folders' own addresses, and a sitemap."""

        def get(self, name: str, default: object = None) -> object:
            path = name.removeprefix("docs.test/")
            above, _, last = path.rpartition("/")
            if path == "robots.txt":
                return lambda r: web.Response(text=f"Sitemap: http://{r.host}/all.txt")
            if path == "all.txt":
                files = sorted(file.relative_to(folder) for file in folder.rglob("*.html"))
                return lambda r: web.Response(
                    text="\n".join(f"http://{r.host}/{file}" for file in files)
                )
            if last == "index.html" and (folder / path).is_file():
                return redirect(f"/{above}/" if above else "/")
            file = folder / path if last else folder / path / "index.html"
            if not file.is_file() or file.suffix != ".html" or ".." in path:
                return default
            data = file.read_bytes()
            return lambda request: web.Response(body=data, content_type="text/html")

    small = SmallWeb(Folder())
    with small.served():
        base = small.url("docs.test")
        done = related(*words(small, base), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        related("build", str(folder), "--base-url", base, "-o", "folder.graph", cwd=tmp_path)
    crawled, built = (wr.open(tmp_path / name) for name in ("web.graph", "folder.graph"))
    assert lists(crawled) == lists(built)
    assert len(built) > 100


def redirect(target: str) -> Callable[[web.BaseRequest], web.Response]:
    return lambda request: web.Response(status=301, headers={"Location": target})


def lists(graph: wr.Graph) -> dict[str, list[str]]:
    return {
        graph.url(page): [graph.url(int(link)) for link in graph.links_from(page)]
        for page in range(len(graph))
    }
