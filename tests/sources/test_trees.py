"""Sources of sites: names of pages, and where links lead, for each generator."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.sources.markdown_folders import BASE, folder, read
from whatsrelated.sources.markdown_folder import (
    DocusaurusSources,
    HugoSources,
    MarkdownFolder,
    MkDocsSources,
)


def test_plain_files_link_by_path(tmp_path):
    files = {
        "README.md": "[a](docs/a.md) [b](docs/b) [folder](docs/) [top](#x) [web](https://w.org/x)",
        "docs/README.md": "[up](../README.md) [a](./a.md#part) [root](/docs/b.md)",
        "docs/a.md": "[[b]] [gone](gone.md) [pic](pic.png) [out](../../out.md)",
        "docs/b.md": "# B",
    }
    pages, context = read(MarkdownFolder, tmp_path, files)
    assert pages == {
        "README.md": ["docs/a.md", "docs/b.md", "docs/README.md", "https://w.org/x"],
        "docs/README.md": ["README.md", "docs/a.md", "docs/b.md"],
        "docs/a.md": ["docs/b.md", "docs/gone.md", "out.md"],
        "docs/b.md": [],
    }
    assert context.counts["markdown"] == Counter(
        {
            "pages": 4,
            "links out of the folder": 1,
            "links": 10,
            "links to missing pages": 2,
            "attachments left out": 1,
        }
    )
    dropped, _ = read(MarkdownFolder, tmp_path, unresolved="drop")
    assert dropped["docs/a.md"] == ["docs/b.md"]
    based, _ = read(MarkdownFolder, tmp_path, base_url=BASE)
    assert based[BASE + "docs/README.md"] == [
        BASE + p for p in ("README.md", "docs/a.md", "docs/b.md")
    ]


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


@pytest.mark.parametrize(
    ("file", "settings"),
    [
        ("hugo.toml", 'baseURL = "https://a.example/blog/"'),
        ("config.yaml", "baseurl: https://a.example/blog"),
        ("hugo.json", '{\n  "baseURL": "https://a.example/blog/"\n}'),
    ],
)
def test_links_of_hugo_may_have_the_path_or_the_whole_of_its_base_url(file, settings, tmp_path):
    files = {
        file: settings,
        "content/tea.md": "[a](/blog/milk/) [b](https://a.example/blog/pot/)",
        "content/milk.md": "[a](https://a.example/blog/t/) [b](https://b.example/) [c](/blog/x/)",
        "content/pot.md": "[a](https://a.example/blogs/tea/)",
    }
    assert read(HugoSources, tmp_path, files)[0] == {
        "tea/": ["milk/", "pot/"],
        "milk/": ["https://a.example/blog/t/", "https://b.example/", "x/"],
        "pot/": ["https://a.example/blogs/tea/"],
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
