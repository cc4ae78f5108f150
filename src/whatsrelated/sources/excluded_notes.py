"""Notes that are left out of a graph, by tag or front matter.

#draft              the tag draft, in the front matter or in the text, or a tag below it
draft               the key draft in the front matter, unless its value is empty or false
status=private      the key status in the front matter, with this value
"""

from __future__ import annotations

import re

from whatsrelated.errors import OptionError
from whatsrelated.sources.front_matter import FrontMatter, split_front_matter

KIND = "excluded notes"
"""The name of these notes in counts."""
TAG_KEYS = ("tags", "tag")
NO_VALUES = ("", "false", "no", "off", "0")

_TAG = re.compile(r"(?:^|(?<=\s))#([^\s#,.!?;:'\"\[\](){}<>]+)", re.M)
_CODE = re.compile(r"`[^`\n]*`")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_RULE = re.compile(r"#[^\s#]+|[\w.-]+(?:=.*)?")


class ExcludedNotes:
    """The exclusion rules of a reader, one per line."""

    def __init__(self, rules: str) -> None:
        lines = [line.strip() for line in rules.splitlines() if line.strip()]
        for line in lines:
            if not _RULE.fullmatch(line):
                raise OptionError(
                    f"build: exclude must be a tag such as #draft, a key of the front matter, or "
                    f"KEY=VALUE, got {line!r:.80}."
                )
        folded = [line.lower() for line in lines]
        self._tags = tuple(line[1:].strip("/") for line in folded if line.startswith("#"))
        self._values = [line.partition("=") for line in folded if not line.startswith("#")]
        self._keys = (*TAG_KEYS, *(key for key, _, _ in self._values))

    def has(self, text: str) -> bool:
        """Whether a note is left out; `text` is the whole file."""
        front = split_front_matter(text.removeprefix("\ufeff"), self._keys)
        return any(self._matches(front, *rule) for rule in self._values) or any(
            tag == excluded or tag.startswith(f"{excluded}/")
            for excluded in self._tags
            for tag in _tags(front)
        )

    @staticmethod
    def _matches(front: FrontMatter, key: str, equals: str, expected: str) -> bool:
        values = [value.strip().lower() for value in front.values.get(key, ())]
        if equals:
            return expected.strip() in values
        return any(value not in NO_VALUES for value in values)


def _tags(front: FrontMatter) -> set[str]:
    """All tags of a note, in lower case and without `#`."""
    listed = " ".join(value for key in TAG_KEYS for value in front.values.get(key, ()))
    words = {*re.split(r"[\s,]+", listed), *_TAG.findall(_without_code(front.body))}
    return {word.lstrip("#").strip("/").lower() for word in words if word}


def _without_code(text: str) -> str:
    """The text without code spans or fenced blocks."""
    if "`" not in text and "~~~" not in text:
        return text
    lines, fence = [], ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        elif not fence:
            lines.append(_CODE.sub("", line))
    return "\n".join(lines)
