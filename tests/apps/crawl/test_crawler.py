"""Crawls of a small Web: polite, bounded, and with nothing lost."""

from __future__ import annotations

import asyncio
import gzip
import itertools

import pytest
from aiohttp import web

from tests.apps.crawl import SmallWeb, linked
from tests.sources.archive import read as read_archive
from tests.waiting import PATIENCE
from whatsrelated.apps.crawl.links import LinkReader
from whatsrelated.errors import RelatedError

SHORT = 1.5
"""The timeout in seconds for pages that never arrive."""


@pytest.fixture
def crawled(tmp_path):
    def crawled(pages, /, *hosts, **options):
        small = SmallWeb(pages)
        with small.served():
            outcome = small.crawl(tmp_path, *(hosts or ["a.test"]), **options)
        return small, outcome

    return crawled


def redirect(target, status=301):
    return lambda request: web.Response(status=status, headers={"Location": target})


def test_every_page_of_the_host_is_fetched_once_and_nothing_else(crawled):
    small, outcome = crawled(
        {
            "a.test/": linked("/x", "x#y", "/y", "http://b.test/", "mailto:x@a.test"),
            "a.test/x": linked("/", "/y"),
            "a.test/y": linked("/z"),
        }
    )
    assert small.fetched() == {"a.test/": 1, "a.test/x": 1, "a.test/y": 1, "a.test/z": 1}
    assert small.asked["a.test/robots.txt"] == 1
    assert (outcome.pages, outcome.limit, outcome.queued) == (4, "", 0)
    assert outcome.reasons == {"status 404": (1, [small.url("a.test", "/z")])}


def test_robots_are_obeyed_and_asked_first(crawled):
    rules = "User-agent: *\nDisallow: /secret\n"
    small, outcome = crawled(
        {
            "a.test/robots.txt": lambda request: web.Response(text=rules),
            "a.test/": linked("/secret/x", "/open"),
            "a.test/open": "",
        }
    )
    assert set(small.fetched()) == {"a.test/", "a.test/open"}
    assert small.requests[0][0] == "a.test/robots.txt"
    assert "disallowed by robots.txt" in outcome.reasons


def test_a_host_whose_robots_cannot_be_read_is_left_alone(crawled):
    small, outcome = crawled(
        {
            "a.test/robots.txt": lambda request: web.Response(status=503),
            "a.test/": linked("/x"),
        }
    )
    assert small.fetched() == {}
    assert outcome.reasons == {"no robots.txt": (1, [small.url("a.test")])}


def test_robots_behind_redirects_are_read(crawled):
    small, _ = crawled(
        {
            "a.test/robots.txt": redirect("/r"),
            "a.test/r": lambda request: web.Response(text="User-agent: *\nDisallow: /"),
            "a.test/": "",
        }
    )
    assert set(small.fetched()) == {"a.test/r"}


def test_one_request_at_a_time_to_a_host_with_a_gap_and_many_hosts_at_once(crawled):
    running, most, peak = {}, {}, []

    async def slow(request):
        host = request.host.partition(":")[0]
        running[host] = running.get(host, 0) + 1
        most[host] = max(most.get(host, 0), running[host])
        peak.append(sum(running.values()))
        await asyncio.sleep(0.05)
        running[host] -= 1
        return web.Response(text=linked("/1", "/2", "/3"), content_type="text/html")

    hosts = [f"h{number}.test" for number in range(6)]
    pages = {f"{host}{path}": slow for host in hosts for path in ("/", "/1", "/2", "/3")}
    small, outcome = crawled(pages, *hosts, delay=0.02)
    assert outcome.pages == 24
    assert set(most.values()) == {1}
    assert max(peak) > 1
    for host in hosts:
        times = [when for name, when in small.times if name == host]
        assert all(later - earlier >= 0.02 for earlier, later in itertools.pairwise(times))


def test_a_crawl_delay_of_robots_is_kept(crawled):
    rules = "User-agent: *\nCrawl-delay: 0.2\n"
    small, _ = crawled(
        {
            "a.test/robots.txt": lambda request: web.Response(text=rules),
            "a.test/": linked("/x"),
            "a.test/x": "",
        }
    )
    times = [when for _, when in small.times]
    assert all(later - earlier >= 0.2 for earlier, later in itertools.pairwise(times))


def test_a_busy_host_is_asked_again_when_it_says(crawled):
    answers = [429, 503, 200]

    def busy(request):
        return web.Response(status=answers.pop(0), headers={"Retry-After": "0"}, text="")

    small, outcome = crawled({"a.test/": linked("/x"), "a.test/x": busy}, tries=4)
    assert small.asked["a.test/x"] == 3
    assert outcome.reasons == {}


def test_errors_of_a_server_are_tried_again_and_then_given_up(crawled):
    small, outcome = crawled(
        {
            "a.test/": linked("/x", "/y"),
            "a.test/x": lambda r: web.Response(status=500),
            "a.test/y": "",
        },
        tries=3,
    )
    assert small.asked["a.test/x"] == 3
    assert outcome.reasons == {"status 500": (1, [small.url("a.test", "/x")])}
    assert small.asked["a.test/y"] == 1


def test_redirects_are_followed_within_the_crawl_and_loops_end(crawled):
    small, _ = crawled(
        {
            "a.test/": linked("/old", "/loop", "/out"),
            "a.test/old": redirect("/new"),
            "a.test/new": "",
            "a.test/loop": redirect("/loop2"),
            "a.test/loop2": redirect("/loop"),
            "a.test/out": redirect("http://elsewhere.test/"),
        }
    )
    assert set(small.fetched()) == {
        f"a.test/{name}" for name in ("", "old", "new", "loop", "loop2", "out")
    }


def test_endless_redirects_end(crawled):
    def on(request):
        number = int(request.query_string or 0) + 1
        return web.Response(status=302, headers={"Location": f"/r?{number}"})

    pages = {f"a.test/r?{number}": on for number in range(40)}
    small, _ = crawled({"a.test/": linked("/r?0"), **pages})
    assert len(small.fetched()) == 12


def test_traps_are_bounded(crawled):
    class Calendar(dict):
        def get(self, name, default=None):
            day = int(name.rpartition("/")[2] or 0) if "robots" not in name else None
            return (
                default if day is None else linked(f"/day/{day + 1}", f"/day/{day + 2}") + str(day)
            )

    small, outcome = crawled(Calendar(), per_pattern=20)
    assert len(small.fetched()) == 21
    assert outcome.limit == ""


@pytest.mark.parametrize(
    ("options", "pages", "limit"),
    [({"pages": 5}, 5, "--pages"), ({"depth": 2}, 3, ""), ({"bytes": 60}, 2, "--bytes")],
)
def test_limits_end_a_crawl_and_are_reported(crawled, options, pages, limit):
    chain = {
        f"a.test/{n or ''}": linked(f"/{n + 1}") + " " * (40 - len(linked(f"/{n + 1}")))
        for n in range(20)
    }
    small, outcome = crawled(chain, **options)
    assert outcome.pages == len(small.fetched()) == pages
    assert outcome.limit == limit
    assert (outcome.queued > 0) is bool(limit)


def test_pages_of_sitemaps_are_fetched_too(crawled):
    def text(body, kind="text/plain"):
        return lambda request: web.Response(body=body(request).encode(), content_type=kind)

    small, _ = crawled(
        {
            "a.test/robots.txt": text(lambda r: f"Sitemap: http://{r.host}/index.xml\n"),
            "a.test/index.xml": text(
                lambda r: f"<sitemapindex><loc>http://{r.host}/s.xml</loc></sitemapindex>"
            ),
            "a.test/s.xml": text(
                lambda r: (
                    f"<urlset><loc>http://{r.host}/far</loc><loc>http://b.test/</loc></urlset>"
                )
            ),
            "a.test/": "",
            "a.test/far": "",
        }
    )
    assert set(small.fetched()) == {"a.test/", "a.test/far", "a.test/index.xml", "a.test/s.xml"}


def test_a_page_that_arrives_too_slowly_is_abandoned(crawled):
    async def loris(request):
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        while True:
            await response.write(b"<")
            await asyncio.sleep(0.1)

    _, outcome = crawled({"a.test/": loris}, timeout=SHORT)
    assert set(outcome.reasons) == {"took too long"}


def test_hostile_servers_cost_one_page_each(crawled):
    async def endless(request):
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        while True:
            await response.write(linked("/after").encode() + b" " * 50_000)

    data = gzip.compress(bytes(65 << 20), 1)
    assert len(data) < 300_000

    def bomb(request):
        return web.Response(
            body=data, headers={"Content-Type": "text/html", "Content-Encoding": "gzip"}
        )

    def charset(request):
        return web.Response(
            body="<a href=/ж>".encode("koi8-r"), headers={"Content-Type": "text/html; charset=none"}
        )

    small, outcome = crawled(
        {
            "a.test/": linked("/endless", "/bomb", "/charset"),
            "a.test/endless": endless,
            "a.test/bomb": bomb,
            "a.test/charset": charset,
            "a.test/after": "last",
        },
        timeout=PATIENCE,
        page_bytes=300_000,
    )
    assert small.asked["a.test/after"] == 1
    assert set(outcome.reasons) == {"too large after unpacking", "status 404"}


def test_pages_with_the_same_contents_are_one(crawled, tmp_path, monkeypatch):
    small, _ = crawled(
        {
            "a.test/": linked("/x", "/copy") + "start",
            "a.test/x": linked("/z"),
            "a.test/copy": linked("/z"),
            "a.test/z": "z",
        }
    )
    found, _ = read_archive(monkeypatch, tmp_path / "web.warc.gz")
    assert found[small.url("a.test")] == [small.url("a.test", "/x")]


def test_a_page_cannot_lead_the_crawl_to_private_addresses(crawled):
    small, _outcome = crawled(
        {
            "a.test/": linked("/r", "http://127.0.0.1:1/", "http://169.254.169.254/latest"),
            "a.test/r": redirect("http://10.0.0.1/"),
        },
        within="domain",
    )
    assert set(small.fetched()) == {"a.test/", "a.test/r"}


def test_hundreds_of_hosts_are_crawled_together(crawled):
    hosts = [f"h{number}.test" for number in range(200)]
    pages = {
        f"{host}/": linked("/x", f"http://{other}/") for host, other in itertools.pairwise(hosts)
    }
    small, outcome = crawled(pages | {f"{hosts[-1]}/": ""}, *hosts, hosts=32)
    assert outcome.pages == 399
    assert all(count == 1 for count in small.asked.values())


@pytest.mark.parametrize(
    "error",
    [RelatedError("A worker process could not start."), OSError(28, "No space left on device")],
    ids=["worker", "disk"],
)
def test_an_error_that_ends_a_crawl_is_raised_as_it_is(crawled, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(LinkReader, "_read", fail)
    with pytest.raises(type(error)) as raised:
        crawled({"a.test/": linked("/x")})
    assert raised.value is error
