"""Folders of Markdown: what pages are called, and where links lead, kind by kind."""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict

import pytest

from whatsrelated.errors import MissingExtra
from whatsrelated.sources import markdown, reader_named
from whatsrelated.sources.files import File
from whatsrelated.sources.markdown_folder import (
    DocusaurusSources,
    FoamWorkspace,
    HugoSources,
    MarkdownFolder,
    MdnContent,
    MkDocsSources,
    ObsidianVault,
)
from whatsrelated.sources.reader import Reading

BASE = "https://example.org/"


def folder(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def read(kind, root, files=None, **options):
    """The links of each page, and what was found and refused."""
    reading = Reading()
    reader = kind(**{"workers": 1, **options})
    pages = reader.read(File(folder(root, files or {})), reading)
    return {page.url: list(page.links) for page in pages}, reading


def test_plain_files_link_by_path(tmp_path):
    files = {
        "README.md": "[a](docs/a.md) [b](docs/b) [folder](docs/) [top](#x) [web](https://w.org/x)",
        "docs/README.md": "[up](../README.md) [a](./a.md#part) [root](/docs/b.md)",
        "docs/a.md": "[[b]] [gone](gone.md) [pic](pic.png) [out](../../out.md)",
        "docs/b.md": "# B",
    }
    pages, reading = read(MarkdownFolder, tmp_path, files)
    assert pages == {
        "README.md": ["docs/a.md", "docs/b.md", "docs/README.md", "https://w.org/x"],
        "docs/README.md": ["README.md", "docs/a.md", "docs/b.md"],
        "docs/a.md": ["docs/b.md", "docs/gone.md", "out.md"],
        "docs/b.md": [],
    }
    assert reading.found["markdown"] == Counter(
        {
            "pages": 4,
            "links": 10,
            "links to pages that are not there": 2,
            "attachments left out": 1,
        }
    )
    dropped, _ = read(MarkdownFolder, tmp_path, unresolved="drop")
    assert dropped["docs/a.md"] == ["docs/b.md"]
    based, _ = read(MarkdownFolder, tmp_path, base_url=BASE)
    assert based[BASE + "docs/README.md"] == [
        BASE + p for p in ("README.md", "docs/a.md", "docs/b.md")
    ]


VAULT = {
    "Home.md": "[[Tea]] [[tea|T]] [[Tea#Kinds]] ![[Coffee]] [c](Drinks/Coffee.md) [[Nobody]]",
    "Drinks/Tea.md": "---\naliases: [Cha, Thé]\n---\n[[Home]] [[Cha]] [[Pot]] ![[pot.png]]",
    "Drinks/Coffee.md": "[[Cha]] [t](Tea) [t](<Tea.md>) [[../Home]] [[./Tea]] [[./Nowhere]]",
    "Things/Pot.md": "[[Drinks/Tea]] [[Things/Pot]] [w](https://w.org) ![[Coffee#^block]]",
}


def test_a_vault_links_by_name(tmp_path):
    pages, reading = read(ObsidianVault, tmp_path, VAULT)
    assert pages == {
        "Home": ["Drinks/Tea", "Drinks/Coffee", "Nobody"],
        "Drinks/Tea": ["Home", "Things/Pot"],
        "Drinks/Coffee": ["Drinks/Tea", "Home", "Drinks/Nowhere"],
        "Things/Pot": ["Drinks/Tea", "https://w.org", "Drinks/Coffee"],
    }
    assert reading.found["obsidian"]["links to pages that are not there"] == 2
    assert reading.found["obsidian"]["attachments left out"] == 1
    assert read(ObsidianVault, tmp_path, unresolved="drop")[0]["Home"] == [
        "Drinks/Tea",
        "Drinks/Coffee",
    ]


CLASHES = {
    "a/b/Note.md": "",
    "zzzz/Note.md": "",
    "b/Note.md": "",
    "zzzz/Here.md": "[[Note]]",
    "zzzz/deep/Here.md": "[[Note]]",
    "a/Here.md": "[[Note]] [[b/Note]]",
    "c/Alias.md": "---\naliases: [Twice, Once]\n---",
    "d/Alias.md": "---\naliases: [Twice]\n---\n[[Twice]] [[Once]] [[NOTE]]",
}


def test_of_several_notes_of_a_name_obsidian_takes_the_nearest_then_the_shortest(tmp_path):
    pages, reading = read(ObsidianVault, tmp_path, CLASHES)
    assert pages["zzzz/Here"] == ["zzzz/Note"]
    assert pages["zzzz/deep/Here"] == ["b/Note"]
    assert pages["a/Here"] == ["a/b/Note", "b/Note"]
    assert pages["d/Alias"] == ["Twice", "c/Alias", "b/Note"]
    assert reading.found["obsidian"]["links to a name that several pages have"] == 5
    top, _ = read(ObsidianVault, tmp_path, {"Note.md": "", "x/Look.md": "[[Note]]"})
    assert top["zzzz/Here"] == ["Note"]


def test_of_several_notes_of_a_name_foam_takes_the_first(tmp_path):
    pages, _ = read(FoamWorkspace, tmp_path, CLASHES)
    assert pages["zzzz/Here"] == ["a/b/Note"]
    folder(tmp_path, {"zzzz/Path.md": "[here](Note.md) [gone](Gone.md) [[b/Note]]"})
    assert read(FoamWorkspace, tmp_path)[0]["zzzz/Path"] == ["zzzz/Note", "zzzz/Gone", "a/b/Note"]


def test_notes_that_embed_each_other_in_a_circle_are_pages_like_others(tmp_path):
    files = {"a.md": "![[b]]", "b.md": "![[c]] ![[b]]", "c.md": "![[a]]"}
    assert read(ObsidianVault, tmp_path, files)[0] == {"a": ["b"], "b": ["c"], "c": ["a"]}


def test_a_published_vault_is_named_by_its_permalinks(tmp_path):
    files = {"A b.md": "[[C]]", "C.md": "---\npermalink: /see\n---\n[[A b]]"}
    assert read(ObsidianVault, tmp_path, files, base_url=BASE)[0] == {
        BASE + "A%20b": [BASE + "see"],
        BASE + "see": [BASE + "A%20b"],
    }


def test_mkdocs_serves_folders(tmp_path):
    files = {
        "mkdocs.yml": "site_name: x\n",
        "docs/index.md": "[i](guide/install.md) [u](guide/use/) [[no]] [r](/guide/)",
        "docs/guide/install.md": "[up](../index.md) [use](use.md#x) [url](../) [gone](gone.md)",
        "docs/guide/use.md": "[f](https://example.org/guide/install/) [r](README.md)",
        "docs/guide/README.md": "[u](use/)",
        "README.md": "",
    }
    assert read(MkDocsSources, tmp_path, files)[0] == {
        "/": ["guide/install/", "guide/use/", "guide/"],
        "guide/install/": ["/", "guide/use/", "guide/", "guide/install/gone"],
        "guide/use/": ["https://example.org/guide/install/", "guide/"],
        "guide/": ["guide/use/"],
    }
    based, _ = read(MkDocsSources, tmp_path, base_url=BASE)
    assert based[BASE + "guide/use/"] == [BASE + "guide/install/", BASE + "guide/"]
    assert based[BASE + "guide/install/"][:2] == [BASE, BASE + "guide/use/"]
    folder(tmp_path, {"mkdocs.yml": "docs_dir: 'docs'\nuse_directory_urls: false\n"})
    assert BASE + "guide/use.html" in read(MkDocsSources, tmp_path, base_url=BASE)[0]


def test_docusaurus_serves_docs_and_blog(tmp_path):
    files = {
        "docusaurus.config.js": "",
        "docs/intro.md": "---\nslug: /\n---\n[a](02-guide/01-install.md) [u](/docs/guide/use)",
        "docs/02-guide/01-install.md": "[use](use.mdx) [site](@site/docs/intro.md) [u](./use)",
        "docs/02-guide/use.mdx": "---\nid: x\n---\n[b](/blog/2024/01/02/hello) [f](.)",
        "docs/02-guide/02-guide.md": "---\nslug: all\n---\n[i](../intro.md)",
        "docs/02-guide/index.md": "",
        "blog/2024-01-02-hello.md": "[w](world)",
        "blog/2024-01-03-x.md": "---\nslug: world\n---\n[docs](/docs/)",
    }
    assert read(DocusaurusSources, tmp_path, files)[0] == {
        "docs": ["docs/guide/install", "docs/guide/use"],
        "docs/guide/install": ["docs/guide/use", "docs"],
        "docs/guide/use": ["blog/2024/01/02/hello", "docs/guide"],
        "docs/guide/all": ["docs"],
        "docs/guide": [],
        "blog/2024/01/02/hello": ["blog/2024/01/02/world"],
        "blog/world": ["docs"],
    }


def test_hugo_serves_contents(tmp_path):
    files = {
        "hugo.toml": "",
        "content/_index.md": "[p](/posts/first-post/)",
        "content/posts/_index.md": '[b]({{< ref "bundle" >}})',
        "content/posts/First Post.md": '+++\ntitle = "F"\n+++\n[a]({{< relref "second.md#x" >}})',
        "content/posts/second.md": '---\nslug: two\n---\n[b](../bundle/) [c]({{% ref "about" %}})',
        "content/posts/bundle/index.md": "[x](first-post) [gone](/gone/)",
        "content/about.md": "---\nurl: /me/\n---\n",
    }
    assert read(HugoSources, tmp_path, files)[0] == {
        "/": ["posts/first-post/"],
        "posts/": ["posts/bundle/"],
        "posts/first-post/": ["posts/two/"],
        "posts/two/": ["posts/bundle/", "me/"],
        "posts/bundle/": ["posts/bundle/first-post", "gone/"],
        "me/": [],
    }


MDN = {
    "_redirects.txt": "# FROM\tTO\n/en-US/docs/Old\t/en-US/docs/Web/CSS/Reference/Values/New\n"
    "/en-US/docs/Web/CSS/old-name\t/en-US/docs/Web/CSS/Reference/Values/New\n"
    "/en-US/docs/Gone\thttps://example.org/gone\n",
    "web/api/document/index.md": "---\ntitle: D\nslug: Web/API/Document\n---\n"
    '{{APIRef("DOM")}} {{domxref("Document.open()")}} {{ DOMxRef("document.open", "o") }}'
    ' `{{jsxref("Array")}}` `x {{jsxref("no")}}` {{jsxref("Statements/for...of")}}\n\n'
    '<table><tr><td>{{EmbedLiveSample("x")}}\n  {{EmbedLiveSample("y")}}\n'
    '      {{cssxref("&lt;new&gt;")}}</td></tr></table>\n\n{{jsxref("Array#length", "{}")}}\n\n'
    "[o](/en-US/docs/old#x) [g](/en-US/docs/Gone) [s](/en-us/docs/web/api/document/open/)"
    ' {{Glossary("user agent")}} \\{{domxref("No")}} {{PreviousNext("A", "B")}} [[Slot]]\n',
    "web/api/document/open/index.md": "---\nslug: Web/API/Document/open\n---\n"
    '{{cssxref("old-name")}} {{httpstatus(404)}}\n## See also\n- {{domxref("Document")}}\n',
    "web/css/reference/values/new/index.md": "---\nslug: Web/CSS/Reference/Values/New\n---\n",
    "js/index.md": "---\nslug: Web/JavaScript/Reference/Global_Objects/Array\n---\n",
    "js/of/index.md": "---\nslug: Web/JavaScript/Reference/Statements/for...of\n---\n",
    "http/index.md": "---\nslug: Web/HTTP/Reference/Status/404\n---\n",
}


def test_mdns_macros_and_redirects_are_links(tmp_path):
    pages, _ = read(MdnContent, tmp_path, MDN)
    assert pages["Web/API/Document"] == [
        "Web/API/Document/open",
        "Web/JavaScript/Reference/Global_Objects/Array",
        "Web/JavaScript/Reference/Statements/for...of",
        "Web/CSS/Reference/Values/New",
        "https://example.org/gone",
        "Glossary/user_agent",
    ]
    assert pages["Web/API/Document/open"] == [
        "Web/CSS/Reference/Values/New",
        "Web/HTTP/Reference/Status/404",
        "Web/API/Document",
    ]
    docs = "https://developer.mozilla.org/en-US/docs/"
    based, _ = read(MdnContent, tmp_path, base_url=docs, section="see-also")
    assert based[docs + "Web/API/Document/open"] == [docs + "Web/API/Document"]


def test_sections_titles_and_anchors(tmp_path):
    files = {
        "a.md": "---\ntitle: From front\n---\n[x](b.md)\n## See also\n[y](c.md)",
        "b.md": "# From *heading*\n",
        "c.md": "no title",
    }
    assert read(MarkdownFolder, tmp_path, files, section="body")[0]["a.md"] == ["b.md"]
    assert read(MarkdownFolder, tmp_path, section="see-also")[0]["a.md"] == ["c.md"]
    reading = Reading(text=True)
    pages = list(MarkdownFolder(workers=1, anchors=True).read(File(tmp_path), reading))
    assert [page.title for page in pages] == ["From front", "From heading", "c"]
    assert list(pages[0].anchors) == ["x", "y"]
    assert pages[2].text == "no title"


def test_bad_files_are_counted_and_the_others_read(tmp_path):
    files = {
        "good.md": "[[x]]",
        "broken.md": "---\ntitle: never ends\n[[x]]",
        "latin.md": "größe [[ü]]".encode("latin-1"),
        "wide.md": "\ufeff[[wide]]".encode("utf-16"),
        "binary.md": bytes(range(256)) * 20,
    }
    pages, reading = read(ObsidianVault, tmp_path, files)
    assert pages["good"] == pages["broken"] == ["x"]
    assert pages["wide"] == []
    assert pages["latin"] == ["\ufffd"]
    assert reading.refused.counts == {"broken front matter": 1, "binary files": 1}


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({".obsidian/app.json": "{}", "a.md": ""}, "obsidian"),
        ({"a.md": "[[b]]", "b.md": "`[[c]]`"}, "obsidian"),
        ({".foam/x": "", "a.md": "[[b]]"}, "foam"),
        ({"mkdocs.yml": "", "docs/a.md": "", "site/a.html": "<html>"}, "mkdocs"),
        ({"docusaurus.config.ts": "", "docs/a.mdx": ""}, "docusaurus"),
        ({"hugo.toml": "", "content/a.md": ""}, "hugo"),
        ({"files/en-us/_redirects.txt": "", "files/en-us/a/index.md": ""}, "mdn"),
        ({"a.html": "<html>", "README.md": ""}, "html"),
        ({"page": "<!doctype html>", "b": "x"}, "html"),
        ({"a.md": "[b](b.md)", "b.md": "", "c.html": ""}, "markdown"),
    ],
)
def test_a_folder_is_recognised_by_what_is_in_it(tmp_path, files, kind):
    from whatsrelated.sources import open_sources

    [(_, reader)] = open_sources([folder(tmp_path, files)]).parts
    assert reader.name == kind
    assert isinstance(reader, reader_named(kind))


def test_a_missing_parser_is_named_with_the_way_to_get_it(tmp_path, monkeypatch):
    import sys

    markdown.markdown_parser.cache_clear()
    monkeypatch.setitem(sys.modules, "pyromark", None)
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[vault\]'"):
        read(MarkdownFolder, tmp_path, {"a.md": "x"})


def derived(shared, name, section):
    """The links of a table that others derived from the same files, by source."""
    with gzip.open(shared / "data" / name / "pages.tsv.gz", "rt") as table:
        names = dict(line.split("\t")[:2] for line in table)
    links = defaultdict(dict)
    with gzip.open(shared / "data" / name / "links.tsv.gz", "rt") as table:
        for line in list(table)[1:]:
            source, _, target, part = line.rstrip("\n").split("\t")
            if source != target and part == section:
                links[names[source]][names[target]] = None
    return {source: list(targets) for source, targets in links.items()}


def inside(pages, links):
    """Links between pages of the folder, page by page, where there are any."""
    kept = {page: [link for link in links[page] if link in pages] for page in pages}
    return {page: links for page, links in kept.items() if links}


def test_obsidians_own_help_agrees_with_the_table_derived_from_it(vault, shared):
    pages, _ = read(ObsidianVault, vault, unresolved="drop")
    ours, theirs = inside(pages, pages), derived(shared, "obsidian_help", "body")
    missing = {(a, b) for a, links in theirs.items() for b in links if b not in ours.get(a, ())}
    extra = {(a, b) for a, links in ours.items() for b in links if b not in theirs.get(a, ())}
    nearer = ("Obsidian Publish/Introduction to Obsidian Publish", "/Security and privacy")
    assert len(pages) == 173
    assert missing == {(nearer[0], "Obsidian Sync" + nearer[1])}
    assert (nearer[0], "Obsidian Publish" + nearer[1]) in extra
    assert len(extra) == 11


def test_mdns_content_agrees_with_the_table_derived_from_it(mdn, shared):
    pages, reading = read(MdnContent, mdn, section="body", unresolved="drop", workers=0)
    ours, theirs = inside(pages, pages), derived(shared, "mdn", "body")
    total = sum(map(len, theirs.values()))
    missing = [(a, b) for a, links in theirs.items() for b in links if b not in ours.get(a, ())]
    extra = [(a, b) for a, links in ours.items() for b in links if b not in theirs.get(a, ())]
    assert (len(pages), total) == (14_593, 108_319)
    assert len(missing) < 400
    assert len(extra) < 0.04 * total
    assert not reading.refused.counts
