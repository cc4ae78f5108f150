"""When servers say to retry."""

from __future__ import annotations

import email.utils
import time

import pytest

from whatsrelated.apps.crawl.fetching import retry_after


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        ("", 0.0),
        ("soon", 0.0),
        ("-3", 0.0),
        ("9" * 40, 0.0),
        ("Mon, 01 Jan 0001", 0.0),
    ],
)
def test_seconds_to_wait(text, seconds):
    assert retry_after({"retry-after": text}) == seconds


def test_a_date_to_wait_for():
    date = email.utils.formatdate(time.time() + 1000, usegmt=True)
    assert 900 < retry_after({"retry-after": date}) <= 1000
    assert retry_after({"retry-after": email.utils.formatdate(0, usegmt=True)}) == 0.0
