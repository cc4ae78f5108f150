"""`related compare`: several methods side by side."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.cli.commands import related
from whatsrelated.query.request import DEFAULT_METHOD

ASKED = ("compare", "https://x.org/", "--by", "cocitation,coupling")


def test_places_come_before_overlaps(folder: Path) -> None:
    done = related(*ASKED, cwd=folder)
    assert done.returncode == 0
    assert done.stdout == (
        "cocitation\tcoupling\tpage\ttitle\n1\t\thttps://y.org/\t\n\n"
        "shared, agreement\tcocitation\tcoupling\ncocitation\t1 1.00\t0 0.00\ncoupling\t0 0.00\t0\n"
    )
    assert "https://x.org/ links to no page" in done.stderr


def test_a_comparison_as_json_and_as_csv(folder: Path) -> None:
    reply = json.loads(related(*ASKED, "--json", cwd=folder).stdout)
    assert reply["methods"] == ["cocitation", "coupling"]
    assert reply["pages"] == [{"url": "https://y.org/", "title": None, "positions": [1, None]}]
    rows = list(csv.reader(io.StringIO(related(*ASKED, "--csv", cwd=folder).stdout)))
    assert rows == [["url", "title", "cocitation", "coupling"], ["https://y.org/", "", "1", ""]]


def test_if_no_method_has_a_result_the_exit_status_is_one(folder: Path) -> None:
    done = related("compare", "https://a.org/", "--by", "cocitation", cwd=folder)
    assert done.returncode == 1
    assert "No related pages found." in done.stderr


def test_the_default_is_compared_too(folder: Path) -> None:
    asked = ("compare", "https://x.org/", "--json")
    assert json.loads(related(*asked, cwd=folder).stdout)["methods"][0] == DEFAULT_METHOD
