"""The API: the same answers as in Python, and one shape for every error."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.graphs import graph_of
from tests.server import Client, serving
from whatsrelated import sample
from whatsrelated.api import Graph, build
from whatsrelated.methods import METHODS, method_named
from whatsrelated.options import declared_options
from whatsrelated.query.request import Request
from whatsrelated.server import routes
from whatsrelated.stream import Page

PAPER = "https://www.nytimes.com/"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph.from_pages(sample.pages())


@pytest.fixture(scope="module")
def client(graph: Graph) -> Iterator[Client]:
    with serving(graph) as client:
        yield client


def problem(answer: httpx.Response, status: int) -> str:
    """The sentence of an error, after its shape has been looked at."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    assert told["status"] == status
    assert set(told) - {"nearest"} == {"status", "kind", "sentence"}
    assert "Traceback" not in answer.text
    sentence: str = told["sentence"]
    return sentence


@pytest.mark.parametrize("by", METHODS)
def test_an_answer_is_the_one_that_python_gives(client: Client, graph: Graph, by: str) -> None:
    told = client.related(PAPER, by=by, limit=4, why=1)
    expected = json.loads(json.dumps(graph.related(PAPER, by=by, limit=4).as_dict(why=True)))
    for answer in (told, expected):
        answer.pop("took_ms")
    assert told == expected
    assert len(told["results"]) == 4


def test_several_urls_ask_for_pages_related_to_all(client: Client, graph: Graph) -> None:
    two = [PAPER, "https://www.wsj.com/"]
    told = client.related(*two, limit=3)
    assert [each["url"] for each in told["results"]] == [r.url for r in graph.related(two, limit=3)]
    assert told["asked"] == two


def test_evidence_comes_when_it_is_asked_for(client: Client) -> None:
    assert "evidence" not in client.related(PAPER)["results"][0]
    assert client.related(PAPER, why="true")["results"][0]["evidence"]["sentence"]


def test_a_list_of_queries_has_an_answer_or_an_error_for_each(client: Client) -> None:
    queries = [{"url": PAPER, "limit": 2}, {"url": [PAPER], "parents": 0}, {"url": "nowhere.zz"}]
    answer = client.post("/api/related", json={"queries": queries})
    assert answer.status_code == 200
    first, second, third = answer.json()["answers"]
    assert len(first["results"]) == 2
    assert second["error"]["status"] == 400
    assert third["error"]["nearest"].startswith("https://")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'"\xff"', "not JSON"),
        (b"[]", "must be"),
        (b'{"queries": 1}', "must be"),
        (b'{"queries": [1]}', "must be an object"),
        (b'{"queries": [], "limit": 1}', "must be"),
        (json.dumps({"queries": [{"url": PAPER}] * 101}).encode(), "At most 100"),
    ],
)
def test_a_wrong_body_is_refused(client: Client, body: bytes, says: str) -> None:
    answer = client.post("/api/related", content=body, headers={"content-type": "application/json"})
    assert says in problem(answer, 400)


def test_a_body_must_be_json_and_small(client: Client) -> None:
    form = client.post("/api/related", data={"url": PAPER})
    assert "takes application/json" in problem(form, 415)
    headers = {"content-type": "application/json"}
    large = b" " * (1 << 21)
    assert "1,024 kB" in problem(client.post("/api/related", content=large, headers=headers), 413)
    pieces = iter([b" " * 65536] * 32)
    assert "1,024 kB" in problem(client.post("/api/related", content=pieces, headers=headers), 413)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "related: url is missing; add url=, a page"),
        ("url=", "must be the URL or the name"),
        (f"url={PAPER}&by=magic", "No method 'magic'; there are: "),
        (f"url={PAPER}&limit=0", "limit must be at least 1 and at most 1000"),
        (f"url={PAPER}&limit=1001", "at most 1000"),
        (f"url={PAPER}&limit=ten", "got 'ten'"),
        (f"url={PAPER}&limit=2&limit=3", "'limit' is given twice"),
        (f"url={PAPER}&by=cocitation&parents=1e12", "parents must be at least 1 and at most 20000"),
        (
            f"url={PAPER}&by=cocitation&magic=1",
            "cocitation has no option 'magic'; it has: parents, ",
        ),
        (f"url={PAPER}&by=cocitation&site=planet", "site must be one of auto"),
        (f"url={PAPER}&stop=/etc/passwd", "stop must be auto:N"),
        (f"url={PAPER}&seed=-1", "seed must be at least 0"),
        (f"url={PAPER}&why=perhaps", "why must be true or false"),
        ("url=%ff%fe", "not UTF-8"),
        ("&".join(["url=x"] * 10_000), "more than 200 fields"),
        ("&".join(["url=x"] * 21), "at most 20 url, got 21"),
        ("url=" + "x" * 9000, "url may have 8,192 characters, got 9,000"),
        (f"url={PAPER}&site=" + "x" * 2000, "may have 1,000 characters"),
    ],
)
def test_a_wrong_question_gets_a_sentence(client: Client, query: str, says: str) -> None:
    assert says in problem(client.get(f"/api/related?{query}"), 400)


def test_an_unknown_page_is_told_the_nearest_one(client: Client) -> None:
    answer = client.get("/api/related", params={"url": "https://www.wsj.com.zz/", "chop": "false"})
    assert "; the nearest is " in problem(answer, 404)
    assert answer.json()["error"]["nearest"] in answer.json()["error"]["sentence"]


@pytest.mark.parametrize("name", ["a\x00b", "\x1b[31m", "<script>alert(1)</script>", "../../etc"])
def test_odd_names_are_only_names(client: Client, name: str) -> None:
    for path in ("/api/related", "/api/links"):
        assert name[:4] in problem(client.get(path, params={"url": name}), 404)
    assert client.get("/api/pages", params={"prefix": name}).json()["pages"] == []


@pytest.mark.parametrize(
    "path", ["/nowhere", "/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/api/related/"]
)
def test_a_path_that_is_in_no_table_is_not_there(client: Client, path: str) -> None:
    assert "No path" in problem(client.get(path), 404)


def test_a_wrong_way_of_asking_is_told_the_right_one(client: Client) -> None:
    answer = client.delete("/api/related")
    assert "GET, HEAD, POST" in problem(answer, 405)
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert "GET, HEAD" in problem(client.post("/api/links", json={}), 405)
    assert client.head("/api/health").content == b""


def test_pages_are_completed_by_any_part_of_their_names(client: Client) -> None:
    def found(prefix: str) -> list[str]:
        answer = client.get("/api/pages", params={"prefix": prefix, "limit": 3})
        return [page["url"] for page in answer.json()["pages"]]

    assert found("nyt")[0] == PAPER
    assert found("New York T")[0] == PAPER
    assert found("https://www.nytimes.com/sec")[0].startswith("https://www.nytimes.com/section/")
    assert found("washingtonpost.com") == found("www.washingtonpost.com")
    assert found("www.nyt")[0] == found("HTTP://nyt")[0] == found("nytimes.com/")[0] == PAPER
    assert found("www") == found("https://w") == found("")
    assert found("post")[0] == "https://www.washingtonpost.com/"
    assert found("zzzz") == []
    assert len(found("")) == 3


def test_links_are_given_in_order_and_in_pieces(client: Client, graph: Graph) -> None:
    page = graph.page(PAPER)
    told = client.get("/api/links", params={"url": "nytimes.com", "limit": 5, "skip": 2}).json()
    parents = [graph.url(other) for other in graph.links_to(page).tolist()]
    assert [link["url"] for link in told["links_in"]] == parents[2:7]
    assert told["in"] == len(parents)
    only = client.get("/api/links", params={"url": PAPER, "way": "out"}).json()
    assert "links_in" not in only
    assert [link["url"] for link in only["links_out"]] == [
        graph.url(other) for other in graph.links_from(page).tolist()
    ]


def test_links_have_their_texts_where_they_were_kept() -> None:
    pages = [
        Page("a", ("tea", "milk"), anchors=("a cup", "")),
        Page("b", ("tea",), anchors=("<b>",)),
    ]
    with serving(Graph.from_pages(pages)) as client:
        told = client.get("/api/links?url=tea").json()
        assert {link["url"]: link["text"] for link in told["links_in"]} == {
            "a": "a cup",
            "b": "<b>",
        }
        out = client.get("/api/links?url=a").json()["links_out"]
        assert {link["url"]: link["text"] for link in out} == {"tea": "a cup", "milk": None}
        assert "<q><bdi>&lt;b&gt;</bdi></q>" in client.get("/?url=tea").text


def test_pages_are_compared_as_in_python(client: Client, graph: Graph) -> None:
    pages = [PAPER, "https://www.wsj.com/", "www.bmw.com"]
    fields = [
        *(("url", page) for page in pages),
        ("by", "simrank"),
        ("decay", "0.7"),
        ("seed", "2"),
    ]
    told = client.get("/api/similarity", params=fields).json()
    expected = graph.similarity(pages, by="simrank", decay=0.7, seed=2).as_dict()
    assert {**told, "took_ms": 0} == {**json.loads(json.dumps(expected)), "took_ms": 0}
    assert (
        client.get("/api/similarity", params=[("url", p) for p in pages]).json()["by"] == "pagesim"
    )
    walked = client.get("/api/similarity", params=[*fields[:3], ("by", "walk")]).json()
    assert walked["scores"][0][0] is None

    def wrong(*more: tuple[str, str]) -> str:
        return problem(client.get("/api/similarity", params=[*fields[:3], *more]), 400)

    assert "by must be one of cocitation, pagesim" in wrong(("by", "lli"))
    assert "pagesim has no option 'decay'" in wrong(("decay", "0.5"))
    assert "error must be at least 0" in wrong(("by", "simrank"), ("error", "-1"))
    assert "two pages are needed" in problem(client.get(f"/api/similarity?url={PAPER}"), 400)
    assert "similarity: url is missing" in problem(client.get("/api/similarity"), 400)


def test_methods_are_compared_as_in_python(client: Client, graph: Graph) -> None:
    fields = [("url", PAPER), ("by", "companion,lli"), ("by", "cocitation"), ("enough", "3")]
    told = client.get("/api/compare", params=fields).json()
    methods = ["companion", "lli", "cocitation"]
    expected = json.loads(json.dumps(graph.compare(PAPER, methods, enough=3).as_dict()))
    for comparison in (told, expected):
        for answer in comparison["answers"]:
            answer.pop("took_ms")
    assert told == expected
    assert "compare: at most 10 by, got 11" in problem(
        client.get("/api/compare", params=[("url", PAPER), ("by", ",".join("abcdefghijk"))]), 400
    )
    assert "No method 'magic'" in problem(client.get(f"/api/compare?url={PAPER}&by=magic"), 400)


def test_a_vicinity_has_roles_and_the_links_between_sites() -> None:
    a, b, c, d = (f"https://{name}.example/" for name in "abcd")
    graph = graph_of(
        f"{a} -> {b} {c}", f"{b} -> {d}", f"{c} -> {d}", "https://b.example/x -> https://b.example/"
    )
    with serving(graph) as client:
        told = client.get("/api/vicinity", params={"url": b}).json()
        roles = {node["url"]: set(node["roles"]) for node in told["nodes"]}
        assert roles == {
            b: {"query"},
            a: {"parent"},
            "https://b.example/x": {"parent"},
            c: {"sibling", "co-parent"},
            d: {"child"},
        }
        urls = [node["url"] for node in told["nodes"]]
        links = {(urls[source], urls[target]) for source, target in told["edges"]}
        assert links == {(a, b), (a, c), (b, d), (c, d)}, "none within a site"
        assert urls[0] == b
        few = client.get("/api/vicinity", params={"url": b, "nodes": 2}).json()
        assert len(few["nodes"]) == 2
        assert few["pages"] == 5


def test_a_rank_is_the_one_that_python_gives(client: Client, graph: Graph) -> None:
    told = client.get("/api/rank", params={"by": "hits", "top": 3, "hubs": "true"}).json()
    best = graph.rank("hits").top(3, hubs=True)
    assert [(each["url"], each["score"]) for each in told["results"]] == [
        (each.url, each.score) for each in best
    ]
    own = client.get("/api/rank", params={"by": "pagerank", "teleport": PAPER, "top": 1}).json()
    assert own["results"][0]["url"] == PAPER
    assert "knows no hubs" in problem(client.get("/api/rank?by=pagerank&hubs=1"), 400)
    assert "at most 1000" in problem(client.get("/api/rank?max_rounds=5000"), 400)


def test_what_others_ask_of_ranks_is_not_kept_on_disk(tmp_path: Path) -> None:
    place = tmp_path / "web.graph"
    build([Page("a", ("b", "c")), Page("b", ("c",))], place)
    with serving(place) as client:
        for damping in ("0.5", "0.6"):
            assert client.get(f"/api/rank?damping={damping}").status_code == 200
        assert not (place / "ranks").exists()
        assert client.get("/api/rank").status_code == 200
        assert len(list((place / "ranks").glob("*.json"))) == 1


def test_every_method_and_option_is_told_with_its_bounds(client: Client) -> None:
    told = client.get("/api/methods").json()
    listed = {method["name"]: method for method in told["methods"]}
    assert list(listed) == list(METHODS)
    for name in METHODS:
        options = {option["name"]: option for option in listed[name]["options"]}
        assert list(options) == list(declared_options(method_named(name)))
    assert [option["name"] for option in told["common"]] == list(declared_options(Request))


def test_the_openapi_document_names_every_route_and_option(client: Client) -> None:
    told = client.get("/openapi.json").json()
    assert set(told["paths"]) == {path for path, route in routes.TABLE.items() if not route.page}
    named = {each["name"] for each in told["paths"]["/api/related"]["get"]["parameters"]}
    for owner in (Request, *METHODS.values()):
        assert named >= set(declared_options(owner))


def test_an_answer_that_is_held_already_is_not_sent_again(client: Client) -> None:
    first = client.get("/api/related", params={"url": PAPER, "limit": 7})
    assert first.headers["cache-control"] == "no-cache"
    held = {"if-none-match": first.headers["etag"]}
    again = client.get("/api/related", params={"url": PAPER, "limit": 7}, headers=held)
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/api/related", params={"url": PAPER}, headers={"if-none-match": 'W/"x"'})
    assert other.status_code == 200


def test_a_large_answer_is_packed_for_who_can_unpack_it(client: Client) -> None:
    with client.stream("GET", "/api/related", params={"url": PAPER, "why": 1}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    plain = client.get(
        "/api/related", params={"url": PAPER, "why": 1}, headers={"accept-encoding": "identity"}
    )
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


def test_every_reply_forbids_what_a_page_need_not_do(client: Client) -> None:
    for path in ("/", "/api/health", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_the_metrics_count_what_was_served(graph: Graph) -> None:
    with serving(graph) as client:
        for _ in range(3):
            client.related(PAPER)
        client.get("/nowhere")
        lines = client.get("/metrics").text.splitlines()
    assert 'related_requests_total{route="/api/related",status="200"} 3' in lines
    assert 'related_requests_total{route="other",status="404"} 1' in lines
    assert "related_cache_hits_total 2" in lines
    assert f"related_graph_pages {len(graph)}" in lines
    counts = [line for line in lines if line.startswith("related_request_seconds_count")]
    assert 'related_request_seconds_count{route="/api/related"} 3' in counts


def test_a_cache_of_nothing_keeps_nothing(graph: Graph) -> None:
    with serving(graph, cache=0) as client:
        client.related(PAPER)
        client.related(PAPER)
        assert len(client.server.live.served.cache) == 0
        assert client.server.metrics.total("cache_hits") == 0


def test_the_cache_is_bounded(graph: Graph) -> None:
    with serving(graph, cache=1) as client:
        for seed in range(60):
            client.related(PAPER, limit=20, seed=seed, why=1)
        answers = client.server.live.served.cache
        assert 0 < answers.size <= 1 << 20
        assert 0 < len(answers) < 60


def test_a_token_is_asked_for_where_there_is_one() -> None:
    with serving(graph_of("a -> tea coffee", "b -> coffee tea"), token="open sesame") as client:
        refused = client.get("/api/related?url=tea")
        assert "token" in problem(refused, 401)
        assert refused.headers["www-authenticate"].startswith("Bearer")
        problem(client.get("/metrics"), 401)
        problem(client.get("/api/links?url=tea", headers={"authorization": "Bearer open"}), 401)
        problem(client.get("/api/links?url=tea", headers={"authorization": "Basic !"}), 401)
        assert client.get("/", auth=("", "wrong sesame")).status_code == 401
        assert client.get("/api/health").status_code == 200
        good: dict[str, Any] = {"headers": {"authorization": "Bearer open sesame"}}
        assert client.get("/api/related?url=tea", **good).json()["results"][0]["url"] == "coffee"
        assert client.get("/", auth=("anybody", "open sesame")).status_code == 200


def test_a_page_that_rebinds_its_name_to_this_machine_is_refused() -> None:
    graph = graph_of("a -> tea coffee")
    with serving(graph) as client:
        answer = client.get("/api/health", headers={"host": "evil.example"})
        assert "Unknown host 'evil.example'; allow it with --hosts evil.example." in problem(
            answer, 421
        )
        assert client.get("/api/health", headers={"host": "localhost:99"}).status_code == 200
    with serving(graph, hosts="wiki.example, other.example") as client:
        assert client.get("/api/health", headers={"host": "wiki.example"}).status_code == 200
        problem(client.get("/api/health", headers={"host": "evil.example"}), 421)


def test_other_sites_may_ask_only_where_they_are_named() -> None:
    graph = graph_of("a -> tea coffee")
    asks = {"origin": "https://wiki.example"}
    with serving(graph) as client:
        assert "access-control-allow-origin" not in client.get("/api/health", headers=asks).headers
    with serving(graph, cors="https://wiki.example") as client:
        for _ in range(2):
            answer = client.get("/api/related?url=tea", headers=asks)
            assert answer.headers.get_list("access-control-allow-origin") == [asks["origin"]]
        other = client.get("/api/related?url=tea", headers={"origin": "https://evil.example"})
        assert "access-control-allow-origin" not in other.headers
        before = {**asks, "access-control-request-method": "POST"}
        assert client.options("/api/related", headers=before).status_code == 200


def test_the_page_tells_what_each_part_of_a_blend_gave(client: Client) -> None:
    text = client.get("/", params={"url": PAPER, "by": "blend", "limit": 1}).text
    part = client.get("/api/related", params={"url": PAPER, "by": "blend", "limit": 1, "why": 1})
    first = part.json()["results"][0]["evidence"]["parts"][0]
    assert f"<h4>{first['by']}: {100 * first['share']:.0f} % of the score</h4>" in text
    assert "<dt>shared parents</dt>" in text
    assert "<dt>share</dt>" not in text
