"""The sample Web: a miniature of the real one, to ask before one has data of one's own.

Well-known sites by topic, as `lists/topics/*.txt` name them by hand, with what
surrounds such sites on the Web:

1. sites: a home page, some pages deep under it, navigation between them, and
   links to what belongs to the site or serves its whole group;
2. link pages on many hosts, each listing its topic in its own order;
   some mix two neighbouring topics, some are mirrors of another;
3. an encyclopedia's articles, two directories, people's bookmarks;
4. a link farm, and a visitor counter that stands on pages of every topic.

The hosts that list others are invented (`.example`); what the real sites link
to is their own.  `pages` is the same stream each time, on every machine:
where a list has a taste of its own, it comes from a hash of the names.
To extend the Web, add a line to a list or a file to the topics.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whatsrelated.stream import Page


def pages() -> Iterator[Page]:
    """Every page of the sample Web that has links or a title, links in page order."""
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
