"""Real sites link to their own pages only, and have pages deep below them."""

from __future__ import annotations

from tests.sample.web import LINKS, cocited, host


def test_a_page_deep_under_a_path_has_too_few_siblings_until_it_is_chopped() -> None:
    deep = "https://www.nytimes.com/section/world/europe"
    assert sum(count >= 2 for count in cocited(deep).values()) < 15
    assert sum(count >= 2 for count in cocited("https://www.nytimes.com/").values()) >= 15


def test_the_sample_does_not_impersonate_a_real_site() -> None:
    told = [
        (url, link)
        for url, links in LINKS.items()
        for link in links
        if not host(url).endswith(".example") and host(link).endswith(".example")
    ]
    assert told == []
