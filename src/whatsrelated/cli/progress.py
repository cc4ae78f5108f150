"""Show the progress of long work: one line that is updated on a terminal, occasional lines
elsewhere."""

from __future__ import annotations

import sys
import time

import click

EVERY_ON_TERMINAL = 0.2
EVERY_ELSEWHERE = 10.0


class ProgressLine:
    """Writes progress to stderr; call it with the activity, the amount done and the total."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._every = EVERY_ON_TERMINAL if self._terminal else EVERY_ELSEWHERE
        self._written_at = self._begun = time.monotonic()
        self._what = ""
        self._width = 0

    def __call__(self, what: str, done: int, of: int | None, note: str = "") -> None:
        now = time.monotonic()
        if what != self._what:
            self._what, self._begun = what, now
        if now - self._written_at < self._every:
            return
        self._written_at = now
        seconds = now - self._begun
        rate = done / seconds if seconds > 0 else 0.0
        parts = [f"{what}: {done:,}" if done else what]
        if of:
            parts.append(f"of {of:,} ({done / of:.0%})")
        if rate >= 1:
            parts.append(f"{rate:,.0f}/s")
        if of and rate > 0 and done < of:
            parts.append(f"{_clock((of - done) / rate)} left")
        if note:
            parts.append(note)
        self._write("  ".join(parts))

    def _write(self, text: str) -> None:
        if self._terminal:
            click.echo("\r" + text.ljust(self._width), nl=False, err=True)
            self._width = len(text)
        else:
            click.echo(text, err=True)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *error: object) -> None:
        if self._terminal and self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
