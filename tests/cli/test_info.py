"""`related info`: sizes, and how the graph was built."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import related


def test_info_shows_sizes_and_how_the_graph_was_built(folder: Path) -> None:
    told = json.loads(related("info", "--json", cwd=folder).stdout)
    assert (told["pages"], told["links"], told["hosts"]) == (4, 4, 4)
    assert told["built"]["sources"] == ["links.tsv"]
    assert told["degrees"][0] == {"degree": "0", "in": 2, "out": 2}
    assert "link order        known" in related("info", cwd=folder).stdout
