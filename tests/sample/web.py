"""The sample Web in plain Python: its pages, links, and siblings."""

from __future__ import annotations

from collections import Counter, defaultdict
from urllib.parse import urlsplit

from whatsrelated import sample
from whatsrelated.sample.topics import read_topics

TOPICS = read_topics()
PAGES = list(sample.pages())
LINKS = {page.url: [url for url in dict.fromkeys(page.links) if url != page.url] for page in PAGES}
PARENTS: dict[str, list[str]] = defaultdict(list)
for parent, children in LINKS.items():
    for child in children:
        PARENTS[child].append(parent)
EVERY_PAGE = LINKS.keys() | PARENTS.keys()


def host(url: str) -> str:
    return urlsplit(url).netloc


def near_duplicates(one: str, other: str) -> bool:
    a, b = set(LINKS[one]), set(LINKS[other])
    return min(len(a), len(b)) > 10 and len(a & b) >= 0.95 * max(len(a), len(b))


def windows(page: str, width: int = 8) -> Counter[str]:
    """How many parents of `page` have each sibling among the `width` links around their link."""
    siblings: Counter[str] = Counter()
    for parent in PARENTS[page]:
        links = LINKS[parent]
        place = links.index(page)
        if len(links) > width + 1:
            around = links[max(0, place - width // 2) : place + width // 2 + 1]
        else:
            around = links
        siblings.update(set(around) - {page})
    return siblings


def cocited(page: str) -> Counter[str]:
    """The siblings of `page`, by how many of its parents link to them anywhere."""
    return Counter({s: sum(s in LINKS[parent] for parent in PARENTS[page]) for s in windows(page)})
