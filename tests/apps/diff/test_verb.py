"""`related diff`: what has changed between two graphs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import related


def test_diff_of_two_generations_as_a_table_json_and_a_page(folder: Path) -> None:
    related("build", "links.tsv", "-o", "mine.graph", cwd=folder)
    alone = related("diff", "mine.graph", cwd=folder)
    assert alone.returncode == 2
    assert "has only generation 1" in alone.stderr
    (folder / "more.tsv").write_text("https://a.org/\thttps://x.org/\nhttps://a.org/\ttea&jam\n")
    related("update", "mine.graph", "more.tsv", "--keep", "2", cwd=folder)
    done = related(
        "diff",
        "mine.graph",
        "--by",
        "cocitation",
        "--rank",
        "in-degree",
        "--report",
        "d.html",
        cwd=folder,
    )
    assert done.returncode == 0
    assert done.stdout.startswith(
        "4 pages -> 5: 1 added, 0 removed; the links of 1 others differ.\n"
        "4 links -> 4: 1 added, 1 removed.\nAnswers by cocitation: "
    )
    page = (folder / "d.html").read_text()
    assert "tea&amp;jam" in page
    assert "tea&jam" not in page
    assert "Content-Security-Policy" in page
    found = json.loads(related("diff", "mine.graph@1", "mine.graph", "--json", cwd=folder).stdout)
    assert found["added"] == ["tea&jam"]
    assert found["changed"] == [
        {"url": "https://a.org/", "added": 1, "removed": 1, "reordered": False}
    ]
