"""Patterns over names that cannot hang: globs, regular expressions, plain pieces.

    https://*.org/*     a glob: the whole name; *, ? and [a-z] as in a shell
    re:\\.(edu|ac)\\b     a regular expression, found anywhere in the name
    wikipedia           neither: a piece of the name

Python's own matcher tries one way after another, and `(a+)+b` has more ways than
anybody can wait for.  Here a pattern becomes a small automaton that is in all of
its states at once, so a name costs at most its length times the size of the
pattern, and what was computed once is kept.  What cannot be done this way, back
references and looking around, is refused; so is a pattern that is too large, or
one that takes too much work for one question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from whatsrelated.errors import OptionError

LONGEST = 1000
"""Characters of a pattern."""
STATES = 2000
"""States of its automaton."""
WORK = 500_000
"""States visited for one question before a pattern is given up: a second or so."""
KEPT = 5000
"""Sets of states that are remembered."""

Test = Callable[[str], bool]
EMPTY: frozenset[int] = frozenset()


class Pattern:
    """Whether a name matches; made for one question, which has so much work in it."""

    def __init__(self, text: str, option: str) -> None:
        self.text, self.option = text, option
        if len(text) > LONGEST:
            raise self._error(f"is longer than {LONGEST:,} characters")
        self._automaton: Automaton | None = None
        self._piece = ""
        if text.startswith("re:"):
            self._automaton = self._compiled(text.removeprefix("re:"))
        elif re.search(r"[*?]|\[.+\]", text):
            self._automaton = self._compiled(_glob(text))
        else:
            self._piece = text

    def matches(self, name: str) -> bool:
        if self._automaton is None:
            return self._piece in name
        # A glob that names no scheme may be meant for what follows it.
        _, slashes, rest = name.partition("://")
        bare = bool(slashes) and "://" not in self.text and not self.text.startswith("re:")
        try:
            return self._automaton.matches(name) or (bare and self._automaton.matches(rest))
        except TooMuchWork as error:
            raise self._error("takes too long; use a simpler one") from error

    def _compiled(self, expression: str) -> Automaton:
        try:
            parsed = import_module("re._parser").parse(expression)
            return Automaton(parsed)
        except (re.error, RecursionError, OverflowError) as error:
            raise self._error(f"is no regular expression: {error}") from error
        except Unsupported as error:
            raise self._error(f"cannot have {error}") from error

    def _error(self, what: str) -> OptionError:
        return OptionError(f"related: the pattern of {self.option} {what}, got {self.text!r:.80}.")


def patterns(texts: Iterable[str], option: str) -> list[Pattern]:
    """A pattern for each line of text."""
    return [Pattern(line, option) for text in texts for line in text.splitlines() if line.strip()]


def _glob(text: str) -> str:
    """The regular expression of a glob; brackets that do not close are themselves."""
    out = []
    at = 0
    while at < len(text):
        closed = text.find("]", at + 2)
        if text[at] == "*":
            out.append(".*")
        elif text[at] == "?":
            out.append(".")
        elif text[at] == "[" and closed > 0:
            inside = text[at + 1 : closed].replace("\\", "\\\\")
            inside = "^" + inside[1:] if inside[0] == "!" else inside
            out.append(f"[{inside}]".replace("[[", "[\\["))
            at = closed
        else:
            out.append(re.escape(text[at]))
        at += 1
    return rf"\A{''.join(out)}\Z"


class Unsupported(Exception):
    """A part of a regular expression that an automaton cannot do."""


class TooMuchWork(Exception):
    """An automaton has visited more states than one question may."""


class Automaton:
    """A nondeterministic automaton in all of its states at once, each set kept once known.

    A state is a list: a test and where it leads; a condition on the place and where
    it leads; or only where it leads, for nothing.  The last state is the end.
    """

    def __init__(self, parsed: Any) -> None:
        self.tests: list[Test | None] = []
        self.conditions: list[str] = []
        self.leads: list[list[int]] = []
        self.work = 0
        self._known: dict[tuple[frozenset[int], bool, bool, str], frozenset[int] | None] = {}
        self.start = self._state()
        last = self._sequence(parsed, self.start, parsed.state.flags)
        self.end = self._state()
        self.leads[last].append(self.end)

    def matches(self, name: str) -> bool:
        """Whether the pattern is found anywhere in the name."""
        states, first, word = frozenset([self.start]), True, False
        for letter in [*name, ""]:
            following = self._step(states, first, word, letter)
            if following is None:
                return True
            states, first, word = following, False, _is_word(letter)
        return False

    def _step(
        self, states: frozenset[int], first: bool, word: bool, letter: str
    ) -> frozenset[int] | None:
        """The states after a letter, the start among them; None once the end is reached."""
        key = (states, first, word, letter)
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = self._computed_step(*key)
        return self._known[key]

    def _computed_step(
        self, states: frozenset[int], first: bool, word: bool, letter: str
    ) -> frozenset[int] | None:
        place = {
            "start": first,
            "end": not letter,
            "boundary": word != _is_word(letter),
            "inside": word == _is_word(letter),
            "": True,
        }
        reached, waiting, moved = set(states), list(states), {self.start}
        while waiting:
            state = waiting.pop()
            self.work += 1
            if self.work > WORK:
                raise TooMuchWork
            test = self.tests[state]
            if test is not None:
                if letter and test(letter):
                    moved.update(self.leads[state])
            elif place[self.conditions[state]]:
                for following in self.leads[state]:
                    if following not in reached:
                        reached.add(following)
                        waiting.append(following)
        return None if self.end in reached else frozenset(moved)

    def _state(self, test: Test | None = None, condition: str = "") -> int:
        if len(self.leads) >= STATES:
            raise Unsupported(f"more than {STATES:,} states")
        self.tests.append(test)
        self.conditions.append(condition)
        self.leads.append([])
        return len(self.leads) - 1

    def _sequence(self, parsed: Any, state: int, flags: int) -> int:
        """Append what the parsed pattern says after a state; the state where it ends."""
        for operation, argument in parsed:
            state = self._part(str(operation), argument, state, flags)
        return state

    def _part(self, operation: str, argument: Any, state: int, flags: int) -> int:
        if operation in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            return self._letter(_test(operation, argument, flags), state)
        if operation == "SUBPATTERN":
            _, added, dropped, inner = argument
            return self._sequence(inner, state, (flags | added) & ~dropped)
        if operation == "BRANCH":
            ends = [self._sequence(branch, self._after(state), flags) for branch in argument[1]]
            return self._joined(ends)
        if operation in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = argument
            return self._repeated(least, most, inner, state, flags)
        if operation == "AT":
            condition = CONDITIONS[str(argument)]
            placed = self._state(condition=condition)
            self.leads[state].append(placed)
            return self._after(placed)
        raise Unsupported(f"what Python calls {operation.lower().replace('_', ' ')}")

    def _letter(self, test: Test, state: int) -> int:
        tested = self._state(test)
        self.leads[state].append(tested)
        return self._after(tested)

    def _after(self, state: int) -> int:
        following = self._state()
        self.leads[state].append(following)
        return following

    def _joined(self, ends: list[int]) -> int:
        joined = self._state()
        for end in ends:
            self.leads[end].append(joined)
        return joined

    def _repeated(self, least: int, most: Any, inner: Any, state: int, flags: int) -> int:
        for _ in range(least):
            state = self._sequence(inner, state, flags)
        if str(most) == "MAXREPEAT":
            again = self._after(state)
            self.leads[self._sequence(inner, again, flags)].append(again)
            return self._after(again)
        ends = [state]
        for _ in range(int(most) - least):
            state = self._sequence(inner, state, flags)
            ends.append(state)
        return self._joined(ends)


CONDITIONS = {
    "AT_BEGINNING": "start",
    "AT_BEGINNING_STRING": "start",
    "AT_END": "end",
    "AT_END_STRING": "end",
    "AT_BOUNDARY": "boundary",
    "AT_NON_BOUNDARY": "inside",
}

CATEGORIES: dict[str, Test] = {
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_NOT_DIGIT": lambda letter: not letter.isdecimal(),
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda letter: not letter.isspace(),
    "CATEGORY_WORD": lambda letter: _is_word(letter),
    "CATEGORY_NOT_WORD": lambda letter: not _is_word(letter),
}


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _test(operation: str, argument: Any, flags: int) -> Test:
    """The test of one letter, in either case where case does not count."""
    exact = _exact_test(operation, argument)
    if not flags & re.IGNORECASE:
        return exact
    if operation == "NOT_LITERAL":
        other = chr(argument).swapcase()
        return lambda letter: exact(letter) and letter != other
    return lambda letter: exact(letter) or exact(letter.lower()) or exact(letter.upper())


def _exact_test(operation: str, argument: Any) -> Test:
    if operation == "ANY":
        return lambda letter: letter != "\n"
    if operation == "IN":
        items = [(str(kind), value) for kind, value in argument]
        if items[0][0] == "NEGATE":
            inside = [_exact_test(*item) for item in items[1:]]
            return lambda letter: not any(test(letter) for test in inside)
        tests = [_exact_test(*item) for item in items]
        return lambda letter: any(test(letter) for test in tests)
    if operation == "RANGE":
        low, high = argument
        return lambda letter: low <= ord(letter) <= high
    if operation == "CATEGORY":
        return CATEGORIES[str(argument)]
    wanted = chr(argument)
    if operation == "NOT_LITERAL":
        return lambda letter: letter != wanted
    return lambda letter: letter == wanted
