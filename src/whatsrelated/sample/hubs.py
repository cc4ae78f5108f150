"""Pages that list others: link pages and their mirrors, directories, bookmarks.

A link page's rule defines what it lists:

- `all`: the whole topic, in the order of the file; `a-z`: the whole topic by title;
- `best N`: the N best-known sites;
- `some`: the groups in a different order, with the best-known sites of each and a few others;
- `only A, B`: only these groups, nearly complete;
- `RULE and TOPIC`: the list of that rule, then the best-known sites of a second topic.

Link pages on one host start with links to each other (navigation). Each ends with a link to another
link page of its topic, and some with a visitor counter.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from whatsrelated.sample.topics import Group, Site, Topic, columns, rows, taste
from whatsrelated.stream import Page

COUNTER = "https://visitor-counter.example/"
ATLAS = "https://webatlas.example/"
YELLOW = "https://yellowweb.example/"


def pages_of(topic: Topic, topics: dict[str, Topic]) -> Iterator[Page]:
    """A topic's link pages and their mirrors."""
    links: dict[str, list[str]] = {}
    for place, (url, title, rule) in enumerate(topic.hubs):
        first, _, second = rule.partition(" and ") if rule.startswith("some") else (rule, "", "")
        sites = _sites_by_rule(url, topic, first)
        if second:
            sites += best_known(url, topics[second], 7)
        neighbours = [other for other, _, _ in topic.hubs if other != url and _host(other, url)]
        links[url] = [*neighbours, *(site.url for site in sites)]
        following = topic.hubs[(place + 1) % len(topic.hubs)][0]
        if following not in neighbours:
            links[url].append(following)
        if taste(url, COUNTER) < 0.3:
            links[url].append(COUNTER)
        yield Page(url, links[url], title)
    for url, title, original in topic.mirrors:
        yield Page(url, [*links[original], original], title)


def _sites_by_rule(hub: str, topic: Topic, rule: str) -> list[Site]:
    word, _, rest = rule.partition(" ")
    if word == "all":
        return topic.sites
    if word == "a-z":
        return by_title(topic.sites)
    if word == "best":
        return _by_fame(topic)[: int(rest)]
    if word == "only":
        groups = [group for group in topic.groups if group.name in rest.split(", ")]
        return [site for group in groups for site in _sites_of(hub, group, last_share=0.7)]
    if word == "some":
        groups = sorted(topic.groups, key=lambda group: taste(hub, group.name))
        return [site for group in groups for site in _sites_of(hub, group, last_share=0.4)]
    raise ValueError(f"No rule {rule!r} for a link page.")


def _sites_of(hub: str, group: Group, last_share: float) -> list[Site]:
    """The sites of a group that one link page lists: always the first, and the last with
    probability `last_share`.
    """
    last = max(len(group.sites) - 1, 1)
    places = {
        site.url: place
        for place, site in enumerate(group.sites)
        if taste(hub, "keeps", site.url) < 1 - (1 - last_share) * place / last
    }
    sites = [site for site in group.sites if site.url in places]
    return sorted(sites, key=lambda site: places[site.url] + taste(hub, site.url) * len(sites) / 2)


def _by_fame(topic: Topic) -> list[Site]:
    """A topic's sites, best known first: those early in their group, and in early groups."""
    placed = [
        (1.5 * before + place, site)
        for before, group in enumerate(topic.groups)
        for place, site in enumerate(group.sites)
    ]
    return [site for _, site in sorted(placed, key=lambda pair: pair[0])]


def best_known(owner: str, topic: Topic, count: int) -> list[Site]:
    """`count` well-known sites of a topic, in a seemingly personal order."""
    liked = [
        (place + 1.2 * count * taste(owner, site.url), site)
        for place, site in enumerate(_by_fame(topic))
    ]
    return [site for _, site in sorted(liked, key=lambda pair: pair[0])][:count]


def by_title(sites: list[Site]) -> list[Site]:
    """The sites by title, ignoring `The`."""
    return sorted(sites, key=lambda site: site.title.casefold().removeprefix("the "))


def directories(topics: dict[str, Topic]) -> Iterator[Page]:
    """Two directories: one organised by categories, topics and groups, the other with one page per
    topic.
    """
    topics = {name: topic for name, topic in topics.items() if topic.in_directories}
    categories: dict[str, list[Topic]] = {}
    for topic in topics.values():
        categories.setdefault(topic.fields["category"], []).append(topic)
    yield Page(ATLAS, [_atlas(category) for category in categories], "The Web Atlas")
    for category, members in categories.items():
        below = [_atlas(category, topic.title) for topic in members]
        yield Page(_atlas(category), [ATLAS, *below], f"The Web Atlas: {category}")
        for topic in members:
            yield from _atlas_topic(topic, topics)
    index = {name: f"{YELLOW}{name}.html" for name in topics}
    yield Page(YELLOW, [*index.values(), ATLAS], "The Yellow Web")
    for name, topic in topics.items():
        menu = [YELLOW, *(url for other, url in index.items() if other != name)]
        sites = [site.url for site in by_title(_by_fame(topic)[:12])]
        yield Page(index[name], [*menu, *sites], f"The Yellow Web: {topic.title}")


def _atlas_topic(topic: Topic, topics: dict[str, Topic]) -> Iterator[Page]:
    category = topic.fields["category"]
    home = _atlas(category, topic.title)
    near = topics[topic.fields["near"]]
    see_also = _atlas(near.fields["category"], near.title)
    groups = [_atlas(category, topic.title, group.name) for group in topic.groups]
    popular = [site.url for site in _by_fame(topic)[:8]]
    lists = [url for url, _, _ in topic.hubs]
    way = [ATLAS, _atlas(category)]
    yield Page(home, [*way, *groups, *popular, see_also, *lists], f"The Web Atlas: {topic.title}")
    for url, group in zip(groups, topic.groups, strict=True):
        sites = [site.url for site in by_title(group.sites)]
        title = f"The Web Atlas: {topic.title}: {group.name}"
        yield Page(url, [*way, home, *sites], title)


def _atlas(*path: str) -> str:
    return ATLAS + "".join(quote(part.replace(" ", "_")) + "/" for part in path)


def bookmarks(topics: dict[str, Topic]) -> Iterator[Page]:
    """People's bookmarks: some sites of a topic, a page, some sites of another …"""
    for line in rows("people.txt"):
        url, title, contents = columns(line)
        links = []
        for part in contents.split(", "):
            name, _, count = part.partition(" ")
            if count:
                links += [site.url for site in best_known(url, topics[name], int(count))]
            else:
                links.append(name)
        yield Page(url, links, title)


def _host(url: str, other: str) -> bool:
    return urlsplit(url).netloc == urlsplit(other).netloc
