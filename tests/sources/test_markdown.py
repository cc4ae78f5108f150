"""A page of Markdown: its name, and its links in page order."""

from __future__ import annotations

import re
import time

import pytest
from markdown_it import MarkdownIt

from whatsrelated.sources.front_matter import split_front_matter
from whatsrelated.sources.html import SEE_ALSO
from whatsrelated.sources.markdown import has_wikilinks, read_markdown, wikilink_target


def links(text, **options):
    found = []
    for href, _ in read_markdown(text, **options).html.links:
        name = wikilink_target(href)
        found.append(href if name is None else f"[[{name}]]")
    return found


def test_links_of_every_kind_come_in_page_order():
    text = """# Tea
[inline](a.md "title"), [[Wiki]], [full reference][ref], [ref], ![[Embed]],
<https://auto.example/>, <a href="raw.html">raw</a>, [angle](<b c.md>), https://bare.example/x.

[ref]: /from/reference 'title'
"""
    assert links(text) == [
        *("a.md", "[[Wiki]]", "/from/reference", "/from/reference", "[[Embed]]"),
        *("https://auto.example/", "raw.html", "b%20c.md", "https://bare.example/x"),
    ]


def test_wikilinks_lose_alias_heading_and_block():
    text = "[[A]] [[B|b]] [[C#Part|c]] [[D#^block]] [[#Here]] [[ E ]] ![[F|300]] [[G/H.md]]"
    assert links(text) == [
        *("[[A]]", "[[B]]", "[[C]]", "[[D]]", "[[]]", "[[E]]", "[[F]]", "[[G/H.md]]")
    ]


def test_wikilinks_stand_in_tables_lists_headings_and_quotes():
    text = """
| x | y |
|---|---|
| [[A\\|a]] | [[B]] |

- [[C]]
> [[D]]
## [[E]]
"""
    assert links(text) == ["[[A]]", "[[B]]", "[[C]]", "[[D]]", "[[E]]"]


def test_code_comments_and_escapes_hold_no_links():
    text = """`[[a]]` ``[[b]]`` \\[[c]] <!-- [[d]] --> `https://e.example`

    [[f]] indented

```
[[g]] [h](h.md)
```
~~~
[[i]]
~~~
<div>
[[j]]
</div>
"""
    assert links(text) == []


def test_brackets_that_are_not_wikilinks_are_left_alone():
    assert links("[[1]](note.md) [[x]][ref] [[]] [[a\nb]] [a] []()\n\n[ref]: r.md") == [
        "note.md",
        "r.md",
        "",
    ]
    assert links("[[A]]", wikilinks=False) == []


def test_names_with_markup_in_them_come_whole():
    assert links("[[a_b_c]] [[*x*]] [[50% <b>]] [[C++ (lang)]] [[ü & ö]]") == [
        *("[[a_b_c]]", "[[*x*]]", "[[50% <b>]]", "[[C++ (lang)]]", "[[ü & ö]]")
    ]


def test_a_bare_address_ends_before_punctuation():
    text = "(see https://a.example/x_(y)). **https://b.example/**, [t](https://c.example) x://no"
    assert links(text) == ["https://a.example/x_(y)", "https://b.example/", "https://c.example"]
    assert links(text, bare=False) == ["https://c.example"]


def test_links_in_front_matter_come_first():
    assert links('---\nup: "[[Top]]"\n---\n[[Body]]') == ["[[Top]]", "[[Body]]"]


def test_titles_anchors_and_sections():
    page = read_markdown(
        "\ufeff---\ntitle: T\n---\n\n# The *real* `one` [x](y) #\n[[A|an *alias*]]\n"
        "## See also\n[b](b.md)\n### More\n[[C]]\n## End\n[[D]]",
        anchors=True,
        sections=True,
        words=True,
    )
    assert page.front.first("title") == "T"
    assert page.heading == "The real one x"
    assert page.html.anchors == ["x", "an *alias*", "b", "C", "D"]
    assert [bool(marks & SEE_ALSO) for _, marks in page.html.links] == [
        False,
        False,
        True,
        True,
        False,
    ]
    assert page.html.text.startswith("The real one x an *alias*")


def test_whether_a_text_links_by_name():
    assert has_wikilinks("a [[b]] c")
    for text in ("", "[a](b)", "`[[a]]`", "```\n[[a]]\n```", "[[1]](x)"):
        assert not has_wikilinks(text)


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 200_000,
        "[[" * 200_000,
        "[[a|" * 100_000,
        "[[a]]" * 50_000,
        "![[" * 100_000 + "]]" * 100_000,
        "[a](" * 100_000,
        "`" * 300_000,
        "```" * 100_000,
        ">" * 100_000 + "[[a]]",
        "- " * 50_000 + "[[a]]",
        "*a_ " * 200_000,
        "<a " * 200_000,
        "https://" * 50_000,
        "https://a" + ")" * 200_000,
        "|a" * 50_000 + "\n" + "|-" * 50_000 + "\n" + "|b|\n" * 1000,
        "# " * 200_000,
    ],
)
def test_hostile_markdown_takes_no_longer_than_its_length(hostile):
    begun = time.process_time()
    read_markdown(hostile, sections=True)
    has_wikilinks(hostile)
    assert time.process_time() - begun < 60


def of_markdown_it(body):
    """The links of a text by another parser, without those in raw HTML."""
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    return [token.attrs["href"] for token in inline if token.type == "link_open"]


def test_another_parser_finds_the_same_links_in_real_pages(mdn):
    pages = sorted(mdn.rglob("index.md"))[::60]
    compared = 0
    for path in pages:
        body = re.sub(r"\{\{.*?\}\}", "", split_front_matter(path.read_text()).body)
        if re.search(r"<a\s|<!--|\[\^", body):
            continue
        assert links(body, wikilinks=False, bare=False) == of_markdown_it(body), path
        compared += 1
    assert compared > 150
