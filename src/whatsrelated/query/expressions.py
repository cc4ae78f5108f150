"""Regular expressions as a tree: what an automaton can do of Python's syntax.

Literals, `.`, sets, `\\d \\w \\s` and their opposites, `^ $ \\A \\Z \\b \\B`, groups,
`|`, repeats (lazy ones too: a name matches or it does not), and `(?i)`.  Names have
no line ends, so `(?s)` and `(?m)` change nothing.  What would need memory of what
was matched, back references and looking around, is refused, as are the flags that
change the syntax or the alphabet.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

DEEPEST = 50
"""How many groups may stand inside one another."""
MOST_REPEATS = 1000
"""The largest number in `{m,n}`."""

Test = Callable[[str], bool]
"""Whether one letter is the one wanted."""


class BadExpression(ValueError):
    """No regular expression, or one that an automaton cannot do."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter that passes a test."""

    test: Test


@dataclass(frozen=True, slots=True)
class Place:
    """A place between letters: `start`, `end`, `boundary` of a word, or `inside` none."""

    condition: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """At least so many times, at most so many; None for any number."""

    inner: Node
    least: int
    most: int | None


Node = Letter | Place | Sequence | Choice | Repeat

PLACES = {"A": "start", "Z": "end", "b": "boundary", "B": "inside"}
CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
REFUSED = {
    "?=": "a look ahead",
    "?!": "a look ahead",
    "?<=": "a look behind",
    "?<!": "a look behind",
    "?P=": "a back reference",
    "?(": "a condition on a group",
    "?>": "an atomic group",
    "?#": "a comment",
}
_COUNTS = re.compile(r"\{(?:([0-9]+)(,([0-9]*))?|,([0-9]*))\}")
_GROUP_NAME = re.compile(r"\?P<[^\W\d]\w*>")
_FLAGS = re.compile(r"\?([a-zA-Z]*)(?:-([a-zA-Z]+))?:")
_GLOBAL_FLAGS = re.compile(r"\(\?([a-zA-Z]+)\)")


def is_word(letter: str) -> bool:
    """Whether a letter is of a word, as `\\w` has it."""
    return letter.isalnum() or letter == "_"


CLASSES: dict[str, Test] = {
    "d": str.isdecimal,
    "D": lambda letter: not letter.isdecimal(),
    "s": str.isspace,
    "S": lambda letter: not letter.isspace(),
    "w": is_word,
    "W": lambda letter: not is_word(letter),
}


def parse(text: str) -> Node:
    """The tree of a regular expression, or BadExpression."""
    parser = _Parser(text)
    tree = parser.choice(parser.flags_of_all())
    if parser.at < len(text):
        parser.fail("unbalanced parenthesis")
    return tree


class _Parser:
    """Reads an expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def fail(self, what: str) -> NoReturn:
        raise BadExpression(f"is no regular expression: {what} at position {self.at}")

    def refuse(self, what: str) -> NoReturn:
        raise BadExpression(f"cannot have {what}")

    def follows(self, piece: str) -> bool:
        """Step over a piece, if it stands here."""
        if not self.text.startswith(piece, self.at):
            return False
        self.at += len(piece)
        return True

    def letter(self) -> str:
        if self.at >= len(self.text):
            self.fail("unexpected end of pattern")
        self.at += 1
        return self.text[self.at - 1]

    def flags_of_all(self) -> bool:
        """Whether either case matches, by flags before the whole expression."""
        either_case = False
        while (flags := _GLOBAL_FLAGS.match(self.text, self.at)) is not None:
            self.at = flags.end()
            either_case = self.case_of(flags[1], "", either_case)
        return either_case

    def choice(self, either_case: bool) -> Node:
        branches = [self.sequence(either_case)]
        while self.follows("|"):
            branches.append(self.sequence(either_case))
        if len(branches) == 1:
            return branches[0]
        tests = [branch.test for branch in branches if isinstance(branch, Letter)]
        if len(tests) == len(branches):
            return Letter(_any_of(tests))
        return Choice(tuple(branches))

    def sequence(self, either_case: bool) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self.repeat(self.atom(either_case)))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def repeat(self, inner: Node) -> Node:
        counts = self.counts()
        if counts is None:
            return inner
        if isinstance(inner, Place):
            self.fail("nothing to repeat")
        if self.follows("+"):
            self.refuse("a possessive repeat")
        self.follows("?")
        if self.counts() is not None:
            self.fail("multiple repeat")
        return Repeat(inner, *counts)

    def counts(self) -> tuple[int, int | None] | None:
        """How often, where a repeat stands here."""
        for sign, counts in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.follows(sign):
                return counts
        found = _COUNTS.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        exact, comma, most, only_most = found.groups()
        least = int((exact or "0")[:9])
        highest = (most if comma else exact) if exact else only_most
        bound = int(highest[:9]) if highest else None
        if bound is not None and bound < least:
            self.fail("min repeat greater than max repeat")
        if max(least, bound or 0) > MOST_REPEATS:
            self.refuse(f"more than {MOST_REPEATS:,} repeats")
        return least, bound

    def atom(self, either_case: bool) -> Node:
        letter = self.letter()
        if letter == "(":
            return self.group(either_case)
        if letter == "[":
            return Letter(self.set_of_letters(either_case))
        if letter == ".":
            return Letter(lambda one: one != "\n")
        if letter in "^$":
            return Place("start" if letter == "^" else "end")
        if letter == "\\":
            return self.escape(either_case)
        if letter in "*+?":
            self.at -= 1
            self.fail("nothing to repeat")
        if letter == "{" and _COUNTS.match(self.text, self.at - 1):
            self.at -= 1
            self.fail("nothing to repeat")
        return Letter(_in_either_case(_is(letter), either_case))

    def group(self, either_case: bool) -> Node:
        for sign, what in REFUSED.items():
            if self.text.startswith(sign, self.at):
                self.refuse(what)
        if named := _GROUP_NAME.match(self.text, self.at):
            self.at = named.end()
        elif flags := _FLAGS.match(self.text, self.at):
            self.at = flags.end()
            either_case = self.case_of(flags[1], flags[2] or "", either_case)
        elif _GLOBAL_FLAGS.match(self.text, self.at - 1):
            self.fail("global flags not at the start of the expression")
        elif self.text.startswith("?", self.at):
            self.fail("unknown extension")
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"more than {DEEPEST} groups inside one another")
        inner = self.choice(either_case)
        self.depth -= 1
        if not self.follows(")"):
            self.fail("missing ), unterminated subpattern")
        return Sequence((inner,))

    def case_of(self, added: str, dropped: str, either_case: bool) -> bool:
        """Whether either case matches under these flags."""
        for flag in added + dropped:
            if flag not in "ismu":
                self.refuse(f"the flag {flag}")
        if "i" in dropped:
            return False
        return either_case or "i" in added

    def escape(self, either_case: bool) -> Node:
        letter = self.letter()
        if letter in PLACES:
            return Place(PLACES[letter])
        if letter in CLASSES:
            return Letter(CLASSES[letter])
        if letter in "123456789":
            self.refuse("a back reference")
        return Letter(_in_either_case(_is(self.escaped(letter)), either_case))

    def escaped(self, letter: str) -> str:
        """The letter that an escape stands for."""
        if letter in CONTROLS:
            return CONTROLS[letter]
        if letter == "0":
            digits = re.compile("[0-7]{0,2}").match(self.text, self.at)
            assert digits is not None
            self.at = digits.end()
            return chr(int(digits[0] or "0", 8))
        if letter in HEX_DIGITS:
            code = self.text[self.at : self.at + HEX_DIGITS[letter]]
            if not re.fullmatch(f"[0-9a-fA-F]{{{HEX_DIGITS[letter]}}}", code):
                self.fail(f"incomplete escape \\{letter}")
            self.at += len(code)
            if int(code, 16) > 0x10FFFF:
                self.fail(f"bad escape \\{letter}{code}")
            return chr(int(code, 16))
        if letter.isascii() and letter.isalnum():
            self.fail(f"bad escape \\{letter}")
        return letter

    def set_of_letters(self, either_case: bool) -> Test:
        negated = self.follows("^")
        tests: list[Test] = []
        while not tests or not self.follows("]"):  # a bracket that comes first is a letter
            low, test = self.member()
            if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
                self.at += 1
                high, _ = self.member()
                if low is None or high is None or high < low:
                    self.fail("bad character range")
                test = _between(low, high)
            tests.append(test)
        inside = _in_either_case(_any_of(tests), either_case)
        return (lambda letter: not inside(letter)) if negated else inside

    def member(self) -> tuple[str | None, Test]:
        """One letter of a set, or a class of letters, which has no letter of its own."""
        letter = self.letter()
        if letter == "\\":
            letter = self.letter()
            if letter in CLASSES:
                return None, CLASSES[letter]
            letter = "\b" if letter == "b" else self.escaped(letter)
        return letter, _is(letter)


def _is(wanted: str) -> Test:
    return lambda letter: letter == wanted


def _any_of(tests: list[Test]) -> Test:
    return lambda letter: any(test(letter) for test in tests)


def _between(low: str, high: str) -> Test:
    return lambda letter: low <= letter <= high


def _in_either_case(test: Test, either_case: bool) -> Test:
    if not either_case:
        return test
    return lambda letter: test(letter) or test(letter.lower()) or test(letter.upper())
