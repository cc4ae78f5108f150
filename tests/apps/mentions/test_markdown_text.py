"""Scanning Markdown: what may become a link, and what never does."""

from __future__ import annotations

import pytest

from whatsrelated.apps.mentions.markdown_text import outline, scan_markdown


def prose(text: str, **options: bool) -> str:
    scan = scan_markdown(text, **options)
    return "|".join(text[span.start : span.end] for span in scan.spans if not span.code)


@pytest.mark.parametrize(
    "text",
    [
        "# tea\n",
        "tea\n===\n",
        "```\ntea\n```\n",
        "    tea\n",
        "---\ntitle: tea\n---\n",
        "[tea](x.md)\n",
        "[[tea]]\n",
        "![tea](x.png)\n",
        "<a href='x'>tea</a>\n",
        "<span lang='fr'>tea</span>\n",
        "<kbd>tea</kbd>\n",
        "<div>\ntea\n</div>\n",
        "https://example.org/tea\n",
        "$tea$\n",
        "{{tea}}\n",
        "#tea\n",
        "| tea |\n|---|\n",
    ],
)
def test_headings_code_links_and_raw_html_never_become_links(text: str) -> None:
    assert "tea" not in prose(text)


def test_prose_keeps_its_place_after_front_matter_and_letters_of_several_bytes() -> None:
    text = "\ufeff---\ntitle: é\n---\nGrün und *schön* 茶 here"
    assert prose(text) == "Grün und |schön| 茶 here"


def test_a_phrase_may_continue_on_the_next_line_but_not_across_a_quotation_mark() -> None:
    assert prose("green\ntea") == "green\ntea"
    assert prose("> green\n> tea") == "green|tea"


def test_a_code_span_is_one_piece() -> None:
    (span,) = scan_markdown("`` tea ``").spans
    assert (span.start, span.end, span.code) == (0, 9, "tea")


def test_links_have_their_words_and_style() -> None:
    text = "[a](a.md) [[b|bee]] [c][r] <a href='d.md'>d</a>\n\n[r]: c.md\n"
    found = scan_markdown(text).links
    assert [(one.words, one.href, one.style) for one in found] == [
        ("a", "a.md", "inline"),
        ("bee", "wikilink:b", "wiki"),
        ("c", "c.md", "reference"),
        ("d", "d.md", "html"),
    ]


def test_the_outline_differs_only_in_links_after_a_link_is_added() -> None:
    before, after = outline("Drink tea now"), outline("Drink [tea](t.md) now")
    assert before[0] == after[0]
    assert after[1] == [("tea", "t.md")]


def test_the_end_of_a_see_also_list_is_found() -> None:
    text = "Text\n\n## See also\n\n- [a](a.md)\n- b\n\n## More\n\n- c\n"
    found = scan_markdown(text).see_also
    assert found is not None
    assert text[:found].endswith("- b") or text[:found].endswith("- c")
