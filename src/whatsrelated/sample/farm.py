"""A link farm: many pages on a few hosts, made to promote one client.

Each page links to the pages with the same name on the other hosts and to all pages of the next
host. Among these links are the client and one respectable page for show.
"""

from __future__ import annotations

from collections.abc import Iterator

from whatsrelated.sample.topics import columns, rows
from whatsrelated.stream import Page


def pages() -> Iterator[Page]:
    """The client's page, and every page of the farm."""
    fields: dict[str, list[str]] = {}
    for line in rows("farm.txt"):
        word, _, value = line.partition(":")
        fields.setdefault(word, []).append(value)
    client, client_title = columns(fields["client"][0])
    show = fields["show"][0].strip()
    hosts = [columns(value) for value in fields["host"]]
    names = [value.strip() for value in fields["page"]]

    yield Page(client, [_farm_url(host, names[0]) for host, _ in hosts], client_title)
    for place, (host, title) in enumerate(hosts):
        following = hosts[(place + 1) % len(hosts)][0]
        for name in names:
            twins = [_farm_url(other, name) for other, _ in hosts if other != host]
            others = [_farm_url(following, other) for other in names if other != name]
            half = len(others) // 2
            links = [*twins, *others[:half], client, show, *others[half:]]
            yield Page(_farm_url(host, name), links, title)


def _farm_url(host: str, name: str) -> str:
    return f"https://{host}/{name}"
