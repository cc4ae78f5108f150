"""The link farm does what farms do."""

from __future__ import annotations

from tests.sample.web import LINKS, PARENTS, cocited, host
from whatsrelated.sample.topics import columns, rows


def test_the_farm_lifts_its_client_over_the_pages_it_hides_among() -> None:
    said = dict(line.split(": ", 1) for line in rows("farm.txt"))
    client, show = columns(said["client"])[0], said["show"]
    farm = [url for url in PARENTS[client] if show in LINKS[url]]
    assert len(farm) >= 20
    assert len({host(url) for url in farm}) >= 5
    assert cocited(show).most_common(1)[0][0] == client
