"""Common to all readers: refusals counted or raised, formats known by file extension."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.sources import write
from whatsrelated.errors import ReadError
from whatsrelated.kernels.reading.text import REASONS
from whatsrelated.sources.files import File
from whatsrelated.sources.jsonl import JSONLinesReader
from whatsrelated.sources.kleinberg import KleinbergReader
from whatsrelated.sources.reader import ReadContext, ReadOptions


def test_bad_input_is_counted_or_an_error_if_strict() -> None:
    context = ReadContext()
    context.refuse("not JSON", "x:1: {", 2)
    context.refuse("not JSON", "x:9: }")
    assert context.refused.counts == {"not JSON": 3}
    assert context.refused.examples == {"not JSON": ["x:1: {", "x:9: }"]}
    with pytest.raises(ReadError, match=r"x:1: \{ \(not JSON\); without --strict"):
        ReadContext(ReadOptions(strict=True)).refuse("not JSON", "x:1: {")


def test_lines_that_a_kernel_refused_are_counted_once_in_the_order_of_the_file(
    tmp_path: Path,
) -> None:
    file = File(write(tmp_path / "x", ""))
    first, second = 1, 2
    lines = SimpleNamespace(
        line=9, bad={second: (5, [(7, b"g"), (8, b"h")]), first: (1, [(9, b"\xff")])}
    )
    context = ReadContext()
    context.refuse_lines(file, lines)
    context.refuse_lines(file, lines)
    assert context.refused.counts == {REASONS[second]: 5, REASONS[first]: 1}
    assert list(context.refused.counts) == [REASONS[second], REASONS[first]]
    assert context.refused.examples[REASONS[second]] == [f"{file.path}:7: g", f"{file.path}:8: h"]
    assert context.refused.examples[REASONS[first]] == [f"{file.path}:9: \ufffd"]


def test_a_format_is_recognised_by_the_file_extension() -> None:
    assert JSONLinesReader.knows_name("pages.ndjson")
    assert not JSONLinesReader.knows_name("pages.tsv")
    assert not KleinbergReader.knows_name("gr0.California")
