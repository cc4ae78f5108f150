"""Starting, continuing and repeating crawls."""

from __future__ import annotations

import pytest
from aiohttp import web

from tests.apps.crawl import SmallWeb, linked
from tests.sources.archive import read as read_archive
from whatsrelated.apps.crawl.plan import CrawlPlan
from whatsrelated.apps.crawl.run import crawl, state_of
from whatsrelated.errors import OptionError


def chain(length):
    return {f"a.test/{n or ''}": linked(f"/{n + 1}") for n in range(length)} | {
        f"a.test/{length}": "end"
    }


def test_a_crawl_that_ended_at_a_limit_goes_on(tmp_path, monkeypatch):
    small = SmallWeb(chain(9))
    with small.served():
        assert small.crawl(tmp_path, "a.test", pages=4).limit == "--pages"
        with pytest.raises(OptionError, match=r"unfinished crawl .* use --continue"):
            small.crawl(tmp_path, "a.test")
        outcome = small.crawl(tmp_path, go_on=True)
    assert (outcome.pages, outcome.queued) == (10, 0)
    assert set(small.fetched().values()) == {1}
    assert len(read_archive(monkeypatch, tmp_path / "web.warc.gz")[0]) == 10


def test_a_later_visit_fetches_only_what_changed(tmp_path, monkeypatch):
    def page(text, tag):
        def answer(request):
            if request.headers.get("If-None-Match") == tag:
                return web.Response(status=304, headers={"ETag": tag})
            return web.Response(text=text, content_type="text/html", headers={"ETag": tag})

        return answer

    pages = {
        "a.test/": page(linked("/x", "/y"), '"1"'),
        "a.test/x": page("x", '"x"'),
        "a.test/y": page(linked("/x"), '"y"'),
    }
    small = SmallWeb(pages)
    with small.served():
        first = small.crawl(tmp_path, "a.test")
        pages["a.test/y"] = page(linked("/z"), '"y2"')
        pages["a.test/z"] = page("z", '"z"')
        second = small.crawl(tmp_path, "a.test")
        third = small.crawl(tmp_path, "a.test")
    assert first.pages == 3
    assert second.bytes == len(linked("/z")) + 1
    assert third.bytes == 0
    found, _ = read_archive(monkeypatch, tmp_path / "web.warc.gz")
    at = {path: small.url("a.test", path) for path in ("/", "/x", "/y", "/z")}
    assert found == {
        at["/"]: [at["/x"], at["/y"]],
        at["/x"]: [],
        at["/y"]: [at["/z"]],
        at["/z"]: [],
    }


def test_crawling_other_machines_needs_a_contact(tmp_path):
    plan = CrawlPlan(resolve="a.test=93.184.216.34")
    with pytest.raises(OptionError, match=r"identify yourself to a\.test: use --contact"):
        crawl(["http://a.test/"], tmp_path / "x.warc.gz", plan)
    small = SmallWeb({"a.test/": ""})
    with small.served():
        small.crawl(tmp_path, "a.test", contact="me@example.org")
    assert small.requests[-1][1]["User-Agent"].endswith(" (+me@example.org)")
    assert small.requests[-1][1]["User-Agent"].startswith("whatsrelated/")


def test_mistakes_are_reported_before_anything_is_fetched(tmp_path):
    archive = tmp_path / "x.warc.gz"
    for urls, message in [([], "no URL given"), (["mailto:x"], "is not a valid URL")]:
        with pytest.raises(OptionError, match=message):
            crawl(urls, archive, CrawlPlan())
    with pytest.raises(OptionError, match="nothing to continue"):
        crawl([], archive, CrawlPlan(), go_on=True)
    assert state_of(archive) == tmp_path / "x.crawl"
