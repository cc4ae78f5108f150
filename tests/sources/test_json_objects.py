"""The objects of JSON files, in whatever way they are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sources import write
from whatsrelated.errors import ReadError
from whatsrelated.sources import json_objects as module
from whatsrelated.sources.files import File
from whatsrelated.sources.json_objects import json_objects

OBJECTS = [{"a": 1, "b": [1, 2]}, {"a": 2, "b": []}, {"a": {"c": [3]}}]


def objects(path: Path, *inside: str) -> list[object]:
    return [found for _, found in json_objects(File(path), *inside)]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(map(json.dumps, OBJECTS)),
        json.dumps(OBJECTS),
        json.dumps(OBJECTS, indent=2),
        "[\n" + ",\n".join(map(json.dumps, OBJECTS)) + "\n]\n",
        "[\n" + "\n,".join(map(json.dumps, OBJECTS)) + "]",
        json.dumps({"message": {"items": OBJECTS}}),
        json.dumps({"meta": {"count": 3}, "items": OBJECTS}, indent=1),
    ],
)
def test_objects_are_found_in_lines_arrays_and_replies(tmp_path: Path, text: str) -> None:
    assert objects(write(tmp_path / "x.json", text), "message", "items") == OBJECTS


def test_a_line_that_is_not_json_is_reported_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", '{"a": 1}\n{"a": \n\n{"a": 2}\n')
    assert [found for _, found in json_objects(File(path))] == [{"a": 1}, None, {"a": 2}]
    assert [place.split(":")[1] for place, _ in json_objects(File(path))] == ["1", "2", "4"]


def test_json_that_is_cut_short_or_too_large_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReadError, match="not JSON, or cut short"):
        objects(write(tmp_path / "x.json", '[\n {"a":\n 1}'))
    monkeypatch.setattr(module, "MAX_WHOLE", 10)
    with pytest.raises(ReadError, match=r"one object per line: jq -c"):
        objects(write(tmp_path / "y.json", json.dumps(OBJECTS, indent=1)))
