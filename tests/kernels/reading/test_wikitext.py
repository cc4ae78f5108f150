"""Wikitext: links, templates and headings by position, compiled and plain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.reading import wikitext as plain

WORDS = rb"""[[ ]] [ ] {{ }} { } | a b = == <!-- --> <nowiki> </NOWIKI> <nowiki/> <nowikix> <pre > <
</pre> <includeonly> </includeonly> - /"""
PIECES = st.sampled_from([*WORDS.split(), b"\n", b" ==\n", b"\x7f", b"\xc3\xa9", b" "])
TEXTS = st.lists(PIECES, max_size=40).map(b"".join)


def found(text: bytes) -> list[tuple[str, ...]]:
    """The rows as texts: kind, target, label, the template around it."""
    clean = kernels.wikitext.clean(text, b"includeonly")
    rows = kernels.wikitext.scan(clean).tolist()
    kinds = ("link", "template", "heading")

    def cut(first: int, last: int) -> str:
        return clean[first:last].decode()

    return [
        (
            kinds[kind],
            cut(start, end),
            str(label) if kind == plain.HEADING else cut(label, stop),
            cut(*rows[template][1:3]) if template >= 0 else "",
        )
        for kind, start, end, label, stop, template, _ in rows
    ]


@given(TEXTS)
def test_the_compiled_scanner_finds_what_the_plain_one_finds(text: bytes) -> None:
    for hidden in (b"includeonly", b"noinclude"):
        clean = plain.clean(text, hidden)
        assert kernels.wikitext.clean(text, hidden) == clean
    assert kernels.wikitext.scan(clean).tolist() == plain.scan(clean).tolist()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (b"[[a]] [[b|c]]", [("link", "a", "", ""), ("link", "b", "c", "")]),
        (b"[[[a]]] [[b\nc]] [[d", [("link", "a", "", "")]),
        (
            b"[[File:x|thumb|of [[a]]]]",
            [("link", "File:x", "thumb|of [[a]]", ""), ("link", "a", "", "")],
        ),
        (b"{{box|x=[[a]]}}", [("template", "box", "|x=[[a]]", ""), ("link", "a", "", "box")]),
        (
            b"[[a|{{b}}]] {{ [[c]]",
            [("link", "a", "{{b}}", ""), ("template", "b", "", ""), ("link", "c", "", "")],
        ),
        (b"{{a|[[b}} c]]", [("template", "a", "|[[b", "")]),
        (b"{{{{{1}}}|[[a]]}}", [("template", "", "{{{1}}}|[[a]]", ""), ("link", "a", "", "")]),
        (b"<nowiki>[[a]]</nowiki> <nowiki> [[b]]", [("link", "b", "", "")]),
        (b"[[a<!-- x -->b]] <!-- [[c]]", [("link", "ab", "", "")]),
        (b"<includeonly>[[a]]</includeonly>", []),
        (
            b"== See [[a]] == <!-- x -->\n=b",
            [("heading", " See [[a]] ", "2", ""), ("link", "a", "", "")],
        ),
    ],
)
def test_links_templates_and_headings(text: bytes, rows: list[tuple[str, ...]]) -> None:
    assert found(text) == rows


@pytest.mark.parametrize(
    "part", [b"[[", b"{{", b"<pre>", b"<pre ", b"<!--", b"[[a|", b"{{{", b"=\n"]
)
def test_a_hostile_text_takes_linear_time(part: bytes) -> None:
    """A quadratic scanner would need hours for these 4 MB."""
    text = kernels.wikitext.clean(part * (4_000_000 // len(part)), b"includeonly")
    assert len(kernels.wikitext.scan(text)) == 0
