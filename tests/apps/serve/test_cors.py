"""Pages of other sites may query only if they are listed."""

from __future__ import annotations

from tests.apps.serve import problem, serving
from tests.graphs import graph_of


def test_other_sites_may_ask_only_if_they_are_allowed() -> None:
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
        assert other.headers["vary"].lower() == "accept-encoding, origin"
        before = {"access-control-request-method": "POST"}
        allowed = client.options("/api/related", headers={**asks, **before})
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-methods"] == "GET, POST"
        assert "authorization" in allowed.headers["access-control-allow-headers"]
        refused = client.options(
            "/api/related", headers={"origin": "https://evil.example", **before}
        )
        assert "Unknown origin; allow it with --cors" in problem(refused, 400)


def test_any_site_may_ask_if_all_are_allowed() -> None:
    with serving(graph_of("a -> tea coffee"), cors="*") as client:
        answer = client.get("/api/health", headers={"origin": "https://wiki.example"})
        assert answer.headers["access-control-allow-origin"] == "*"
        without = client.get("/api/health").headers
        assert "access-control-allow-origin" not in without
        assert "origin" in without["vary"].lower(), "a proxy must not cache it for other sites"


def test_a_page_of_another_site_gets_no_answers_through_a_browser() -> None:
    other = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    link = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    with serving(graph_of("a -> tea coffee", "b -> coffee tea")) as client:
        answer = client.get("/api/related?url=tea", headers=other)
        assert "Other sites" in problem(answer, 403)
        near = client.get("/api/related?url=tea", headers={**other, "sec-fetch-site": "same-site"})
        assert "Other sites" in problem(near, 403)
        frame = {**link, "sec-fetch-dest": "iframe"}
        assert client.get("/?url=tea", headers=frame).status_code == 403
        assert client.get("/?url=tea", headers=link).status_code == 200
        own = client.get("/api/related?url=tea", headers={"sec-fetch-site": "same-origin"})
        assert own.status_code == 200
        assert own.headers["cross-origin-resource-policy"] == "same-origin"
    with serving(graph_of("a -> tea coffee"), cors="https://wiki.example") as client:
        allowed = client.get("/api/related?url=tea", headers=other)
        assert allowed.status_code == 200
        assert "cross-origin-resource-policy" not in allowed.headers
