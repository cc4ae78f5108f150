"""Folders of reStructuredText, AsciiDoc and Org: their links, and nothing else."""

from __future__ import annotations

import pytest

from tests.sources.markdown_folders import read_as_expected
from whatsrelated.sources.markup import AsciiDocFolder, OrgFolder, RstFolder

FOLDERS = {
    RstFolder: (
        {
            "index.rst": "=====\nHome\n=====\n\n.. toctree::\n   :maxdepth: 2\n\n   guide/tea\n"
            "   Milk <guide/milk>\n\nSee :doc:`the tea <guide/tea>` and `web <https://w.org/>`_.\n",
            "guide/tea.rst": ".. _green-tea:\n\nTea\n===\n\n"
            ":doc:`milk` :doc:`/index` :doc:`gone`\n",
            "guide/milk.rst": "Milk\n----\n\n    :ref:`with tea <green-tea>` :ref:`nowhere`\n"
            "\n.. _site: https://s.org/\n",
        },
        {
            "index.rst": ["guide/tea.rst", "guide/milk.rst", "https://w.org/"],
            "guide/tea.rst": ["guide/milk.rst", "index.rst", "guide/gone"],
            "guide/milk.rst": ["guide/tea.rst", "nowhere", "https://s.org/"],
        },
    ),
    AsciiDocFolder: (
        {
            "index.adoc": "= Home\n\nxref:guide/tea.adoc#part[tea] link:guide/milk.adoc[m] "
            "https://w.org/[web]\n",
            "guide/tea.adoc": "= Tea\n\n[[green]]\n== Green\n<<milk.adoc#,milk>>\n",
            "guide/milk.adoc": "= Milk\n<<green>>\n",
        },
        {
            "index.adoc": ["guide/tea.adoc", "guide/milk.adoc", "https://w.org/"],
            "guide/tea.adoc": ["guide/milk.adoc"],
            "guide/milk.adoc": ["guide/tea.adoc"],
        },
    ),
    OrgFolder: (
        {
            "home.org": "#+title: Home\n[[file:sub/tea.org::*Green][tea]] [[https://w.org/][w]]\n",
            "sub/tea.org": ":PROPERTIES:\n:ID: abc-1\n:END:\n#+TITLE: Tea\n[[../home.org]]\n",
            "sub/milk.org": "* Milk\n[[id:abc-1][tea]] [[Green]]\n",
        },
        {
            "home.org": ["sub/tea.org", "https://w.org/"],
            "sub/tea.org": ["home.org"],
            "sub/milk.org": ["sub/tea.org"],
        },
    ),
}


@pytest.mark.parametrize("kind", FOLDERS, ids=lambda kind: kind.name)
def test_links_by_path_label_and_address_are_read_and_titles_are_kept(kind, tmp_path):
    source = read_as_expected(kind, tmp_path, *FOLDERS[kind])
    assert {page.title for page in source} >= {"Home", "Tea"}
