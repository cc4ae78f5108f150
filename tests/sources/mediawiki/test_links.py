"""The links of a wikitext, and the kind of each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.sources import html
from whatsrelated.sources.files import File
from whatsrelated.sources.mediawiki.dump import read_part, site_of
from whatsrelated.sources.mediawiki.links import TRANSCLUDED, WikiTextReader
from whatsrelated.sources.mediawiki.titles import Namespace, SiteInfo, Titles


def reader(**settings: object) -> WikiTextReader:
    return WikiTextReader(Titles(SiteInfo("teawiki")), **settings)  # type: ignore[arg-type]


def titles(text: str, **settings: object) -> list[str]:
    return [title for title, _ in reader(**settings).read(text, "Page").links]


def test_links_come_in_reading_order_with_those_of_captions_and_boxes() -> None:
    text = (
        "{{Infobox|place=[[China]]}} [[tea|Tea]] and [[Milk (drink)|]] "
        "[[File:Cup.jpg|thumb|A cup of [[green tea]]]] <gallery>\nCup.jpg|[[Cup]]\n</gallery>"
    )
    assert titles(text) == ["China", "Tea", "Milk (drink)", "Green tea", "Cup"]


TARGETS = st.lists(st.sampled_from([*"aZ9 _:#/.,'()!-&%|é", "File:", "x.jpg", "de:", "a" * 99]))


@given(TARGETS.map("".join), st.sampled_from([None, frozenset({0}), frozenset({14})]))
def test_plain_targets_are_found_as_all_others_are(
    target: str, namespaces: frozenset[int] | None
) -> None:
    own = reader(namespaces=namespaces)
    assert own._find_plain(target.encode()) in (None, own._find(target, ""))
    words = target.replace("_", "x")
    assert titles(f"[[{words}]]", namespaces=None) == titles(f"[[ {words}]]", namespaces=None)


def test_a_wiki_that_keeps_small_letters_keeps_them() -> None:
    site = SiteInfo("teawiktionary", namespaces=(Namespace(0, "", first_letter=False),))
    assert WikiTextReader(Titles(site)).read("[[tea time]]", "Page").links == [("tea time", 0)]
    assert reader()._find_plain(b"tea time") == ("Tea time", "")


def test_text_that_is_not_a_link_is_ignored() -> None:
    text = (
        "<nowiki>[[a]]</nowiki><!-- [[b]] --><math>[[c]]</math><pre>[[d]]</pre>"
        "[[{{{1}}}]] [[e\nf]] [[g|see [[h]] there]] [https://example.org/ i] [[#j]]"
    )
    assert titles(text) == ["H"]


def test_navigation_and_see_also_are_marked() -> None:
    text = (
        "[[a]]\n== See also ==\n* [[b]]\n=== ''More'' ===\n* [[c]]\n== History ==\n[[d]]\n"
        "{{Navbox|list1=[[e]] {{nowrap|[[f]]}}}}"
    )
    assert reader().read(text, "Page").links == [
        ("A", 0),
        ("B", html.SEE_ALSO),
        ("C", html.SEE_ALSO),
        ("D", 0),
        ("E", html.NAVIGATION),
        ("F", html.NAVIGATION),
    ]


def test_templates_that_name_pages_link_to_them() -> None:
    assert titles("{{Main|tea#Leaf|Milk|l1=x}} {{See also|cup}} {{Cite|book}}") == [
        "Tea",
        "Milk",
        "Cup",
    ]


def test_links_that_leave_the_articles_are_counted() -> None:
    text = "[[de:Tee]] [[Category:Tea]] [[File:Tea.jpg]] [[Help:Tea]] [[<b>]] [[Media:x.ogg]]"
    found = reader().read(text, "Page")
    assert found.links == []
    assert found.left_out == {"interwiki": 1, "category": 1, "file": 2, "other namespace": 1}
    assert titles("[[Help:tea]] [[:Category:Tea]]", namespaces=None) == ["Help:Tea", "Category:Tea"]


def test_disambiguation_pages_are_known_by_their_templates() -> None:
    for text in ("{{Disambiguation}}", "{{hndis|Tea}}", "{{Begriffsklärung}}", "__DISAMBIG__"):
        assert reader().read(text, "Page").disambiguation, text
    assert not reader().read("{{Infobox}}", "Page").disambiguation


def test_labels_are_kept_without_markup() -> None:
    found = reader(anchors=True).read("[[tea|''the'' leaf]] [[milk]]", "Page")
    assert found.anchors == ["the leaf", "milk"]


def test_templates_stand_among_the_links_on_request() -> None:
    assert titles("[[a]] {{box}} [[b]]", transclusions=True) == [
        "A",
        f"{TRANSCLUDED}Template:Box",
        "B",
    ]


def test_the_words_of_a_page() -> None:
    text = "'''Tea''' is a [[drink|hot drink]].{{cite|x}}\n== Use ==\n"
    text += "[[File:a.jpg|thumb|cap]] <b>It</b>"
    assert reader(text=True).read(text, "Page").text == "Tea is a hot drink. Use It"


def test_mwparserfromhell_finds_no_link_that_we_miss(shared: Path) -> None:
    """It skips some of our links, in galleries and after unclosed quotes."""
    parser = pytest.importorskip("mwparserfromhell")
    (path,) = (shared / "data" / "wikidump_sample").glob("*.bz2")
    count = more = 0
    for page in list(read_part(File(path), 0, 0, lambda reason, where: None))[:150]:
        clean = kernels.wikitext.clean(page.text.encode(), b"includeonly")
        rows = kernels.wikitext.scan(clean).tolist()
        ours = Counter(clean[row[1] : row[2]].decode() for row in rows if row[0] == 0)
        theirs = Counter(str(link.title) for link in parser.parse(page.text).filter_wikilinks())
        assert not theirs - ours, page.title
        count += theirs.total()
        more += (ours - theirs).total()
    assert count > 5000
    assert more < count / 100


def test_every_title_of_a_real_dump_is_written_as_in_the_dump(shared: Path) -> None:
    (path,) = (shared / "data" / "wikidump_sample").glob("*.bz2")
    texts = Titles(site_of(File(path)))
    tree = ElementTree.fromstring(File(path).read())
    found = [e.text or "" for e in tree.iter() if e.tag.endswith("}title")]
    assert len(found) == 206
    assert [texts.find(":" + title)[0] for title in found] == found
