"""The sample Web is what its text says, by plain reading of its pages."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter, defaultdict
from urllib.parse import urlsplit

import pytest

from whatsrelated import sample
from whatsrelated.sample.topics import columns, read_topics, rows

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


def test_it_is_as_large_as_promised() -> None:
    assert len(EVERY_PAGE) >= 400
    assert len({host(url) for url in EVERY_PAGE}) >= 80
    assert sum(len(links) for links in LINKS.values()) >= 3000


def test_each_page_is_given_once_and_has_a_title() -> None:
    assert len(PAGES) == len(LINKS)
    assert [page.url for page in PAGES if not page.title] == []


@pytest.mark.parametrize("name", TOPICS)
def test_the_flagship_of_a_topic_has_siblings_enough_for_cocitation(name: str) -> None:
    flagship = TOPICS[name].sites[0].url
    assert sum(count >= 2 for count in cocited(flagship).values()) >= 15


@pytest.mark.parametrize("name", TOPICS)
def test_the_ten_pages_most_cocited_with_a_flagship_are_of_its_topic(name: str) -> None:
    sites = [site.url for site in TOPICS[name].sites]
    best = [url for url, _ in cocited(sites[0]).most_common(10)]
    assert [url for url in best if url not in sites] == []


def test_the_new_york_times_is_among_american_and_british_papers() -> None:
    best = [url for url, _ in cocited("https://www.nytimes.com/").most_common(10)]
    papers = ["washingtonpost", "wsj", "usatoday", "latimes"]
    assert {f"https://www.{paper}.com/" for paper in papers} <= set(best)


@pytest.mark.parametrize("name", TOPICS)
def test_mirrors_are_near_duplicates_on_another_host(name: str) -> None:
    assert TOPICS[name].mirrors
    for mirror, _, original in TOPICS[name].mirrors:
        assert near_duplicates(mirror, original)
        assert host(mirror) != host(original)


def test_link_pages_of_one_topic_are_no_near_duplicates_of_one_another() -> None:
    for topic in TOPICS.values():
        hubs = [url for url, _, _ in topic.hubs]
        alike = [(a, b) for a in hubs for b in hubs if a < b and near_duplicates(a, b)]
        assert [pair for pair in alike if not _both_list_all(pair, topic.hubs)] == []


def _both_list_all(pair: tuple[str, str], hubs: list[tuple[str, str, str]]) -> bool:
    return all(rule in ("all", "a-z") for url, _, rule in hubs if url in pair)


def test_the_farm_lifts_its_client_over_the_pages_it_hides_among() -> None:
    said = dict(line.split(": ", 1) for line in rows("farm.txt"))
    client, show = columns(said["client"])[0], said["show"]
    farm = [url for url in PARENTS[client] if show in LINKS[url]]
    assert len(farm) >= 20
    assert len({host(url) for url in farm}) >= 5
    assert cocited(show).most_common(1)[0][0] == client


def test_a_page_deep_under_a_path_has_too_few_siblings_until_it_is_chopped() -> None:
    deep = "https://www.nytimes.com/section/world/europe"
    assert sum(count >= 2 for count in cocited(deep).values()) < 15
    assert sum(count >= 2 for count in cocited("https://www.nytimes.com/").values()) >= 15


def test_one_page_without_a_topic_is_linked_from_every_category() -> None:
    hubs = {url: topic.name for topic in TOPICS.values() for url, _, _ in topic.hubs}
    counted = {hubs[url] for url in PARENTS["https://visitor-counter.example/"] if url in hubs}
    assert len(counted) >= len(TOPICS) / 2


def test_nothing_is_said_in_the_name_of_a_real_site() -> None:
    told = [
        (url, link)
        for url, links in LINKS.items()
        for link in links
        if not host(url).endswith(".example") and host(link).endswith(".example")
    ]
    assert told == []


def test_it_is_the_same_each_time_and_in_every_process() -> None:
    assert list(sample.pages()) == PAGES
    code = (
        "import hashlib; from whatsrelated import sample;"
        "print(hashlib.sha256(repr(list(sample.pages())).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {hashlib.sha256(repr(PAGES).encode()).hexdigest()}
