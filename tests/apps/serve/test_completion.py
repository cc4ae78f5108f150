"""Pages by a part of their names."""

from __future__ import annotations

from tests.apps.serve import PAPER, Client


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
