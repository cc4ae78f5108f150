"""More site generators: names of pages, and where links lead."""

from __future__ import annotations

import pytest

from tests.sources.markdown_folders import read, read_as_expected
from whatsrelated.sources.generators import (
    AstroSources,
    JekyllSources,
    LogseqGraph,
    NuxtSources,
    VitePressSources,
)

SITES = {
    VitePressSources: (
        {
            "docs/.vitepress/config.mts": "export default {}",
            "docs/index.md": "[g](/guide/start) [h](./guide/start.md) [i](guide/)",
            "docs/guide/index.md": "[s](start.html#part)",
            "docs/guide/start.md": "[home](../)",
        },
        {
            "/": ["guide/start.html", "guide/"],
            "guide/": ["guide/start.html"],
            "guide/start.html": ["/"],
        },
    ),
    AstroSources: (
        {
            "astro.config.mjs": "",
            "src/content/docs/index.mdx": "[g](/guides/first-steps/)",
            "src/content/docs/Guides/First Steps.md": "[r](../reference/) [h](/)",
            "src/content/docs/reference.md": "[g](./Guides/First%20Steps.md)",
        },
        {
            "/": ["guides/first-steps/"],
            "guides/first-steps/": ["reference/", "/"],
            "reference/": ["guides/first-steps/"],
        },
    ),
    JekyllSources: (
        {
            "_config.yml": "",
            "_posts/2026-11-17-tea.md": "[a](/about.html) [b]({{ site.baseurl }}/about)",
            "about.md": "[t]({% post_url 2026-11-17-tea %}) [l]({% link own.md %})",
            "own.md": "---\npermalink: /mine/\n---\n[t](/2026/11/17/tea.html)",
        },
        {
            "2026/11/17/tea.html": ["about.html"],
            "about.html": ["2026/11/17/tea.html", "mine/"],
            "mine/": ["2026/11/17/tea.html"],
        },
    ),
    NuxtSources: (
        {
            "nuxt.config.ts": "",
            "content/index.md": "[t](/guide/tea)",
            "content/1.guide/index.md": "[t](/guide/tea)",
            "content/1.guide/2.tea.md": "[g](/guide) [h](/)",
        },
        {"/": ["guide/tea"], "guide": ["guide/tea"], "guide/tea": ["guide", "/"]},
    ),
    LogseqGraph: (
        {
            "logseq/config.edn": "{}",
            "pages/tea___green.md": "- [[milk]] #sugar #[[brown sugar]]\n",
            "pages/milk.md": "alias:: Moo, cream\ntype:: x\n\n- [[tea/green]]\n# Heading\n",
            "logseq/bak/pages/milk/2026-11-01.md": "- [[gone]]\n",
            "pages/brown sugar.md": "- x\n  id:: 65f0c0de-0000-4000-8000-000000000001\n",
            "journals/2026_11_17.md": "- [[Milk]] ((65f0c0de-0000-4000-8000-000000000001))\n",
            "journals/2026_11_18.md": "- [[moo]] and [[Cream]]\n",
        },
        {
            "tea/green": ["milk", "sugar", "brown sugar"],
            "milk": ["tea/green"],
            "brown sugar": [],
            "journals/2026_11_17": ["milk", "brown sugar"],
            "journals/2026_11_18": ["milk"],
        },
    ),
}


@pytest.mark.parametrize(
    ("config", "title"),
    [
        ("", "Nov 2nd, 2026"),
        (':journal/page-title-format "EEEE, dd.MM.yyyy"', "Monday, 02.11.2026"),
        (';; :journal/page-title-format "yy"\n:journal/page-title-format "d MMMM"', "2 November"),
    ],
)
def test_a_day_of_logseqs_journal_is_known_by_its_title(config, title, tmp_path):
    files = {
        "logseq/config.edn": f"{{:meta/version 1\n{config}}}",
        "pages/tea.md": f"- [[{title}]]\n",
        "journals/2026_11_02.md": "- x\n",
        "journals/2026_11_99.md": "- no day\n",
    }
    pages, _ = read(LogseqGraph, tmp_path, files)
    assert pages["tea"] == ["journals/2026_11_02"]


def test_logseqs_tags_and_labelled_references_are_links(tmp_path):
    block = "65f0c0de-0000-4000-8000-000000000001"
    files = {
        "logseq/config.edn": "{}",
        "pages/tea.md": f"tags:: drink, [[very hot, too]], #good\n\n- [b]((({block})))\n",
        "pages/milk.md": f"- [label]([[tea]])\n  id:: {block}\n",
    }
    pages, _ = read(LogseqGraph, tmp_path, files)
    assert pages == {"milk": ["tea"], "tea": ["drink", "very hot, too", "good", "milk"]}


@pytest.mark.parametrize("kind", SITES, ids=lambda kind: kind.name)
def test_a_generator_is_recognised_and_gives_pages_their_addresses(kind, tmp_path):
    read_as_expected(kind, tmp_path, *SITES[kind])


def test_vitepress_may_leave_out_the_ending(tmp_path):
    files = {".vitepress/config.js": "export default { cleanUrls: true }", "a.md": "[b](b)"}
    pages, _ = read(VitePressSources, tmp_path, {**files, "b.md": "[a](/a.html)"})
    assert pages == {"a": ["b"], "b": ["a"]}
