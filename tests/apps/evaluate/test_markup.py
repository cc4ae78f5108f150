"""Cells and numbers of a report are what people read, and never markup."""

from __future__ import annotations

import pytest

from whatsrelated.apps.evaluate import markup


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, '<td class="none">–</td>'),
        ("", "<td></td>"),
        (1234, "<td>1,234</td>"),
        (0.12345, "<td>0.123</td>"),
        (12.34, "<td>12.3</td>"),
        (1234.5, "<td>1,234</td>"),
        (30.0, "<td>30</td>"),
        ("<b>", "<td>&lt;b&gt;</td>"),
        ((7, None), "<td>7</td>"),
        ((7, 0.5), '<td class="share" style="--part: 0.500">50%<small>7</small></td>'),
    ],
)
def test_a_cell_is_short_and_escaped(value: object, written: str) -> None:
    assert markup.cell(value) == written


def test_a_cell_may_have_a_style() -> None:
    assert markup.cell(0.5, "best") == '<td class="best">0.500</td>'


def test_heads_and_summaries_are_escaped() -> None:
    assert "&lt;b&gt;" in markup.grid(["<b>"], [])
    assert "&lt;b&gt;" in markup.details("<b>", "")


def test_p_values_and_signs_are_as_people_write_them() -> None:
    assert [markup.p_value(p) for p in (0.0001, 0.05, 0.9999)] == ["&lt; 0.001", "0.050", "1"]
    assert [markup.with_sign(number) for number in (0.5, -0.25)] == ["+0.50", "−0.25"]


def test_a_name_becomes_the_id_of_a_section() -> None:
    assert markup.anchor("Precision at r") == "precision-at-r"
