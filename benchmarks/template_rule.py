"""Do the links we leave out as templates come from the theme, and those we keep from the author?

    python -m benchmarks.template_sites FOLDER
    python -m benchmarks.template_rule FOLDER

The first builds real sites, in which two words show where the author's text begins and ends;
the second removes the words, reads each site as `related build` does, and compares.  A link
is a pair of page and target.  The author's are those between the two words; the others on the
page are the theme's.  Only pages with both words count, but all pages of a site are read.
The second table has the same for small sites: twenty draws of eight such pages from each site.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.measure import table
from benchmarks.template_sites import BEGIN, END, SITES
from whatsrelated.names.canonical import BadName
from whatsrelated.sources import html
from whatsrelated.sources.folder import Addresses
from whatsrelated.sources.html_folder import HtmlFolder, ReadHtml
from whatsrelated.sources.page_records import PageRecord, decode_record
from whatsrelated.sources.page_set import PageSet
from whatsrelated.sources.url_joins import UrlBase

DRAWS, SMALL = 20, 8
"""The number of small sites drawn from each site, and of the pages of each."""

_WORDS = re.compile(rf"<p[^<>]*>\s*(?:{BEGIN}|{END})\s*</p>|{BEGIN}|{END}")
_COLUMNS = ["site", "generator", "pages", "author's links", "theme's links"]
_COLUMNS += ["kept: precision", "recall", "left out: precision", "recall", "chosen on it"]


class BuiltSite:
    """A built site: the record of each page and, if marked, the author's links and all links."""

    def __init__(self, built: Path) -> None:
        self.records: list[PageRecord] = []
        self.authors: dict[str, set[str]] = {}
        self.links: dict[str, set[str]] = {}
        with tempfile.TemporaryDirectory() as root:
            texts = {}
            for path in sorted(built.rglob("*.html")):
                relative = str(path.relative_to(built))
                texts[relative] = path.read_text(errors="replace")
                (Path(root) / relative).parent.mkdir(parents=True, exist_ok=True)
                (Path(root) / relative).write_text(_WORDS.sub("", texts[relative]))
            read = ReadHtml(root, "https://site.example/", HtmlFolder())
            addresses = Addresses(root, read.base)
            for relative, text in texts.items():
                self.records.append(decode_record(read(relative)))
                self._compare(text, relative, addresses)

    def _compare(self, text: str, path: str, addresses: Addresses) -> None:
        body = text[max(0, text.find("<body")) :]
        if body.count(BEGIN) != 1 or body.count(END) != 1:
            return
        own = body.partition(BEGIN)[2].partition(END)[0]
        name = addresses.name(path)
        targets = addresses.targets(UrlBase(addresses.url(path)))
        self.authors[name] = set(_targets(own, targets)) - {"", name}
        self.links[name] = set(_targets(text, targets)) - {"", name}


def _targets(markup: str, targets: dict[str, str]) -> Iterable[str]:
    for href, marks in html.read_html(markup).links:
        if not marks & html.NOT_RECOMMENDED:
            try:
                yield targets[href.partition("#")[0]]
            except BadName:
                continue


def counts(site: BuiltSite, records: list[PageRecord]) -> Counter[str]:
    """How many links of these pages are kept or left out, by origin."""
    pages = PageSet()
    for record in records:
        pages.add(record)
    pages.find_templates(records)
    found: Counter[str] = Counter()
    for page in pages.pages(records, Counter()):
        if page.url in site.authors:
            own, kept = site.authors[page.url], set(page.links)
            for target in site.links[page.url]:
                whose = "author" if target in own else "theme"
                found[f"{whose} {'kept' if target in kept else 'left out'}"] += 1
    return found


def row(name: str, pages: int, found: Counter[str]) -> list[str]:
    own, theme = "author", "theme"
    kept, left = found[f"{own} kept"], found[f"{theme} left out"]
    authors, themes = kept + found[f"{own} left out"], left + found[f"{theme} kept"]
    shares = [
        (kept, kept + found[f"{theme} kept"]),
        (kept, authors),
        (left, left + found[f"{own} left out"]),
        (left, themes),
    ]
    return [
        name,
        SITES[name].generator,
        f"{pages:,}",
        f"{authors:,}",
        f"{themes:,}",
        *(f"{part / whole:.3f}" if whole else "–" for part, whole in shares),
        "yes" if SITES[name].fitted else "no",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("sites", nargs="*", metavar="SITE")
    arguments = parser.parse_args()
    whole, small = [], []
    for name in arguments.sites or SITES:
        built = arguments.folder / name / "built"
        if not built.is_dir():
            print(f"{name}: not built")
            continue
        site = BuiltSite(built)
        whole.append(row(name, len(site.records), counts(site, site.records)))
        known = [record for record in site.records if record.name in site.authors]
        draw = random.Random(1)
        drawn: Counter[str] = Counter()
        for _ in range(DRAWS):
            drawn += counts(site, draw.sample(known, min(SMALL, len(known))))
        small.append(row(name, min(SMALL, len(known)), drawn))
    table("Whole sites", _COLUMNS, whole)
    table(f"{DRAWS} draws of {SMALL} pages", _COLUMNS, small)


if __name__ == "__main__":
    main()
