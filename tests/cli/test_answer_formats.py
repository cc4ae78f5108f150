"""Answers as BibTeX, JSON-LD and RSS, read by other parsers."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import bibtexparser
import pytest

import whatsrelated as wr
from tests.cli.commands import related
from tests.graphs import graph_of
from whatsrelated.cli.answer_formats import as_bibtex, as_json_ld, as_rss

WORKS = graph_of("a -> 10.1000/x 10.1000/y <b>&c", "b -> 10.1000/x 10.1000/y <b>&c")


def test_works_by_doi_are_entries_and_others_are_named_in_comments() -> None:
    text = as_bibtex(WORKS.related("10.1000/x", by="cocitation"))
    (entry,) = bibtexparser.parse_string(text).entries
    assert (entry.key, entry["doi"]) == ("10.1000/y", "10.1000/y")
    assert text.startswith("% not a DOI: <b>&c\n")


EVIL = (
    *("10.1000/x},note={\\input{/etc/passwd}", "10.1000/y@misc{z,", "</script><b>"),
    *("@misc{evil,title={tea}}", "a\u202eb"),
)


def test_a_hostile_name_adds_no_entry_no_command_and_no_control() -> None:
    graph = wr.Graph.from_links([(one, name) for name in EVIL for one in "ab"])
    answer = graph.related(EVIL[2], by="cocitation")
    assert bibtexparser.parse_string(as_bibtex(answer)).entries == []
    for text in (as_bibtex(answer), as_rss(answer), as_json_ld(answer)):
        assert not {"\x1b", "\u202e"} & set(text)
    assert "</script>" not in as_json_ld(answer)
    listed = json.loads(as_json_ld(answer))["itemListElement"]
    assert {item["item"]["@id"] for item in listed} == {result.url for result in answer}


def test_json_ld_and_rss_have_every_result_in_order() -> None:
    answer = WORKS.related("10.1000/x", by="cocitation")
    listed = json.loads(as_json_ld(answer))["itemListElement"]
    urls = [result.url for result in answer]
    assert [item["item"]["@id"] for item in listed] == urls
    channel = ElementTree.fromstring(as_rss(answer)).find("channel")
    assert channel is not None
    assert [item.findtext("link") for item in channel.iter("item")] == urls


@pytest.mark.parametrize("words", [["--json"], ["--why"]])
def test_one_form_at_a_time(words: list[str]) -> None:
    done = related("to", "www.nytimes.com", "--as", "rss", *words, RELATED_GRAPH="sample")
    assert (done.returncode, "--as cannot be combined" in done.stderr) == (2, True)


def test_the_command_prints_a_feed() -> None:
    done = related("to", "www.nytimes.com", "--as", "rss", RELATED_GRAPH="sample")
    assert len(list(ElementTree.fromstring(done.stdout).iter("item"))) == 10
