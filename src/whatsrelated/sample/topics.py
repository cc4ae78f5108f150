"""Read the topic lists.

A topic's file begins with its fields, one `word: value` per line: `topic` (its title), `category`,
and `near` (the neighbouring topic). With `directory: no`, it is not listed in the directories or on
the encyclopedia's front page. Its link pages are `hub: URL | title | rule` and
`mirror: URL | title | URL of the original`. The rules are described in `hubs`. Its groups follow:

    [Group] -> URLs that every site of the group links to
    URL | title | name of its article in the encyclopedia, for a few
        path | title of a page of that site
        -> URLs that this site links to

Groups in a topic and sites in a group are listed best known first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LISTS = Path(__file__).parent / "lists"


@dataclass(slots=True)
class Site:
    """A site: its home page, the pages below it, and the links of its home page."""

    url: str
    title: str
    article: str = ""
    sections: list[tuple[str, str]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Group:
    """Closely related sites, best known first."""

    name: str
    links: list[str]
    sites: list[Site] = field(default_factory=list)


@dataclass(slots=True)
class Topic:
    """A topic: its fields, its link pages and their mirrors, its groups of sites."""

    name: str
    fields: dict[str, str] = field(default_factory=dict)
    hubs: list[tuple[str, str, str]] = field(default_factory=list)
    mirrors: list[tuple[str, str, str]] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.fields["topic"]

    @property
    def in_directories(self) -> bool:
        return self.fields.get("directory") != "no"

    @property
    def sites(self) -> list[Site]:
        return [site for group in self.groups for site in group.sites]


def read_topics() -> dict[str, Topic]:
    """Every topic by its file name, in order."""
    files = sorted((LISTS / "topics").glob("*.txt"))
    return {file.stem: read_topic(file.stem) for file in files}


def read_topic(name: str) -> Topic:
    """The topic in one file."""
    topic = Topic(name)
    for line in rows(f"topics/{name}.txt"):
        before, arrow, after = line.partition("->")
        if line.startswith("["):
            topic.groups.append(Group(before.strip(" []"), after.split()))
        elif line.startswith(" ") and arrow:
            topic.groups[-1].sites[-1].links += after.split()
        elif line.startswith(" "):
            path, title = columns(line)
            topic.groups[-1].sites[-1].sections.append((path, title))
        elif line.startswith("http"):
            url, title, *article = columns(line)
            topic.groups[-1].sites.append(Site(url, title, "".join(article)))
        else:
            word, _, value = line.partition(":")
            if word in ("hub", "mirror"):
                url, title, rule = columns(value)
                (topic.hubs if word == "hub" else topic.mirrors).append((url, title, rule))
            else:
                topic.fields[word] = value.strip()
    return topic


def rows(file: str) -> Iterator[str]:
    """The lines of a list, without empty ones and `#` comments."""
    for line in (LISTS / file).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def columns(line: str) -> list[str]:
    """The columns of a line, separated by `|`."""
    return [column.strip() for column in line.split("|")]


def taste(*names: str) -> float:
    """A reproducible number in [0, 1) for these names."""
    digest = hashlib.sha256(" ".join(names).encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48
