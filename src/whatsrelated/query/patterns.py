"""Patterns for names, matched in linear time: globs, regular expressions, plain text.

    https://*.org/*     a glob: the whole name; *, ? and [a-z] as in a shell
    re:\\.(edu|ac)\\b     a regular expression, found anywhere in the name
    wikipedia           neither: a part of the name

Regular expressions run on RE2, which never backtracks and so has no look-around or back references.
Python compiles a glob to an expression that does not backtrack either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from typing import Any

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.machine.packages import load

LONGEST = 1000
"""Maximum length of a pattern."""
EXPRESSION_MEMORY = 1 << 20
"""Maximum memory of a compiled expression, in bytes; the module caches the last 128."""
UNSUPPORTED = {
    **dict.fromkeys(("(?=", "(?!"), "a look-ahead"),
    **dict.fromkeys(("(?<=", "(?<!"), "a look-behind"),
    **dict.fromkeys(("(?P", *(f"\\{digit}" for digit in range(1, 10))), "a back reference"),
    "(?>": "an atomic group",
}
"""The features that RE2 does not support, by the part of the expression that it reports."""


class Pattern:
    """A compiled pattern; errors name the `option` it came from.

    Plain text may be anywhere in the name, unless it must be the `whole` name.
    """

    def __init__(self, text: str, option: str, whole: bool = False) -> None:
        self.text, self.option, self.whole = text, option, whole
        if len(text) > LONGEST:
            raise self._error(f"is longer than {LONGEST:,} characters")
        self._expression: Any = None
        self._glob: re.Pattern[str] | None = None
        if text.startswith("re:"):
            self._expression = self._compile(text.removeprefix("re:"))
        elif "*" in text or "?" in text or "]" in text.partition("[")[2][1:]:
            self._glob = re.compile(translate(text))

    def matches(self, name: str) -> bool:
        """Whether the name matches; raises OutOfTime if the query has no time left."""
        kernels.limits.check()
        if self._expression is not None:
            return self._expression.search(_encode(name)) is not None
        if self._glob is None:
            return self.text == name if self.whole else self.text in name
        if self._glob.match(name):
            return True
        # A glob without a scheme may also match the part after the scheme.
        _, slashes, rest = name.partition("://")
        return bool(slashes and "://" not in self.text and self._glob.match(rest))

    def _compile(self, expression: str) -> Any:
        re2 = load("re2", "A regular expression", extra="regex")
        options = re2.Options()
        options.max_mem = EXPRESSION_MEMORY
        options.never_capture = True
        options.log_errors = False
        try:
            return re2.compile(_encode(expression), options)
        except re2.error as error:
            reason = error.args[0].decode("utf-8", "replace")
            unsupported = UNSUPPORTED.get(reason.rpartition(": ")[2])
            raise self._error(
                f"uses {unsupported}, which RE2 does not support"
                if unsupported
                else f"is not a valid RE2 expression: {reason:.60}"
            ) from error

    def _error(self, what: str) -> OptionError:
        return OptionError(f"related: the pattern of {self.option} {what}, got {self.text!r:.80}.")


def patterns(texts: Iterable[str], option: str) -> list[Pattern]:
    """A pattern for each line of text."""
    return [Pattern(line, option) for text in texts for line in text.splitlines() if line.strip()]


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
