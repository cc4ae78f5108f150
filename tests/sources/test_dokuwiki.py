"""DokuWiki: names by namespace, links as its pages write them."""

from __future__ import annotations

import pytest

from tests.sources.markdown_folders import BASE, folder, read
from whatsrelated.sources import open_sources
from whatsrelated.sources.dokuwiki import DokuWikiFolder, clean_id

FILES = {
    "start.txt": "====== Home ======\n[[tea:]] [[tea:green|green]] [[Milk & Sugar]] "
    "[[https://w.org/x|web]] [[wp>Tea]] [[me@w.org]] [[tea:milk#hot]] %%[[no]]%% "
    "<code>[[no]]</code>\n",
    "tea/start.txt": "===== Tea =====\n[[green]] [[.:milk]] [[:start]] [[..:coffee]] [[#part]]\n",
    "tea/green.txt": "== Green ==\n[[..:]] [[.:]] [[tea:black:leaf]] [[black:]]\n",
    "tea/milk.txt": "== Milk ==\n[[Green]] [[GREEN|again]]\n",
    "tea/black/black.txt": "== Black ==\n[[..:green]] [[..:..:start]] {{tea:cup.png}}\n",
}
LINKS = {
    "start": ["tea:start", "tea:green", "milk_sugar", "https://w.org/x", "tea:milk"],
    "tea:start": ["tea:green", "tea:milk", "start", "coffee"],
    "tea:green": ["start", "tea:start", "tea:black:leaf", "black:start"],
    "tea:milk": ["tea:green"],
    "tea:black:black": ["tea:green", "start"],
}


def test_links_are_resolved_in_their_namespaces(tmp_path):
    pages, context = read(DokuWikiFolder, tmp_path, FILES)
    assert pages == LINKS
    assert context.counts["dokuwiki"]["links"] == sum(map(len, LINKS.values()))


def test_titles_and_addresses(tmp_path):
    reader = DokuWikiFolder(workers=1, base_url=BASE)
    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import ReadContext

    pages = list(reader.read(File(folder(tmp_path, FILES)), ReadContext()))
    assert {page.url: page.title for page in pages}[f"{BASE}tea:green"] == "Green"
    assert next(page.links for page in pages if page.url == f"{BASE}tea:milk") == [
        f"{BASE}tea:green"
    ]


@pytest.mark.parametrize("where", ["data/pages/", "pages/", ""])
def test_a_wiki_is_recognised_by_its_folders_or_its_headings(tmp_path, where):
    files = {where + path: text for path, text in FILES.items()}
    files |= {"data/meta/x.meta": "a", "README": "no page"} if where == "data/pages/" else {}
    files |= {"meta/x.meta": "a"} if where == "pages/" else {}
    source = open_sources([folder(tmp_path, files)], options={"workers": 1})
    assert [reader.name for _, reader in source.parts] == ["dokuwiki"]
    assert {page.url: list(page.links) for page in source} == LINKS


def test_names_are_cleaned_as_dokuwiki_does_it():
    assert clean_id(":Tea Time:: Größe/1 ") == "tea_time:größe_1"
