"""Scanning reStructuredText, AsciiDoc, Org and wikitext."""

from __future__ import annotations

import pytest

from whatsrelated.apps.mentions.markup_text import RULES, hide_wiki_markup, scan_markup

FORBIDDEN = {
    "rst": [
        "tea\n===\n",
        "``tea``",
        ":mod:`tea`",
        "*tea*",
        "`tea <x>`__",
        "x::\n\n   tea\n",
        ".. code-block:: python\n\n   tea\n",
        ".. tea",
        ">>> tea",
        "|tea|",
        ":tea: 1",
    ],
    "asciidoc": ["= tea", "----\ntea\n----", "`tea`", "xref:a.adoc[tea]", "// tea", ":tea: 1"],
    "org": ["* tea", "#+begin_src c\ntea\n#+end_src", "=tea=", "[[file:a.org][tea]]", "# tea"],
    "dokuwiki": ["== tea ==", "<code>\ntea\n</code>", "[[tea]]", "''tea''", "  tea"],
    "mediawiki": ["== tea ==", "[[tea]]", "{{tea}}", "{|\n| tea\n|}", "<b tea>"],
}


@pytest.mark.parametrize(
    ("format", "text"), [(name, text) for name, texts in FORBIDDEN.items() for text in texts]
)
def test_headings_code_and_links_never_become_links(format: str, text: str) -> None:
    scan = scan_markup(text, RULES[format])
    assert "tea" not in "".join(text[span.start : span.end] for span in scan.spans)


@pytest.mark.parametrize("format", sorted(RULES))
def test_a_paragraph_is_prose(format: str) -> None:
    text = "Drink green\ntea now.\n"
    scan = scan_markup(text, RULES[format])
    assert "Drink green" in "".join(text[span.start : span.end] for span in scan.spans)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("rst", "See :doc:`green tea <tea>` now"),
        ("asciidoc", "See xref:tea[green tea] now"),
        ("org", "See [[file:tea][green tea]] now"),
        ("mediawiki", "See [[tea|green tea]] now"),
    ],
)
def test_a_link_has_its_words_and_target(format: str, text: str) -> None:
    (link,) = scan_markup(text, RULES[format]).links
    assert (link.words, link.href) == ("green tea", "tea")


def test_references_and_nested_templates_of_a_wiki_are_hidden_in_place() -> None:
    text = "a <ref>tea</ref> {{x|{{tea}}}} b"
    hidden = hide_wiki_markup(text)
    assert "tea" not in hidden
    assert len(hidden) == len(text)
