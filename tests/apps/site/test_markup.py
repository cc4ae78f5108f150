"""A list goes into the bytes of a page, whatever they are, and out again."""

from __future__ import annotations

import os

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from whatsrelated.apps.site.markup import BEGIN, END, BadMarkers, MarkedPage, require_selector
from whatsrelated.errors import OptionError

BLOCK = '<aside data-whatsrelated=""><ul><li><a href="a.html">A</a></li></ul></aside>'
LIST = f"{BEGIN}{BLOCK}{END}"
MANY = int(os.environ.get("RELATED_PAGES", "250"))
"""How many random pages to try; 20,000 were tried once, by hand."""

PIECES = [
    *("<!doctype html>", "<html>", "<head>", "<body>", "</body>", "</html>", "<title>", "</title>"),
    *(
        "<main>",
        "</main>",
        "<article>",
        "</article>",
        "<div role=main>",
        "</div>",
        "<div class=body>",
    ),
    *("<footer>", "</footer>", "<p>", "<b>", "</b>", "<table>", "<td>", "</table>", "<select>"),
    *("<script>", "</script>", "<style>", "</style>", "<textarea>", "</textarea>", "<plaintext>"),
    *("<svg>", "</svg>", "<math>", "<title/>", "<style/>", "<![CDATA[", "]]>", "<template>"),
    *("</template>", "<noscript>", "</noscript>", "<!--", "-->", "<!-- x -->", "<pre>\r\n", "\r\n"),
    *(
        "\n",
        "\r",
        "text",
        "é",
        "茶",
        "\U0001f375",
        "&amp;",
        "<",
        ">",
        '"',
        "'",
        "<a href='",
        '<p title="',
    ),
    *("<frameset>", "<base href=/x/>", "\0", "\ufeff", "<foreignObject>", "<button>", "<form>"),
    *("<!-- related-pages -->", "<!--related-pages-->", "related-pages", "<iframe>", "</iframe>"),
]
pages = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).flatmap(
        lambda pieces: st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-16-be"]).map(
            lambda codec: "".join(pieces).encode(codec)
        )
    ),
    st.lists(
        st.one_of(st.sampled_from([piece.encode() for piece in PIECES]), st.binary(max_size=6)),
        max_size=25,
    ).map(b"".join),
)
places = st.sampled_from([None, "div", "main, p", "script", "b", "td", "*"])


@settings(max_examples=MANY)
@given(pages, places)
@example(b"<main><svg></main>", None)
@example("<main>\U0001f375</main>".encode("utf-16-le") + b"x", None)
@example(b"\xef\xbb\xbf<main></main>", None)
def test_an_inserted_list_can_be_removed_without_other_changes(data, at):
    page = MarkedPage(data)
    assert page.data == data
    new = page.insert(BLOCK, at)
    if new is None:
        return
    place = page.place(at)
    width = 2 if len(new) - len(data) == 2 * len(LIST) else 1
    assert len(new) - len(data) == width * len(LIST)
    assert new[:place] + new[place + width * len(LIST) :] == data
    again = MarkedPage(new)
    assert again.data == data
    assert again.insert(BLOCK, at) == new


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<body><main>a", "</main></body>"),
        ("<body><main><article>a", "</article></main>"),
        ("<main><article>1</article><article>2</article>", "</main>"),
        ('<div role="main">', "</div>"),
        ("<DIV class='x body'>", "</div >"),
        ("<body>a", "<footer>b</footer><script>1</script></body>"),
        ("<body>a", "<div role=contentinfo>b</div></body>"),
        ("<body>a<div><footer>b</footer></div>", "</body></html>"),
        ("<main>a<p>b", ""),
        ("a", ""),
        ("<main>a<!-- related-pages -->", "b</main>"),
        ("<main><script>'<!-- related-pages -->'</script>", "</main>"),
        ("<main><p title='<!-- related-pages -->'>", "</main>"),
        ("<main><!-- not <!-- related-pages -->", "</main>"),
        ("<main><textarea><!-- related-pages --></textarea>", "</main>"),
        ("<svg><style><!--related-pages-->", "</style></svg>"),
        ("<template><main></main></template>a", ""),
        ("<main>\r\n\r\n<p>é\r\n", "</main>\r\n"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-be", "latin-1"])
def test_a_list_goes_to_the_right_place(before, after, codec):
    data = (before + after).encode(codec)
    inner = codec if codec != "utf-16" else "utf-16-le"
    there = before.encode(codec) + LIST.encode(inner) + after.encode(inner)
    assert MarkedPage(data).insert(BLOCK) == there


def test_a_selector_chooses_the_place():
    page = MarkedPage(b"<main><div id=a>1</div><div class='t\xc3\xa9'>2</div></main>")
    assert page.insert("*", "#a") == f"<main><div id=a>1{BEGIN}*{END}</div>".encode() + (
        b"<div class='t\xc3\xa9'>2</div></main>"
    )
    assert f"2{BEGIN}".encode() in page.insert("*", ".té")
    assert page.insert("*", "nav") is None
    assert MarkedPage(b"<script>1</script>").insert("*", "script") is None
    with pytest.raises(OptionError, match=r"at must be a CSS selector, got '\[\['"):
        require_selector("[[")


@pytest.mark.parametrize("end", ["<!--", "<script>", "<p title='", "<textarea>a", "<plaintext>"])
def test_a_page_that_ends_in_the_middle_of_something_gets_no_list(end):
    assert MarkedPage(b"<p>a" + end.encode()).insert(BLOCK) is None


def test_japanese_text_that_looks_like_markup_is_not():
    text = "<meta charset=iso-2022-jp><main>すす</main>".encode("iso-2022-jp")
    assert b"$9" in text
    text = text.replace(b"$9$9", b"</$9")  # a character whose bytes are those of an end tag
    assert MarkedPage(text).insert("*").endswith(f"{BEGIN}*{END}</main>".encode())


def test_markers_of_lists_are_comments_and_nothing_else():
    script = f"<main><script>'{BEGIN}'</script>a</main>".encode()
    assert MarkedPage(script).data == script
    assert MarkedPage(f"<p>{LIST}b{LIST}c".encode()).data == b"<p>bc"


@pytest.mark.parametrize("page", [BEGIN, END, END + BEGIN, BEGIN + BEGIN + END, LIST + END])
def test_markers_that_are_not_in_pairs_are_refused(page):
    with pytest.raises(BadMarkers):
        MarkedPage(f"<p>a{page}b".encode())


def test_the_base_of_a_page_is_known():
    assert MarkedPage(b"<base href='/docs/'><p>a").base == "/docs/"
    assert MarkedPage(b"<base target=x><p>a").base is None
