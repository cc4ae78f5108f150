"""An answer for other programs: BibTeX for works named by DOI, JSON-LD, or an RSS feed."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

from whatsrelated.names.display import escape_json, harmless
from whatsrelated.query.answer import Answer

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\\{}%@]+)", re.I)
"""The value without characters that would end a BibTeX field or begin a LaTeX command."""
_SPECIAL = re.compile(r"[\\{}$&#%_^~@]")
_NEVER_IN_XML = re.compile("[\ufffe\uffff]")


def as_bibtex(answer: Answer) -> str:
    """One entry for each result that is named by a DOI; others are listed in a comment."""
    entries, others = [], []
    for result in answer:
        doi = _DOI.fullmatch(result.url)
        if doi is None:
            others.append(result.url.replace("@", "%40"))  # BibTeX reads entries in comments too
            continue
        key = re.sub(r"[^A-Za-z0-9.:/-]", "-", doi[1])
        title = _SPECIAL.sub(" ", result.title or doi[1])
        entries.append(f"@misc{{{key},\n  title = {{{title}}},\n  doi = {{{doi[1]}}}\n}}\n")
    left_out = "".join(f"% not a DOI: {' '.join(url.split())}\n" for url in others)
    return "\n".join(map(harmless, (left_out + "\n".join(entries)).split("\n")))


def as_json_ld(answer: Answer) -> str:
    """A list of items in the vocabulary of schema.org."""
    items = [
        {
            "@type": "ListItem",
            "position": position,
            "item": {"@type": "WebPage", "@id": result.url, "name": result.title or result.url},
        }
        for position, result in enumerate(answer, 1)
    ]
    about = ", ".join(answer.asked)
    document = {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": f"Related to {about}",
    }
    text = json.dumps({**document, "itemListElement": items}, ensure_ascii=False)
    return escape_json(text).replace("<", "\\u003c") + "\n"  # for a <script> in a page


def as_rss(answer: Answer) -> str:
    """A feed with one item for each result; the link of a plain name is the name."""
    about = _text(", ".join(answer.asked))
    items = "".join(
        f"<item><title>{_text(result.title or result.url)}</title>"
        f"<link>{_text(result.url)}</link>"
        f'<guid isPermaLink="false">{_text(result.url)}</guid></item>\n'
        for result in answer
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>\n'
        f"<title>Related to {about}</title><link>{_text(answer.asked[0])}</link>\n"
        f"<description>Pages related to {about}</description>\n{items}</channel></rss>\n"
    )


def _text(text: str) -> str:
    return html.escape(_NEVER_IN_XML.sub("\N{REPLACEMENT CHARACTER}", harmless(text)), quote=False)


FORMATS: dict[str, Callable[[Answer], str]] = {
    "bibtex": as_bibtex,
    "json-ld": as_json_ld,
    "rss": as_rss,
}
