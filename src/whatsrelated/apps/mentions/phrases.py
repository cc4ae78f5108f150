"""Find phrases in text that may become links, by longest match.

The table maps a phrase to a number. At each word, the longest phrase that begins there is looked
up, and the search continues after it. The number of look-ups per word is at most the length of the
longest phrase that begins with it. So the time is linear in the length of the text, however many
phrases there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from whatsrelated.apps.mentions.scan import Span
from whatsrelated.apps.mentions.words import fold, phrase_of, word_pattern


class Occurrence(NamedTuple):
    """A phrase at a position in the text."""

    phrase: int
    start: int
    end: int
    block: int


class PhraseTable:
    """Numbers for phrases; a code span never has the number of plain text."""

    def __init__(self) -> None:
        self._plain: dict[str, list[tuple[str, str, int]]] = {}
        self._code: dict[str, int] = {}
        self._longest: dict[str, int] = {}
        self.words: list[int] = []
        """The number of words per phrase."""
        self.is_code: list[bool] = []

    def __len__(self) -> int:
        return len(self.words)

    def number(self, text: str, code: bool = False) -> int | None:
        """The number of a phrase, new if necessary; None if it has no words or too many."""
        phrase = phrase_of(text)
        if phrase is None or (phrase.words == 1 and len(phrase.key) < 2 and not phrase.after):
            return None
        if code:
            number = self._code.setdefault(fold(text), len(self.words))
        else:
            variants = self._plain.setdefault(phrase.key, [])
            for before, after, known in variants:
                if (before, after) == (phrase.before, phrase.after):
                    return known
            number = len(self.words)
            variants.append((phrase.before, phrase.after, number))
            variants.sort(key=lambda one: -len(one[0]) - len(one[1]))
            first = word_pattern().match(phrase.key)
            assert first is not None
            self._longest[first[0]] = max(self._longest.get(first[0], 0), phrase.words)
        if number == len(self.words):
            self.words.append(phrase.words)
            self.is_code.append(code)
        return number

    def find(self, text: str, spans: Iterable[Span]) -> Iterator[Occurrence]:
        """The phrases in these parts of the text, in order."""
        word, longest, plain = word_pattern(), self._longest, self._plain
        for span in spans:
            if span.code:
                number = self._code.get(fold(span.code))
                if number is not None:
                    yield Occurrence(number, span.start, span.end, span.block)
                continue
            lower = text[span.start : span.end].lower()
            if len(lower) != span.end - span.start:
                lower = "".join(
                    c.lower() if len(c.lower()) == 1 else c for c in text[span.start : span.end]
                )
            places = [match.span() for match in word.finditer(lower)]
            count, i = len(places), 0
            while i < count:
                start, end = places[i]
                longest_here = longest.get(lower[start:end])
                if longest_here is None:
                    i += 1
                    continue
                used = 1
                for words in range(min(longest_here, count - i), 0, -1):
                    end = places[i + words - 1][1]
                    key = lower[start:end]
                    variants = plain.get(key if words == 1 else " ".join(key.split()))
                    if variants is None:
                        continue
                    number, first, last = _variant(lower, start, end, variants)
                    if number >= 0:
                        yield Occurrence(number, span.start + first, span.start + last, span.block)
                        used = words
                        break
                i += used


def _variant(
    text: str, start: int, end: int, variants: list[tuple[str, str, int]]
) -> tuple[int, int, int]:
    """The first variant whose punctuation surrounds the words, with its start and end."""
    for before, after, number in variants:
        if (not after or text.startswith(after, end)) and (
            not before or (start >= len(before) and text.startswith(before, start - len(before)))
        ):
            return number, start - len(before), end + len(after)
    return -1, start, end
