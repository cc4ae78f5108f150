"""The sites themselves, and the encyclopedia's articles about them."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

from whatsrelated.sample.topics import Site, Topic
from whatsrelated.stream import Page

ARTICLES = "https://en.wikipedia.org/wiki/"


def pages_of(topic: Topic) -> Iterator[Page]:
    """The home page of each site of a topic, and the pages under it."""
    for group in topic.groups:
        for site in group.sites:
            sections = {urljoin(site.url, path): title for path, title in site.sections}
            top = [url for url in sections if not _above(url, sections)]
            yield Page(site.url, [*top, *site.links, *group.links], site.title)
            for url, title in sections.items():
                below = [other for other in sections if url in _above(other, sections)]
                yield Page(url, [site.url, *top, *below], f"{title} - {site.title}")


def _above(url: str, sections: dict[str, str]) -> list[str]:
    return [other for other in sections if other != url and url.startswith(other.rstrip("/") + "/")]


def articles(topics: dict[str, Topic]) -> Iterator[Page]:
    """The encyclopedia's front page, and an article for some sites of each topic."""
    named = {name: [site for site in topic.sites if site.article] for name, topic in topics.items()}
    front = ARTICLES + "Main_Page"
    shown = [named[name][0] for name, topic in topics.items() if topic.in_directories]
    yield Page(front, [_article(site) for site in shown], "Wikipedia")
    for name, sites in named.items():
        near = named[topics[name].fields["near"]]
        for site in sites:
            see_also = [_article(other) for other in [*sites, near[0]] if other is not site]
            title = site.article.replace("_", " ")
            yield Page(_article(site), [front, site.url, *see_also], f"{title} - Wikipedia")


def _article(site: Site) -> str:
    return ARTICLES + site.article
