"""Fold names and titles, to match them however they are typed.

Folding removes case, accents and percent-encoding; a label also loses spaces, underscores and
hyphens, so `Isaac Newton`, `isaac_newton` and `Isaac-Newton` have the same label. A name is split
into path elements. The last one loses its file extension, and an index file stands for its folder.
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
"""File extensions of pages, which users often leave out."""
_ENDING = re.compile(r"(?:\.(?:html?|mdx?|markdown|rst|adoc|org|php))$", re.IGNORECASE)
INDEX = frozenset({"index", "readme", "default"})
"""Files that stand for their folder."""


def fold(text: str) -> str:
    """Text without percent-encoding, case or accents."""
    if "%" in text:
        text = unquote(text)
    if not text.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
        text = unicodedata.normalize("NFC", plain)
    return text.casefold()


def label(text: str) -> str:
    """A folded text without spaces, underscores or hyphens."""
    return _JOINTS.sub("", fold(text))


def words(text: str) -> list[str]:
    """The folded words of a string, in order, without a scheme."""
    return _WORD.findall(fold(_SCHEME.sub(r"\1", text, count=1)))


def elements(name: str) -> list[str]:
    """The labels of a name's path elements, as users type them; for a URL, the first is its host.

    File extensions, index files, schemes, `www.`, fragments and empty elements are left out.
    """
    plain = _SCHEME.sub(r"\1", name, count=1)
    parts = [part for part in plain.partition("#")[0].split("/") if part not in ("", ".")]
    if len(parts) > 1 or plain is name:
        parts[-1:] = [_ENDING.sub("", part) or part for part in parts[-1:]]
    labels = [label(part) for part in parts]
    if len(labels) > 1 and labels[-1] in INDEX:
        labels.pop()
    return labels
