"""The parts of a file contain each line once, wherever it is split."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from whatsrelated.sources.file_parts import FilePart
from whatsrelated.sources.files import LONGEST_LINE


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["", "a", "bc", "defg"])), st.sets(st.integers(1, 60)), st.booleans()
)
def test_every_line_is_in_one_part(
    tmp_path: Path, lines: list[str], cuts: set[int], ended: bool
) -> None:
    text = "\n".join(lines).encode() + (b"\n" if ended else b"")
    path = tmp_path / "list"
    path.write_bytes(text)
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    parts = [b"".join(FilePart(path, *ends).pieces()) for ends in pairwise(bounds)]
    assert b"".join(parts) == text
    read = [part for part in parts if part]
    assert all(part.endswith(b"\n") for part in read[:-1])


def test_an_endless_line_is_read_only_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"x" * (4 * LONGEST_LINE))
    read = sum(map(len, FilePart(path, 0, 10).pieces()))
    assert LONGEST_LINE < read <= 2 * LONGEST_LINE
    assert list(FilePart(path, 10, 20).pieces()) == []
