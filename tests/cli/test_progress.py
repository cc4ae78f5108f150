"""Progress of long work: at intervals, with a rate and the time left."""

from __future__ import annotations

import pytest

from whatsrelated.cli import progress


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


def test_a_line_is_written_every_ten_seconds(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.ProgressLine() as line:
        for clock.now in (1, 5, 10, 15, 20):
            line("reading", int(clock.now) * 100, 10_000)
    assert capsys.readouterr().err.splitlines() == [
        "reading: 1,000  of 10,000 (10%)  111/s  1:21 left",
        "reading: 2,000  of 10,000 (20%)  105/s  1:16 left",
    ]


def test_on_a_terminal_the_line_is_written_over_and_wiped_at_the_end(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress.ProgressLine() as line:
        clock.now = 1
        line("sorting", 0, None)
    assert capsys.readouterr().err == "\rsorting\r       \r"
