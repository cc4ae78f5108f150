"""The links in wikitext, in reading order, and the kind of each.

1. `kernels.wikitext` finds links, templates and headings.
2. A link inside a navigation template is navigation. Links under a heading such as "See also"
   belong to that section, down to the next heading of the same rank.
3. The titles passed to a template such as `{{Main|…}}` are links too.
4. On request, templates are kept among the links and later replaced by their links.

Links to files, categories, other wikis and excluded namespaces are left out and counted. As on
MediaWiki, a link whose label contains another link is not a link.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from whatsrelated import kernels
from whatsrelated.sources import html
from whatsrelated.sources.mediawiki.languages import DISAMBIGUATIONS, HATNOTES, NAVIGATION
from whatsrelated.sources.mediawiki.titles import ARTICLES, SELF, TEMPLATES, Titles

LINK, TEMPLATE = 0, 1
TRANSCLUDED = "\0"
"""The prefix of a template's name among links."""
MAX_CACHED = 1 << 19
DISAMBIGUATION_WORD = b"__DISAMBIG__"
_MAY_BE_RELATIVE = (b"/", b".", b"&", b"%")
_WORDS = re.compile(rb"(?!.{201})[A-Za-z0-9](?:[A-Za-z0-9,.'()!/-]| (?=[A-Za-z0-9(]))*")
_MARKUP = re.compile(r"'{2,}|<[^<>]*+>|\x7f")
_BETWEEN = re.compile(r"\[(?:https?:)?//\S*|[\[\]{}]+|^[|!].*|<[^<>]*+>|'{2,}|\x7f|={2,}", re.M)


class WikiText(NamedTuple):
    """The contents of a page: its links, as titles with marks and, on request, labels."""

    links: list[tuple[str, int]]
    anchors: list[str]
    left_out: Counter[str]
    disambiguation: bool
    text: str = ""


class _Kind(NamedTuple):
    """What a template's name reveals about it."""

    name: str
    mark: int
    hatnote: bool
    disambiguation: bool


@dataclass
class WikiTextReader:
    """Reads the texts of one wiki; `namespaces` lists those to keep, None keeps all."""

    titles: Titles
    namespaces: frozenset[int] | None = frozenset({0})
    anchors: bool = False
    transclusions: bool = False
    text: bool = False
    _targets: dict[bytes, tuple[str, str]] = field(default_factory=dict)
    _kinds: dict[bytes, _Kind] = field(default_factory=dict)
    _headings: dict[bytes, bool] = field(default_factory=dict)

    def read(self, source: str, page: str, *, template: bool = False) -> WikiText:
        """Read the links of some wikitext; with `template`, the links it adds to other pages."""
        raw = source.encode("utf-8", "replace")
        clean = kernels.wikitext.clean(raw, b"noinclude" if template else b"includeonly")
        rows = kernels.wikitext.scan(clean).tolist()
        links: list[tuple[str, int]] = []
        anchors: list[str] = []
        left_out: Counter[str] = Counter()
        targets, kinds = self._targets, self._kinds
        marks = [0] * (len(rows) + 1)  # by row; the last entry is for links outside templates
        see_also = section = 0
        disambiguation = DISAMBIGUATION_WORD in clean
        for number, (kind, start, end, label, stop, parent, nested) in enumerate(rows):
            raw = clean[start:end]
            if kind == LINK:
                if nested:
                    continue
                title, reason = targets.get(raw) or self._target(raw, page)
                if title:
                    links.append((title, marks[parent] | section))
                    if self.anchors:
                        anchors.append(_plain(clean[label:stop] or raw))
                elif reason != SELF:
                    left_out[reason] += 1
            elif kind == TEMPLATE:
                known = kinds.get(raw) or self._kind(raw)
                marks[number] = marks[parent] | known.mark
                disambiguation |= known.disambiguation
                if known.hatnote:
                    titles = self._arguments(clean[label:stop], page)
                    links += [(title, section) for title in titles]
                    anchors += titles if self.anchors else ()
                elif self.transclusions and known.name:
                    links.append((TRANSCLUDED + known.name, html.NAVIGATION | section))
                    anchors += [""] if self.anchors else ()
            elif self._is_see_also(raw):
                see_also, section = label, html.SEE_ALSO
            elif label <= see_also:
                see_also = section = 0
        text = plain_text(clean, rows)[: html.MAX_TEXT] if self.text else ""
        return WikiText(links, anchors, left_out, disambiguation, text)

    def _is_see_also(self, heading: bytes) -> bool:
        known = self._headings.get(heading)
        if known is None:
            if len(self._headings) > MAX_CACHED:
                self._headings.clear()
            known = self._headings[heading] = html.is_see_also(_plain(heading))
        return known

    def title(self, target: str, page: str = "") -> str:
        """The title that a link leads to; empty if its namespace is excluded."""
        return self._find(target, page)[0]

    def _target(self, raw: bytes, page: str) -> tuple[str, str]:
        if raw.lstrip(b" _:")[:1] in _MAY_BE_RELATIVE:
            return self._find(raw.decode(errors="replace"), page)
        title = self._targets.get(raw)
        if title is None:
            if len(self._targets) > MAX_CACHED:
                self._targets.clear()
            title = self._find_plain(raw) or self._find(raw.decode(errors="replace"), "")
            self._targets[raw] = title
        return title

    def _find_plain(self, raw: bytes) -> tuple[str, str] | None:
        """Like `title`, but only for plain ASCII targets; None for any other."""
        if self.titles.keeps_case or not _WORDS.fullmatch(raw):
            return None
        is_kept = self.namespaces is None or ARTICLES in self.namespaces
        title = raw.decode()
        return (title[0].upper() + title[1:], "") if is_kept else ("", "other namespace")

    def _find(self, target: str, page: str) -> tuple[str, str]:
        title, space = self.titles.find(target, page)
        if isinstance(space, str):
            return "", space
        is_kept = self.namespaces is None or space in self.namespaces
        return (title, "") if is_kept else ("", "other namespace")

    def _kind(self, raw: bytes) -> _Kind:
        known = self._kinds.get(raw)
        if known is None:
            title, space = self.titles.find(raw.decode(errors="replace"), within=TEMPLATES)
            name = "" if isinstance(space, str) else title.partition(":")[2].lower()
            known = _Kind(
                title if isinstance(space, int) else "",
                html.NAVIGATION if NAVIGATION.fullmatch(name) else 0,
                name in HATNOTES,
                name in DISAMBIGUATIONS,
            )
            if len(self._kinds) > MAX_CACHED:
                self._kinds.clear()
            self._kinds[raw] = known
        return known

    def _arguments(self, raw: bytes, page: str) -> list[str]:
        """The pages named by the arguments of a template."""
        texts = (text for text in raw.split(b"|") if b"=" not in text and b"[" not in text)
        return [title for text in texts if (title := self._target(text.strip(), page)[0])]


def _plain(raw: bytes) -> str:
    """A short text without its markup."""
    return " ".join(_MARKUP.sub("", raw.decode(errors="replace")).split())


def plain_text(clean: bytes, rows: list[list[int]]) -> str:
    """The words of a page, without templates but with the labels of its links."""
    parts: list[str] = []
    at = 0
    for kind, start, end, label, stop, _, _ in rows:
        if start < at or kind not in (LINK, TEMPLATE):
            continue
        parts.append(clean[at : start - 2].decode(errors="replace"))
        if kind == LINK and b":" not in clean[start:end]:
            shown = clean[label:stop] or clean[start:end]
            parts.append(shown.rpartition(b"|")[2].decode(errors="replace"))
        at = max(end, stop) + 2
    parts.append(clean[at:].decode(errors="replace"))
    return " ".join(_BETWEEN.sub(" ", "".join(parts)).split())
