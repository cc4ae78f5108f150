"""The sample Web: a miniature of the real one, to try before you have your own data.

It has well-known sites by topic, listed by hand in `lists/topics/*.txt`, and the kinds of pages
that surround such sites on the Web:

1. sites: a home page, some pages below it, navigation between them, and links to related sites or
   to services of the whole group;
2. link pages on many hosts, each listing its topic in a different order; some mix two
   neighbouring topics, some are mirrors of another;
3. an encyclopedia's articles, two directories, people's bookmarks;
4. a link farm, and a visitor counter on pages of every topic.

The hosts that list others are invented (`.example`); real sites link only to their own pages.
`pages` is the same stream on every machine: choices that look personal are made by hashing the
names. To extend the Web, add a line to a list or a file to the topics.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whatsrelated.stream import Page


def pages() -> Iterator[Page]:
    """Every page of the sample Web that has links or a title, with its links in page order."""
    from whatsrelated.sample import farm, hubs, sites
    from whatsrelated.sample.topics import read_topics

    topics = read_topics()
    for topic in topics.values():
        yield from sites.pages_of(topic)
        yield from hubs.pages_of(topic, topics)
    yield from sites.articles(topics)
    yield from hubs.directories(topics)
    yield from hubs.bookmarks(topics)
    yield from farm.pages()
