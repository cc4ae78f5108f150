"""What names and titles have in common however they are typed: folded text, words, elements.

Folded are case, accents and percent-encoding; a label also loses blanks,
underscores and hyphens, so that `Isaac Newton`, `isaac_newton` and `Isaac-Newton`
have one.  A name is taken apart into its path elements, the last without the
ending of its file; an index file stands for its folder.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

_ACCENTS = re.compile("[\u0300-\u036f]+")
_JOINTS = re.compile(r"[\s_\-\u2010-\u2015]+")
_WORD = re.compile(r"[^\W_]+")
_SCHEME = re.compile(r"(?<![a-z0-9+.-])([0-9+.-]*+)[a-z][a-z0-9+.-]*+://(?:www\.)?", re.IGNORECASE)
ENDINGS = (".html", ".htm", ".md", ".mdx", ".markdown", ".rst", ".adoc", ".org", ".php")
"""Endings of the files of pages, which people leave out."""
_ENDING = re.compile(r"(?:\.(?:html?|mdx?|markdown|rst|adoc|org|php))$", re.IGNORECASE)
INDEX = frozenset({"index", "readme", "default"})
"""Files that stand for their folder."""


def fold(text: str) -> str:
    """A text without percent-encoding, case and accents."""
    if "%" in text:
        text = unquote(text)
    if not text.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
        text = unicodedata.normalize("NFC", plain)
    return text.casefold()


def label(text: str) -> str:
    """A folded text without blanks, underscores and hyphens."""
    return _JOINTS.sub("", fold(text))


def words(text: str) -> list[str]:
    """The words of a text, folded, in order; a scheme is none."""
    return _WORD.findall(fold(_SCHEME.sub(r"\1", text, count=1)))


def elements(name: str) -> list[str]:
    """The labels of a name's path elements (of a URL, its host first), as people say them.

    The ending of a file, an index file, a scheme, `www.`, a fragment and empty elements
    are left out.
    """
    plain = _SCHEME.sub(r"\1", name, count=1)
    parts = [part for part in plain.partition("#")[0].split("/") if part not in ("", ".")]
    if len(parts) > 1 or plain is name:
        parts[-1:] = [_ENDING.sub("", part) or part for part in parts[-1:]]
    labels = [label(part) for part in parts]
    if len(labels) > 1 and labels[-1] in INDEX:
        labels.pop()
    return labels
