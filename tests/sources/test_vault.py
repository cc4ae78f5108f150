"""Vaults of notes: links by name, as Obsidian and Foam understand them."""

from __future__ import annotations

import json

from tests.sources.markdown_folders import BASE, derived, folder, inside, read
from whatsrelated.sources.markdown_folder import FoamWorkspace, ObsidianVault

VAULT = {
    "Home.md": "[[Tea]] [[tea|T]] [[Tea#Kinds]] ![[Coffee]] [c](Drinks/Coffee.md) [[Nobody]]",
    "Drinks/Tea.md": "---\naliases: [Cha, Thé]\n---\n[[Home]] [[Cha]] [[Pot]] ![[pot.png]]",
    "Drinks/Coffee.md": "[[Cha]] [t](Tea) [t](<Tea.md>) [[../Home]] [[./Tea]] [[./Nowhere]]",
    "Things/Pot.md": "[[Drinks/Tea]] [[Things/Pot]] [w](https://w.org) ![[Coffee#^block]]",
}


def test_a_vault_links_by_name(tmp_path):
    pages, context = read(ObsidianVault, tmp_path, VAULT)
    assert pages == {
        "Home": ["Drinks/Tea", "Drinks/Coffee", "Nobody"],
        "Drinks/Tea": ["Home", "Things/Pot"],
        "Drinks/Coffee": ["Drinks/Tea", "Home", "Drinks/Nowhere"],
        "Things/Pot": ["Drinks/Tea", "https://w.org", "Drinks/Coffee"],
    }
    assert context.counts["obsidian"]["links to missing pages"] == 2
    assert context.counts["obsidian"]["attachments left out"] == 1
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


def test_if_several_notes_match_obsidian_takes_the_nearest_then_the_shortest(tmp_path):
    pages, context = read(ObsidianVault, tmp_path, CLASHES)
    assert pages["zzzz/Here"] == ["zzzz/Note"]
    assert pages["zzzz/deep/Here"] == ["zzzz/Note"]
    assert pages["a/Here"] == ["a/b/Note", "b/Note"]
    assert pages["d/Alias"] == ["Twice", "c/Alias", "b/Note"]
    assert context.counts["obsidian"]["links to a name shared by several pages"] == 5
    top, _ = read(ObsidianVault, tmp_path, {"Note.md": "", "x/Look.md": "[[Note]]"})
    assert top["zzzz/Here"] == ["zzzz/Note"]
    assert top["x/Look"] == ["Note"]


def test_a_note_links_to_its_own_language(tmp_path):
    notes = {f"{tongue}/{part}.md": "" for tongue in ("bn", "en") for part in ("a/Home", "b/Tea")}
    notes["en/b/Look.md"] = "[[Home]] [[Tea]]"
    pages, _ = read(ObsidianVault, tmp_path, notes)
    assert pages["en/b/Look"] == ["en/a/Home", "en/b/Tea"]


def test_if_several_notes_match_foam_takes_the_first(tmp_path):
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


def test_a_canvas_links_to_its_cards(tmp_path):
    canvas = {
        "nodes": [
            {"id": "1", "type": "file", "file": "deep/Tea.md"},
            {"id": "2", "type": "link", "url": "https://tea.example/"},
            {"id": "3", "type": "text", "text": "with [[Milk]]"},
            {"id": "4", "type": "group"},
            7,
        ],
        "edges": [],
    }
    files = {
        "Board.canvas": json.dumps(canvas),
        "broken.canvas": '{"nodes": ',
        "deep/Tea.md": "[[Board.canvas]]",
        "Milk.md": "{not a canvas} [[Tea]]",
    }
    pages, _ = read(ObsidianVault, tmp_path, files)
    assert pages == {
        "Board.canvas": ["deep/Tea", "https://tea.example/", "Milk"],
        "broken.canvas": [],
        "Milk": ["deep/Tea"],
        "deep/Tea": ["Board.canvas"],
    }
