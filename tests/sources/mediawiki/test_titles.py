"""Titles: namespaces, case and blanks, and links that leave the wiki."""

from __future__ import annotations

import pytest

from whatsrelated.sources.mediawiki.titles import Namespace, SiteInfo, Titles, capital

TITLES = Titles(
    SiteInfo(
        "dewiki",
        "https://de.example/wiki/Hauptseite",
        (
            Namespace(0, ""),
            Namespace(4, "Wikipedia"),
            Namespace(6, "Datei"),
            Namespace(10, "Vorlage"),
            Namespace(14, "Kategorie"),
            Namespace(2302, "Gerät", False),
        ),
    )
)


@pytest.mark.parametrize(
    ("target", "title"),
    [
        ("tea", "Tea"),
        (" green_ tea\u00a0 ", "Green tea"),
        ("éclair#cream", "Éclair"),
        ("e\u0301clair", "Éclair"),
        ("ßharp", "ßharp"),
        ("Tea%20time", "Tea time"),
        ("AT&amp;T", "AT&T"),
        (":Kategorie:tea", "Kategorie:Tea"),
        (":category: tea", "Kategorie:Tea"),
        ("WP:tea", "Wikipedia:Tea"),
        ("project:tea", "Wikipedia:Tea"),
        ("gerät:kettle", "Gerät:kettle"),
        ("Tea: the leaf", "Tea: the leaf"),
        ("\u200eTea", "Tea"),
        ("/dev/tea", "/dev/tea"),
    ],
)
def test_a_link_means_a_title(target: str, title: str) -> None:
    assert TITLES.find(target)[0] == title


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("#top", "same page"),
        ("en:Tea", "interwiki"),
        (":EN :Tea", "interwiki"),
        ("wikt:tea", "interwiki"),
        ("Datei:Tea.jpg", "file"),
        ("image:Tea.jpg", "file"),
        ("Plik:Tea.jpg", "file"),
        ("Media:Tea.ogg", "file"),
        ("Kategorie:Tea", "category"),
        ("Category:Tea", "category"),
        ("http://tea.example/", "not a title"),
        ("te<a", "not a title"),
        ("x" * 300, "not a title"),
        ("Wikipedia:", "not a title"),
        ("te\ufffda", "not a title"),
    ],
)
def test_a_link_without_a_title_has_a_reason(target: str, reason: str) -> None:
    assert TITLES.find(target) == ("", reason)


def test_links_to_subpages_are_relative_in_namespaces_with_subpages() -> None:
    books = Titles(SiteInfo("enwikibooks"))
    assert books.find("/Brewing/", "Tea")[0] == "Tea/Brewing"
    assert books.find("../Milk", "Tea/Brewing")[0] == "Tea/Milk"
    assert TITLES.find("/Brewing", "Tea")[0] == "/Brewing"
    assert TITLES.find("/Brewing", "Vorlage:Tea")[0] == "Vorlage:Tea/Brewing"


def test_a_template_needs_no_namespace() -> None:
    assert TITLES.find("tea box", within=10) == ("Vorlage:Tea box", 10)
    assert TITLES.find(":tea box", within=10)[1] == 10


def test_letters_without_a_single_capital_stay() -> None:
    assert [capital(word) for word in ("tea", "ßa", "ა", "ǆ", "日")] == [
        "Tea",
        "ßa",
        "ა",
        "Ǆ",
        "日",
    ]


def test_the_address_of_pages_is_that_of_the_main_page() -> None:
    assert TITLES.site.base == "https://de.example/wiki/"
