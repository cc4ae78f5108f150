"""Write the lists of all pages to one file, for generators that render pages themselves.

Each path maps to the pages of its list: `url`, `title`, `score`, `why`, and whether the page
already links there. The same site always produces the same bytes: keys are sorted, numbers have six
digits, and there is no date. Pages without a list are left out. JSON strings are also valid in YAML
and TOML, so no package is needed to write these formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from whatsrelated.errors import OptionError
from whatsrelated.machine.files import write_file
from whatsrelated.names.display import escape_json

Entry = Mapping[str, Any]
Lists = Sequence[Entry] | Mapping[str, Sequence[Entry]]
"""A path's entries, or the entries of each of its lists."""

DIGITS = 6
SUFFIXES = (".json", ".yaml", ".yml", ".toml")


def require_data_file(path: Path) -> None:
    """Raise OptionError if the file name does not end in a known format."""
    if path.suffix not in SUFFIXES:
        raise OptionError(
            f"site: --data must name a file ending in {', '.join(SUFFIXES)}, got {path.name!r:.80}."
        )


def data_bytes(lists: Mapping[str, Lists], suffix: str) -> bytes:
    """The file's bytes, in the format of `suffix`."""
    write = {".json": _json, ".toml": _toml}.get(suffix, _yaml)
    ordered = {key: lists[key] for key in sorted(lists) if lists[key]}
    return "".join(f"{line}\n" for line in write(ordered)).encode()


def write_if_changed(path: Path, data: bytes) -> bool:
    """Write a file unless it already has these contents; return whether it was written."""
    if path.is_file() and path.read_bytes() == data:
        return False
    write_file(path, data, parents=True)
    return True


def _json(lists: Mapping[str, Lists]) -> Iterator[str]:
    """Write one line per listed page, which keeps diffs small."""
    yield "{"
    for place, (path, pages) in enumerate(lists.items(), 1):
        comma = "," if place < len(lists) else ""
        if isinstance(pages, Mapping):
            yield f" {_text(path)}: {{"
            for number, (kind, entries) in enumerate(sorted(pages.items()), 1):
                inner = "," if number < len(pages) else ""
                yield from _json_list(f"  {_text(kind)}: ", entries, inner)
            yield f" }}{comma}"
        else:
            yield from _json_list(f" {_text(path)}: ", pages, comma)
    yield "}"


def _json_list(start: str, entries: Sequence[Entry], comma: str) -> Iterator[str]:
    yield f"{start}["
    for place, entry in enumerate(entries, 1):
        pairs = ", ".join(f"{_text(key)}: {_value(entry[key])}" for key in sorted(entry))
        yield f"  {{{pairs}}}{',' if place < len(entries) else ''}"
    yield f" ]{comma}"


def _yaml(lists: Mapping[str, Lists]) -> Iterator[str]:
    if not lists:
        yield "{}"
    for path, pages in lists.items():
        yield f"{_text(path)}:"
        if isinstance(pages, Mapping):
            for kind, entries in sorted(pages.items()):
                yield f"  {kind}:{'' if entries else ' []'}"
                yield from _yaml_list(entries, "  ")
        else:
            yield from _yaml_list(pages, "")


def _yaml_list(entries: Sequence[Entry], indent: str) -> Iterator[str]:
    for entry in entries:
        for place, key in enumerate(sorted(entry)):
            yield f"{indent}{'  ' if place else '- '}{key}: {_value(entry[key])}"


def _toml(lists: Mapping[str, Lists]) -> Iterator[str]:
    for path, pages in lists.items():
        named = sorted(pages.items()) if isinstance(pages, Mapping) else [("", pages)]
        for kind, entries in named:
            for entry in entries:
                yield f"[[{_text(path)}{'.' if kind else ''}{kind}]]"
                yield from (f"{key} = {_value(entry[key])}" for key in sorted(entry))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(np.format_float_positional(value, DIGITS, fractional=False, trim="0"))
    return _text(value)


def _text(value: str) -> str:
    """A string that is valid in JSON, YAML and TOML."""
    plain = value.encode("utf-8", "replace").decode()
    return escape_json(json.dumps(plain, ensure_ascii=False))
