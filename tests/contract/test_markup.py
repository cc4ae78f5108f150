"""No text shown in a page, a report or a notebook acts as markup, hides text or runs."""

from __future__ import annotations

import base64
import hashlib
import re
import xml.etree.ElementTree as ET

import jinja2
import pytest

from whatsrelated.contract import markup

NASTY = '<script>alert("1")</script>&\x1b[2J\x00\x85\u202e\u2066\u200e\U000e0041\ud800'
HIDDEN = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


def shown(template: str, **values: object) -> str:
    return markup.environment(markup.SHARED).from_string(template).render(values)


@pytest.mark.parametrize(
    "template", ["{{ x }}", '<a title="{{ x }}">', "{{ x|upper }}", "{{ [x]|join }}"]
)
def test_a_value_is_text_without_controls_marks_and_tags(template: str) -> None:
    text = shown(template, x=NASTY)
    assert "<script" not in text.lower()
    assert not HIDDEN.search(text)
    text.encode()


def test_a_name_that_a_template_misspells_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        shown("{{ nothing }}")


REPORT = '{% extends "report_page.html" %}{% block body %}{{ x }}{% endblock %}'
MADE = {"version": "1", "date": "2026-01-01"}


def test_a_report_loads_nothing_and_runs_only_its_own_script() -> None:
    plain = shown(REPORT, title=NASTY, verb="x", x=NASTY, made=MADE)
    assert (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'none'" in plain
    )
    assert "<script" not in plain
    assert not HIDDEN.search(plain)
    script = "let x = 1 < 2;\n"
    page = shown(
        REPORT + "{% block script %}" + script + "{% endblock %}",
        title="",
        verb="x",
        x="",
        made=MADE,
    )
    written = re.search(r"<script>(.*?)</script>", page, re.S)
    assert written is not None
    expected = base64.b64encode(hashlib.sha256(written[1].encode()).digest()).decode()
    assert written[1].strip() == script.strip()
    assert f"script-src 'sha256-{expected}';" in page


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        ("", ""),
        (1234, "1,234"),
        (0.12345, "0.123"),
        (0.00012, "1.2e-04"),
        (12.34, "12.3"),
        (1234.5, "1,234"),
        (30.0, "30"),
        ("text", "text"),
    ],
)
def test_a_figure_is_short(value: object, text: str) -> None:
    assert markup.figure(value) == text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "Tea time", "file:///etc/passwd"])
def test_only_addresses_of_the_web_are_links(url: str) -> None:
    assert markup.outside(url) is None
    assert markup.outside("https://a.org/") == "https://a.org/"


def test_the_longest_bar_of_a_graph_has_the_largest_count() -> None:
    sizes = {"pages": 15}
    drawn = markup.render(
        markup.SHARED, "notebook_graph.html", caption=NASTY, sizes=sizes, counts={"0": 3, "1": 12}
    )
    tree = ET.fromstring(f"<div>{drawn}</div>")
    widths = [float(one.attrib["width"]) for one in tree.iter() if one.tag.endswith("rect")]
    assert widths == [60, 240]
