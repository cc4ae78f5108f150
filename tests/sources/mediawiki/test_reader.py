"""A wiki's dump becomes pages: redirects resolved, template links separate."""

from __future__ import annotations

import bz2
import subprocess
from pathlib import Path

import pytest

from tests.sources import read, write
from tests.sources.mediawiki import by_page, dump, links, page
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.stream import Page

WIKI = (
    page("Tea", "[[Milk]] [[Tee]] [[Green]] {{Drinks}}\n== See also ==\n* [[Cup]]"),
    page("Tee", "#REDIRECT [[Tea]]", redirect="Tea"),
    page("Green", "#REDIRECT [[Grün]]", redirect="Grün"),
    page("Grün", "#REDIRECT [[Green tea]]", redirect="Green tea"),
    page("Green tea", "[[tee|Tea]] [[Hilfe:Tea]] {{Navbox|list=[[Coffee]]}}"),
    page("Cup", "{{Begriffsklärung}} [[Tea]] [[Cups]]"),
    page("Vorlage:Drinks", "[[Tea]] [[Coffee]] {{Inner}}<noinclude>[[X]]</noinclude>", ns=10),
    page("Vorlage:Inner", "[[Water]] {{Drinks}}", ns=10),
    page("Kategorie:Drinks", "[[Tea]]", ns=14),
)


def test_redirects_are_folded_and_other_namespaces_left_out(tmp_path: Path) -> None:
    assert links(tmp_path, *WIKI) == {
        "Tea": ["Milk", "Green tea", "Cup"],
        "Green tea": ["Tea"],
        "Cup": ["Tea", "Cups"],
    }


def test_redirects_can_be_kept(tmp_path: Path) -> None:
    found = links(tmp_path, *WIKI, redirects="keep")
    assert found["Tee"] == ["Tea"]
    assert found["Green"] == ["Grün"]
    assert found["Tea"] == ["Milk", "Tee", "Green", "Cup"]


def test_an_old_dump_has_redirect_targets_in_its_text(tmp_path: Path) -> None:
    old = page("Tee", "#WEITERLEITUNG [[tea#Leaf]]", redirect="").replace(' title=""', "")
    assert links(tmp_path, page("Milk", "[[Tee]]"), old) == {"Milk": ["Tea"]}


def test_templates_contribute_links_if_all_links_are_read(tmp_path: Path) -> None:
    found = links(tmp_path, *WIKI, links="all")
    assert found["Tea"] == ["Milk", "Green tea", "Coffee", "Water", "Cup"]
    assert found["Green tea"] == ["Tea", "Coffee"]


def test_a_template_that_the_dump_lacks_is_counted_and_is_not_a_link(tmp_path: Path) -> None:
    text = dump(page("Tea", "{{Infobox}} [[Milk]] {{Infobox}}"))
    source = read(write(tmp_path / "wiki.xml", text), options={"links": "all"})
    assert by_page(source) == {"Tea": ["Milk"]}
    assert not source.refused.counts
    assert source.counts["mediawiki"]["templates missing from the dump"] == 1


def test_see_also_sections_are_recognised(tmp_path: Path) -> None:
    assert links(tmp_path, *WIKI, section="see-also")["Tea"] == ["Cup"]
    assert links(tmp_path, *WIKI, section="body")["Tea"] == ["Milk", "Green tea"]


def test_namespaces_are_chosen_by_number(tmp_path: Path) -> None:
    found = links(tmp_path, *WIKI, namespaces="0, 14")
    assert found["Kategorie:Drinks"] == ["Tea"]
    assert "Vorlage:Drinks" in links(tmp_path, *WIKI, namespaces="all")
    with pytest.raises(OptionError, match="namespaces must be numbers such as 0,14, or all, got"):
        links(tmp_path, *WIKI, namespaces="articles")


def test_disambiguation_pages_are_marked_or_dropped(tmp_path: Path) -> None:
    path = write(tmp_path / "wiki.xml", dump(*WIKI))
    titles = {item.url: item.title for item in read(path)}
    assert titles == {"Tea": None, "Green tea": None, "Cup": "Cup (disambiguation)"}
    assert "Cup" not in by_page(read(path, options={"disambiguation": "drop"}))


def test_pages_can_be_named_by_their_addresses(tmp_path: Path) -> None:
    path = write(tmp_path / "wiki.xml", dump(page("Green tea", "[[A/B?c]] [[Zoë]]")))
    (found,) = read(path, options={"base_url": "auto"})
    assert found == Page(
        "https://tea.example/wiki/Green_tea",
        ["https://tea.example/wiki/A/B%3Fc", "https://tea.example/wiki/Zo%C3%AB"],
        "Green tea",
    )
    with pytest.raises(OptionError, match="base_url must be a URL"):
        list(read(path, options={"base_url": "tea"}))


def test_anchors_and_words_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "wiki.xml", dump(page("Tea", "A [[milk|white drink]]. {{x|[[Cup]]}}")))
    (found,) = read(path, options={"anchors": True}, text=True)
    assert found == Page("Tea", ["Milk", "Cup"], None, "A white drink.", ["white drink", "Cup"])


def test_several_files_are_one_wiki(tmp_path: Path) -> None:
    first = write(tmp_path / "1.xml", dump(page("Milk", "[[Tee]]")))
    second = tmp_path / "2.xml.bz2"
    second.write_bytes(bz2.compress(dump(page("Tee", "", redirect="Tea")).encode()))
    source = read(first, second)
    assert by_page(source) == {"Milk": ["Tea"]}
    assert source.counts["mediawiki"]["redirects"] == 1


def test_processes_read_what_one_process_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from whatsrelated.sources.mediawiki import dump as dumps

    pages = [page(f"Page {i}", f"[[Page {i * 7 % 100}]] [[R{i}]]") for i in range(100)]
    pages += [page(f"R{i}", "", redirect=f"Page {i + 1}") for i in range(50)]
    path = write(tmp_path / "wiki.xml", dump(*pages))
    whole = by_page(read(path))
    monkeypatch.setattr(dumps, "PART", 4000)
    monkeypatch.setattr(dumps.parts_of, "__defaults__", (4000,))
    assert len(dumps.parts_of(read(path).parts[0][0])) > 4
    assert by_page(read(path, options={"workers": 2})) == whole
    assert by_page(read(path, options={"workers": 1})) == whole


def test_damage_is_counted_and_strict_stops_at_it(tmp_path: Path) -> None:
    text = dump(page("A", "[[B]]"), "<page><title>x</oops>", page("B", "[[A]]"))
    path = write(tmp_path / "wiki.xml", text)
    source = read(path)
    assert by_page(source) == {"A": ["B"], "B": ["A"]}
    assert source.refused.counts == {"damaged XML": 1}
    with pytest.raises(ReadError, match="damaged XML"):
        list(read(path, strict=True))


def test_the_sample_of_wikipedia(shared: Path, tmp_path: Path) -> None:
    (path,) = (shared / "data" / "wikidump_sample").glob("*.bz2")
    source = read(path)
    found = by_page(source)
    assert len(found) == 106
    assert found["Autism"][:3] == [
        "Autism spectrum",
        "Pervasive developmental disorder",
        "Psychiatry",
    ]
    counts = source.counts["mediawiki"]
    assert counts["redirects"] == 99
    assert counts["disambiguation pages"] == 8
    assert sum(map(len, found.values())) == counts["links"]


def test_a_dump_is_read_from_standard_input(tmp_path: Path) -> None:
    import sys

    script = "from whatsrelated.cli import main; main()"
    words = [sys.executable, "-c", script, "build", "-", "-o", str(tmp_path / "w.graph")]
    done = subprocess.run(
        words, input=dump(*WIKI).encode(), capture_output=True, check=True, cwd=tmp_path
    )
    assert done.stdout.decode().endswith("5 pages, 6 links\n")
