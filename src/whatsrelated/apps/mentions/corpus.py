"""Read the text of a site: scan every source file, resolve its links and find its phrases.

1. Scan each file for prose and links (markdown_text, html_text, markup_text).
2. The words of links, titles and aliases are the phrases; each has the pages that it stands for.
3. Find the phrases in the prose of every page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from whatsrelated.api.limits import check_time
from whatsrelated.api.reading import SourceFolder, SourcePage, read_text_bytes
from whatsrelated.apps.mentions.documents import Decoded, decode
from whatsrelated.apps.mentions.html_text import scan_html
from whatsrelated.apps.mentions.markdown_text import scan_markdown
from whatsrelated.apps.mentions.markup_text import RULES, scan_markup
from whatsrelated.apps.mentions.phrases import Occurrence, PhraseTable
from whatsrelated.apps.mentions.scan import Scan
from whatsrelated.machine.workers import ItemFailed

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store

MAX_TARGETS = 20
"""Words that link to more pages than this, such as "here", do not name any of them."""

MAX_SUFFIX = 3
FEWEST_INFLECTED = 5
"""An ending counts as an inflection if links add it to the titles of this many pages."""


@dataclass(slots=True)
class SourceText:
    """A page's source file."""

    page: int
    path: str
    decoded: Decoded
    scan: Scan
    targets: list[int]
    """For each link of the scan, the page that it leads to, or -1."""


class PhraseTargets(NamedTuple):
    """The dictionary: each row is a phrase and a page that it stands for."""

    phrases: NDArray[int64]
    targets: NDArray[int64]
    is_title: NDArray[bool_]


class Corpus:
    """The texts of a site, and the phrases in them."""

    def __init__(self, store: Store, folder: SourceFolder) -> None:
        self.store = store
        self.folder = folder
        self.table = PhraseTable()
        self.texts: list[SourceText] = []
        self.by_page: dict[int, int] = {}
        """The place in `texts` of each page's text."""
        self.skipped: Counter[str] = Counter()
        self._numbers = {
            url: page
            for page, url in enumerate(store.urls(np.arange(store.n_pages, dtype=np.uint32)))
        }
        pages = self._read()
        self._resolve()
        self.dictionary = self._dictionary(pages)
        self.occurrences = [self._phrases(text) for text in self.texts]

    def _phrases(self, text: SourceText) -> list[Occurrence]:
        check_time()
        return list(self.table.find(text.scan.masked, text.scan.spans))

    def page_of(self, name: str) -> int:
        """The number of a page by its name in the folder, or -1."""
        return self._numbers.get(name, -1)

    def _read(self) -> list[SourcePage]:
        pages = []
        html = self.folder.tree is None
        for path in self.folder.paths():
            check_time()
            try:
                decoded = decode(read_text_bytes(f"{self.folder.root}/{path}"), html)
            except ItemFailed as error:
                self.skipped[str(error)] += 1
                continue
            source = self.folder.add(path, decoded.text)
            page = self.page_of(source.name)
            if page < 0 or page in self.by_page or path.endswith(".canvas"):
                continue
            pages.append(source)
            self.by_page[page] = len(self.texts)
            self.texts.append(
                SourceText(page, path, decoded, scan_text(self.folder, path, decoded.text), [])
            )
        return pages

    def _resolve(self) -> None:
        for text in self.texts:
            for link in text.scan.links:
                target = self.folder.target(text.path, link.href)
                text.targets.append(self.page_of(target) if target else text.page)

    def _dictionary(self, pages: list[SourcePage]) -> PhraseTargets:
        """The words of links with at most `MAX_TARGETS` targets, titles, and aliases."""
        number = self.table.number
        links: dict[int, Counter[int]] = defaultdict(Counter)
        for text in self.texts:
            for link, target in zip(text.scan.links, text.targets, strict=True):
                if target >= 0 and target != text.page:
                    phrase = number(link.words, link.is_code)
                    if phrase is not None:
                        links[phrase][target] += 1
        titles: set[tuple[int, int]] = set()
        any_code = any(self.table.is_code)
        for source, text in zip(pages, self.texts, strict=True):
            names = [self.store.title(text.page) or source.title, *source.aliases]
            for name in filter(None, names):
                for code in (False, True) if any_code else (False,):
                    phrase = number(name, code)
                    if phrase is not None:
                        titles.add((phrase, text.page))
        for phrase, target in self._inflected(titles, links):
            titles.add((phrase, target))
        rows = [
            (phrase, target, (phrase, target) in titles)
            for phrase, counts in links.items()
            if len(counts) <= MAX_TARGETS
            for target in counts
        ]
        rows += [(*one, True) for one in titles if one[1] not in links.get(one[0], ())]
        rows.sort()
        if not rows:
            empty = np.zeros(0, np.int64)
            return PhraseTargets(empty, empty, empty.astype(np.bool_))
        phrases, targets, is_title = zip(*rows, strict=True)
        return PhraseTargets(
            np.array(phrases, np.int64), np.array(targets, np.int64), np.array(is_title, np.bool_)
        )

    def _inflected(
        self, titles: set[tuple[int, int]], links: dict[int, Counter[int]]
    ) -> Iterator[tuple[int, int]]:
        """Titles with an ending that the site's own links add to other titles."""
        texts = {page: (self.store.title(page) or "").lower() for _, page in titles}
        endings: Counter[str] = Counter()
        for text in self.texts:
            for link, target in zip(text.scan.links, text.targets, strict=True):
                title, words = texts.get(target), link.words.lower()
                if (
                    title
                    and len(title) < len(words) <= len(title) + MAX_SUFFIX
                    and words.startswith(title)
                ):
                    ending = words[len(title) :]
                    if ending.isalpha():
                        endings[ending] += 1
        for ending, count in endings.items():
            if count >= FEWEST_INFLECTED:
                for page, title in texts.items():
                    phrase = self.table.number(title + ending) if title else None
                    if phrase is not None:
                        yield phrase, page


def scan_text(folder: SourceFolder, path: str, text: str) -> Scan:
    """Scan a file by the format of its folder."""
    tree = folder.tree
    if tree is None:
        return scan_html(text)
    if folder.format in RULES:
        return scan_markup(text, RULES[folder.format])
    return scan_markdown(text, wikilinks=tree.wikilinks, prepare=tree.prepare)
