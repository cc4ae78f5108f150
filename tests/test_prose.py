"""The texts of the project avoid the habits that prose.HABITS lists, and have no misspelt words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import prose, system

LANGUAGE_CODES = "src/whatsrelated/sources/mediawiki/languages.py"
"""Its strings are not prose."""

ALLOWED = {
    sentence: habit
    for habit, sentences in {
        "so that": (
            "Answers saved to a file as they arrive, so that an interrupted experiment can resume.",
            "Open the graph, so that a damaged one is an error at once.",
            "The parent opens the graph, so that a damaged one is an error at once, and binds one "
            "socket per worker to the same port, so that the kernel spreads connections.",
        ),
    }.items()
    for sentence in sentences
}
"""Sentences in which such words are right: a purpose after "so that"."""

WORDS = Path(__file__).with_name("words.txt")


def test_no_sentence_has_a_habit_that_we_dropped() -> None:
    stumbling = [
        f"{one.file}:{one.line}: [{habit}] {one.text}"
        for one in prose.sentences()
        if one.file != LANGUAGE_CODES
        for habit in prose.habits(one.text)
        if ALLOWED.get(one.text.removeprefix("1. ")) != habit
    ]
    assert not stumbling, "\n".join(stumbling)


def test_every_allowed_sentence_is_in_use() -> None:
    used = {one.text.removeprefix("1. ") for one in prose.sentences()}
    assert not ALLOWED.keys() - used


@pytest.mark.parametrize(
    ("text", "habit"),
    [
        ("Pages are alike where they share links.", "alike"),
        ("It is no page of the graph.", "is no X"),
        ("The surfer leaves where he likes.", "he or his"),
        ("How many pages to take.", "how many X to"),
        ("A file with a page on each line.", "one on each line"),
        ("Rivals run in turns.", "in turns"),
        ("By inotify, else by polling.", "else for otherwise"),
    ],
)
def test_a_habit_is_found(text: str, habit: str) -> None:
    assert habit in prose.habits(text)


def test_code_in_a_sentence_is_not_prose() -> None:
    assert not prose.habits("`told` is a name.")


@pytest.mark.needs_system("wbritish")
def test_every_word_is_in_the_dictionary_or_in_words_txt() -> None:
    entries = Path(system.packages()["wbritish"]).read_text(encoding="utf-8").split()
    unknown = prose.misspelt({*entries, *map(str.lower, entries)})
    ours = WORDS.read_text(encoding="utf-8").split()
    assert ours == sorted(set(ours)), "words.txt is sorted, one word a line"
    new = {word: unknown[word] for word in unknown.keys() - set(ours)}
    assert not new, f"correct these words, or add them to tests/words.txt: {new}"
    assert not set(ours) - unknown.keys(), "words.txt has only words in use"
