"""Scanning HTML: what may become a link, and what never does."""

from __future__ import annotations

import pytest

from whatsrelated.apps.mentions.html_text import scan_html


def prose(text: str) -> str:
    return "|".join(text[span.start : span.end] for span in scan_html(text).spans if not span.code)


@pytest.mark.parametrize(
    "text",
    [
        "<a href=x>tea</a>",
        "<h2>tea</h2>",
        "<pre>tea</pre>",
        "<script>tea</script>",
        "<style>tea</style>",
        "<!-- tea -->",
        "<nav>tea</nav>",
        "<div role='navigation'><div>x</div>tea</div>",
        "<title>tea</title>",
        "<button>tea</button>",
        "<html lang=en><p lang=fr>tea</p>",
        "<code>tea</code>",
        "<p title='tea'></p>",
        "<!-- tea",
        "<p>&tea;</p>",
    ],
)
def test_menus_headings_code_and_links_never_become_links(text: str) -> None:
    assert "tea" not in prose(text)


def test_text_after_a_skipped_element_is_prose_again() -> None:
    assert prose("<p>a<code>b</code> c<a href=x>d</a> e<pre>f</pre>g") == "a| c| e|g"


def test_inline_code_is_one_piece_with_its_tags() -> None:
    text = "<p><code><span>json</span></code></p>"
    (span,) = scan_html(text).spans
    assert text[span.start : span.end] == "<code><span>json</span></code>"
    assert span.code == "json"


def test_a_link_has_its_words_without_tags() -> None:
    (link,) = scan_html('<p><a href="a.html"><b>Green</b>\n tea</a>').links
    assert (link.words, link.href) == ("Green tea", "a.html")


def test_unclosed_marks_take_linear_time() -> None:
    assert prose("<p>a " + '<a href="' * 20_000) is not None
    assert prose("<!-- " * 100_000) == ""
