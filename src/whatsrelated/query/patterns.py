"""Patterns over names that cannot hang: globs, regular expressions, plain pieces.

    https://*.org/*     a glob: the whole name; *, ? and [a-z] as in a shell
    re:\\.(edu|ac)\\b     a regular expression, found anywhere in the name
    wikipedia           neither: a piece of the name

A glob and an expression become an automaton, which reads a name once.  A pattern
that is too large, or that takes too much work for one question, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from whatsrelated.errors import OptionError
from whatsrelated.query.automaton import Automaton, TooMuchWork
from whatsrelated.query.expressions import BadExpression, parse

LONGEST = 1000
"""Characters of a pattern."""


class Pattern:
    """Whether a name matches; made for one question, whose work is bounded."""

    def __init__(self, text: str, option: str) -> None:
        self.text, self.option = text, option
        if len(text) > LONGEST:
            raise self._error(f"is longer than {LONGEST:,} characters")
        self.automaton: Automaton | None = None
        if text.startswith("re:"):
            self.automaton = self._compile(text.removeprefix("re:"))
        elif re.search(r"[*?]|\[.+\]", text):
            self.automaton = self._compile(_expression_of(text))

    def matches(self, name: str) -> bool:
        if self.automaton is None:
            return self.text in name
        # A glob that names no scheme may be meant for what follows it.
        _, slashes, rest = name.partition("://")
        bare = bool(slashes) and "://" not in self.text and not self.text.startswith("re:")
        try:
            return self.automaton.matches(name) or (bare and self.automaton.matches(rest))
        except TooMuchWork as error:
            raise self._error("takes too long; use a simpler one") from error

    def _compile(self, expression: str) -> Automaton:
        try:
            return Automaton(parse(expression))
        except BadExpression as error:
            raise self._error(str(error)) from error

    def _error(self, what: str) -> OptionError:
        return OptionError(f"related: the pattern of {self.option} {what}, got {self.text!r:.80}.")


def patterns(texts: Iterable[str], option: str) -> list[Pattern]:
    """A pattern for each line of text."""
    return [Pattern(line, option) for text in texts for line in text.splitlines() if line.strip()]


def _expression_of(glob: str) -> str:
    """The regular expression of a glob; brackets that do not close are themselves."""
    out = []
    at = 0
    while at < len(glob):
        closed = glob.find("]", at + 2)
        if glob[at] == "*":
            out.append(".*")
        elif glob[at] == "?":
            out.append(".")
        elif glob[at] == "[" and closed > 0:
            inside = glob[at + 1 : closed].replace("\\", "\\\\")
            inside = "^" + inside[1:] if inside[0] == "!" else inside
            out.append(f"[{inside}]".replace("[[", "[\\["))
            at = closed
        else:
            out.append(re.escape(glob[at]))
        at += 1
    return rf"\A{''.join(out)}\Z"
