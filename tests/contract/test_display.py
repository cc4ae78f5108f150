"""What notebooks show."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from whatsrelated.contract.display import LONGEST, bars, page_link, table

NASTY = '<script>alert("1")</script>&\x1b[2J\u202e'


def test_no_text_of_a_table_is_markup() -> None:
    shown = table(NASTY, [NASTY], [[page_link("https://a.org/?" + NASTY, NASTY)]], NASTY)
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    ET.fromstring(f"<div>{shown}</div>")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "Tea time", "file:///etc/passwd"])
def test_only_addresses_of_the_web_are_links(url: str) -> None:
    assert page_link(url, None) == url
    assert page_link("https://a.org/", "A").startswith('<a href="https://a.org/"')


def test_the_longest_bar_has_the_largest_count() -> None:
    picture = ET.fromstring(bars("Pages", {"0": 3, "1": 12, "2-3": 0}))
    widths = [float(one.attrib["width"]) for one in picture.iter() if one.tag.endswith("rect")]
    assert widths == [LONGEST / 4, LONGEST, 0]
    assert [one.text for one in picture.iter() if one.tag.endswith("text")][::2] == [
        "0",
        "1",
        "2-3",
    ]
    ET.fromstring(bars("Nothing", {}))
