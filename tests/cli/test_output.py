"""What people read: plain when piped, cut at the edge of a terminal, never a control character."""

from __future__ import annotations

import json

import pytest

from whatsrelated.cli import output


def test_a_value_is_short_and_has_no_control_characters() -> None:
    assert output.clean(None) == ""
    assert output.clean(0.123456) == "0.1235"
    assert (
        output.clean("a\x1b[31mb\tc") == "a\N{REPLACEMENT CHARACTER}[31mb\N{REPLACEMENT CHARACTER}c"
    )


def test_a_table_is_tabs_when_piped(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(["", "page"], [[1, "x"], [2, None]])
    assert capsys.readouterr().out == "\tpage\n1\tx\n2\t\n"


def test_a_table_is_aligned_and_cut_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    long = "https://example.org/a/long/path/to/the/page.html"
    output.print_table(["n", "page", "title"], [[10, long, "A title that is long"], [2, "b", None]])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ["10  example.org/a/…html  A title that is lo…", "2   b"]
    assert max(map(len, lines[1:])) <= 44


def test_csv_quotes_what_it_must_and_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_csv(["a", "b"], [["x,y", 1]])
    output.print_json({"a": ["ü"]})
    rows, text = capsys.readouterr().out.split("{", 1)
    assert rows == 'a,b\n"x,y",1\n'
    assert json.loads("{" + text) == {"a": ["ü"]}


def test_remarks_go_to_the_other_stream(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("a\x07b")
    read = capsys.readouterr()
    assert (read.out, read.err) == ("", "a\N{REPLACEMENT CHARACTER}b\n")


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("1 link", "2,000 links"),
        ("1 interwiki link left out", "2,000 interwiki links left out"),
        ("1 response with an error", "2,000 responses with an error"),
    ],
)
def test_a_noun_agrees_with_its_count(one: str, many: str) -> None:
    plural = many.partition(" ")[2]
    assert (output.counted(1, plural), output.counted(2000, plural)) == (one, many)
