"""TiddlyWiki: the tiddlers of its HTML file, in both of its forms, or of a JSON file."""

from __future__ import annotations

import html
import json

import pytest

from tests.sources import read, write
from whatsrelated.errors import ReadError

TIDDLERS = [
    {
        "title": "Tea",
        "text": "[[Milk]] [[the milk|Milk]] GreenTea NoTiddler ~GreenTea [ext[w|https://w.org/#x]] "
        '<$link to="Black tea">b</$link> `[[no]]` [img[x.png]] [[$:/config]] [[Tea]]',
        "tags": "[[Hot drinks]]",
    },
    {"title": "GreenTea", "text": "[[Gone]] [[w|Tea]] <b>&", "tags": ""},
    {"title": "Milk", "text": "[t](#Black%20tea) [w](https://w.org/)", "type": "text/x-markdown"},
    {"title": "Black tea"},
    {"title": "$:/core", "text": "[[Tea]]"},
    {"title": "Draft of 'Tea'", "text": "[[Milk]]", "draft.of": "Tea"},
    {"title": "x.png", "text": "[[Milk]]", "type": "image/png"},
]
LINKS = {
    "Tea": ["Milk", "GreenTea", "https://w.org/", "Black tea"],
    "GreenTea": ["Gone", "Tea"],
    "Milk": ["Black tea", "https://w.org/"],
    "Black tea": [],
}
HEAD = '<!doctype html><html><head><meta name="generator" content="TiddlyWiki" /></head><body>'


def as_store(tiddlers):
    store = json.dumps(tiddlers).replace("<", "\\u003C")
    kind = 'class="tiddlywiki-tiddler-store" type="application/json"'
    return f"{HEAD}<script {kind}>{store}</script></body></html>"


def as_divisions(tiddlers):
    made = ""
    for one in tiddlers:
        fields = {name: value for name, value in one.items() if name != "text"}
        told = " ".join(f'{name}="{html.escape(value)}"' for name, value in fields.items())
        made += f"<div {told}>\n<pre>{html.escape(one.get('text', ''))}</pre>\n</div>"
    return f'{HEAD}<div id="storeArea" style="display:none;">{made}</div></body></html>'


@pytest.mark.parametrize("write_as", [json.dumps, as_store, as_divisions])
def test_tiddlers_are_pages_and_link_as_they_do(tmp_path, write_as):
    source = read(write(tmp_path / "wiki.html", write_as(TIDDLERS)))
    assert [reader.name for _, reader in source.parts] == ["tiddlywiki"]
    assert {page.url: list(page.links) for page in source} == LINKS
    assert source.counts["tiddlywiki"] == {
        "pages": 4,
        "links": 8,
        "system tiddlers, drafts and media left out": 3,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (as_store(TIDDLERS)[:-40], "has no tiddlers"),
        (as_store(TIDDLERS).replace("}]", "}"), "invalid or truncated JSON"),
        (json.dumps(TIDDLERS)[:-1], "invalid or truncated JSON"),
        (HEAD + "<!--~~ Encrypted contents ~~-->", "it is encrypted"),
    ],
)
def test_a_damaged_wiki_is_rejected_with_a_message(tmp_path, text, message):
    with pytest.raises(ReadError, match=message):
        list(read(write(tmp_path / "wiki.html", text)))


def test_items_without_a_title_are_counted(tmp_path):
    odd = [*TIDDLERS[:1], {"text": "x"}, 7, {"title": 3}, {"title": "Odd", "text": 5}]
    source = read(write(tmp_path / "x.json", json.dumps(odd)))
    assert [page.url for page in source] == ["Tea", "Odd"]
    assert source._context.refused.counts == {"tiddlers without a title": 3}
