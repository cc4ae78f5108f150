"""Show the evidence of any method as an outline, without method-specific code.

Evidence is nested data: numbers, strings, lists. Plain values form one line; each list is a heading
with its first items below. An item shows its first value, with the others in brackets. If it has a
sentence, only that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MAX_ITEMS = 3
"""Maximum number of items per list; a list inside a list shows only one."""
INDENT = "  "
SHOWN_FIRST = ("sentence", "named", "read", "unread")
"""Fields that are shown before the outline."""


def outline(evidence: Mapping[str, Any], max_items: int = MAX_ITEMS) -> Iterator[str]:
    """The lines of the outline, indented by depth, without the sentence."""
    values = {
        key: value for key, value in evidence.items() if key not in SHOWN_FIRST and _says(value)
    }
    plain = {key: value for key, value in values.items() if not _is_nested(value)}
    if plain:
        yield _pairs(plain)
    for key, value in values.items():
        if isinstance(value, Mapping):
            first, *below = outline(value, 1)
            yield f"{label(key)}: {first}"
            yield from (INDENT + line for line in below)
        elif _is_nested(value):
            yield from _listed(label(key), value, max_items)


def reasons(evidence: Mapping[str, Any]) -> list[str]:
    """The sentences of evidence: one for each part of the score or query page, or one alone.

    A part that only repeats the others is left out: a walk between pages without a link.
    """
    if "lists" in evidence:
        return [sentence for one in evidence["lists"] for sentence in reasons(one)]
    if "parts" not in evidence:
        return [evidence["sentence"]] if "sentence" in evidence else []
    telling = [part for part in evidence["parts"] if part.get("linked", True)]
    sentences = [part["sentence"] for part in telling or evidence["parts"]]
    return [*sentences, *filter(None, [evidence.get("unread")])]


def _listed(heading: str, items: Sequence[Any], max_items: int) -> Iterator[str]:
    if all(isinstance(item, Mapping) and "sentence" in item for item in items):
        max_items = len(items)
    lines = [line for item in items[:max_items] for line in _item(item)]
    more = f"and {len(items) - max_items:,} more" if len(items) > max_items else ""
    if len(lines) == 1:
        yield f"{heading}: {lines[0]}{', ' if more else ''}{more}"
        return
    yield f"{heading}:"
    yield from (INDENT + line for line in [*lines, *([more] if more else [])])


def label(key: str) -> str:
    """The name of a field as shown to users."""
    return key.replace("_", " ")


def short(value: Any, key: str = "") -> str:
    """Format a plain value for people: shares as percentages, other numbers with four digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0%}" if key.endswith("share") else f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        listed = [short(one) for one in value[:MAX_ITEMS]]
        separator = ", " if isinstance(value[0], str) else " "
        return separator.join(listed) + (" …" if len(value) > MAX_ITEMS else "")
    return str(value)


def _item(item: Any) -> Iterator[str]:
    if not isinstance(item, Mapping):
        yield short(item)
        return
    if "sentence" in item:
        names = [short(item[key], key) for key in ("by", "of", "share") if key in item]
        yield ": ".join([", ".join(names), item["sentence"]] if names else [item["sentence"]])
        return
    (first, head), *rest = item.items()
    if isinstance(head, Mapping | int | float):
        yield from outline(item, 1)
        return
    others = {key: value for key, value in rest if _says(value)}
    plain = {key: value for key, value in others.items() if not _is_nested(value)}
    yield short(head, first) + (f" ({_pairs(plain)})" if plain else "")
    nested = {key: value for key, value in others.items() if _is_nested(value)}
    yield from (INDENT + line for line in outline(nested, 1))


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{label(key)} {short(value, key)}" for key, value in values.items())


def _says(value: Any) -> bool:
    """Whether there is anything to show."""
    return value is not None and value != [] and value != {}


def _is_nested(value: Any) -> bool:
    """Whether a value has its own lines: a mapping, or a list of mappings, lists or strings."""
    if isinstance(value, Mapping):
        return True
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return is_list and not isinstance(value[0], bool | int | float)
