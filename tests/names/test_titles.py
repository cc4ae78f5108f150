"""Titles lose what most titles of the site share, and nothing else."""

from __future__ import annotations

from whatsrelated.names.titles import TitleEnds, shorten


def shared(titles: list[str]) -> list[str]:
    ends = TitleEnds()
    for title in titles:
        ends.add(title)
    return ends.shared()


def test_an_ending_that_most_titles_share_is_removed() -> None:
    topics = ["email — A package", "json", "re", "Glossary", "What is new"]
    titles = [f"{topic} — Python 3.11.2 documentation" for topic in topics]
    assert shared(titles) == [" — Python 3.11.2 documentation"]
    assert [shorten(title, shared(titles)) for title in titles] == topics


def test_a_beginning_that_most_titles_share_is_removed() -> None:
    titles = [f"Acme: {topic}" for topic in ("tea", "milk", "sugar", "honey", "jam")]
    assert [shorten(title, shared(titles)) for title in titles][:2] == ["tea", "milk"]


def test_text_that_fewer_titles_share_stays_and_so_do_few_titles() -> None:
    mixed = ["a | X", "b | X", "c | Y", "d | Y", "e | Z"]
    assert shared(mixed) == []
    assert shared(["a | X", "b | X"]) == []


def test_a_title_that_is_nothing_else_stays_whole() -> None:
    ends = [" — Python", "Acme: "]
    assert shorten(" — Python", ends) == " — Python"
    assert shorten("Acme: ", ends) == "Acme: "
    assert shorten("Pythons — Python", ends) == "Pythons"
