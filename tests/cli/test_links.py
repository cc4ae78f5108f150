"""`related links`: the neighbours of a page."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import related


def test_links_are_shown_in_both_directions(folder: Path) -> None:
    done = related("links", "https://b.org/", cwd=folder)
    assert done.stdout == "way\tpage\ttitle\n->\thttps://y.org/\t\n->\thttps://x.org/\t\n"
    done = related("links", "https://x.org/", "--in", "--json", cwd=folder)
    assert json.loads(done.stdout)["in"] == ["https://a.org/", "https://b.org/"]
