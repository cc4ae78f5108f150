"""Every regular expression of the tree, and texts that repeat pieces of its own syntax.

python -m tests.hostile.patterns prints how many there are, and the texts for which one
takes more than six times the processor time when they are four times as long.

1. The source is searched for calls of `re`: the pattern is evaluated where that is possible,
   else taken from what the call compiled when its module was imported.
2. The methods by which a pattern is used (`match`, `sub` ...) are read from its scope.
3. A pattern is taken apart: its literals, a character of each class, the beginnings of what
   it matches.  A text is a beginning, then one or two of these pieces, again and again.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import re
import re._constants as codes
import re._parser as parser
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import whatsrelated
from tests.hostile.growth import slow_text

PACKAGE = Path(whatsrelated.__file__).parent
SIZE = 1024
"""Characters of the smaller text."""
USES = ("match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split")
EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "apps/mentions/html_text.py": {"name": "'script'"},
    "apps/mentions/words.py": {"marks": "'\u0300-\u036f'"},
    "apps/serve/parameters.py": {"self": "type('', (), {'pattern': '[a-z]+'})"},
    "apps/site/markup.py": {"salt": "'related-0123456789'"},
    "graph/terms.py": {
        "letter": "f'[^\\\\W_{UNSPACED}]'",
        "unspaced": "f'[{UNSPACED}](?<!\\\\W)'",
        "marks": "'\u0300-\u036f'",
    },
    "kernels/reading/wikitext.py": {"names": "b'nowiki|ref'", "name": "b'nowiki'"},
    "query/patterns.py": {"text": "'*a*b?c[de]*'"},
    "sources/front_matter.py": {"keys": "'title|aliases'"},
    "sources/mediawiki/tables.py": {"kinds": "[_TEXT, _WHOLE, _VALUE]"},
    "sources/recognition.py": {"expression": "b'x'"},
}
"""The names in patterns that are built at run time, as expressions of their module."""


@dataclass(frozen=True)
class Use:
    """A pattern in the source, and a method that is called on it."""

    place: str
    pattern: re.Pattern[Any]
    method: str

    def __str__(self) -> str:
        return f"{self.place} {self.method}: {self.pattern.pattern!r:.60}"

    def run(self, text: str | bytes) -> None:
        """Use the pattern on a text."""
        if self.method in ("sub", "subn"):
            self.pattern.sub("" if isinstance(text, str) else b"", text)
        elif self.method == "finditer":
            for _ in self.pattern.finditer(text):
                pass
        else:
            getattr(self.pattern, self.method)(text)


def uses() -> list[Use]:
    """Every use of every pattern in the tree; AssertionError for one that is not understood."""
    compiled = _compiled_by_imports()
    found = []
    for path, tree in _trees().items():
        finder = _Finder(path, compiled)
        finder.visit(tree)
        found += finder.found
    return list(dict.fromkeys(found))


@cache
def _trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in sorted(PACKAGE.rglob("*.py"))}


def _compiled_by_imports() -> dict[tuple[str, int], list[re.Pattern[Any]]]:
    """What importing every module compiles, by file and line."""
    compiled: dict[tuple[str, int], list[re.Pattern[Any]]] = defaultdict(list)
    own = re._compile  # type: ignore[attr-defined]

    def record(pattern: Any, flags: int) -> Any:
        made = own(pattern, flags)
        caller = sys._getframe(2)
        compiled[caller.f_code.co_filename, caller.f_lineno].append(made)
        return made

    for name in [name for name in sys.modules if name.startswith("whatsrelated.")]:
        del sys.modules[name]
    re._compile = record  # type: ignore[attr-defined]
    try:
        for path in _trees():
            _module(path)
    finally:
        re._compile = own  # type: ignore[attr-defined]
    return compiled


def _module(path: Path) -> Any:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    name = ".".join(part for part in parts if part != "__init__")
    return importlib.import_module(name) if parts[-1] != "__main__" else None


class _Finder(ast.NodeVisitor):
    """Walks through one module, with the scopes that it is in."""

    def __init__(self, path: Path, compiled: dict[tuple[str, int], list[re.Pattern[Any]]]) -> None:
        self.path = path
        self.name = path.relative_to(PACKAGE).as_posix()
        self.compiled = compiled
        self.scopes: list[ast.AST] = []
        self.found: list[Use] = []
        self.targets: list[ast.Name | ast.Attribute] = []

    def generic_visit(self, node: ast.AST) -> None:
        is_scope = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        self.scopes += [node] if is_scope else []
        super().generic_visit(node)
        if is_scope:
            self.scopes.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        before, self.targets = (
            self.targets,
            [
                name
                for target in node.targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name | ast.Attribute) and isinstance(name.ctx, ast.Store)
            ],
        )
        self.generic_visit(node)
        self.targets = before

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id == "re"
            and function.attr in ("compile", *USES)
        ):
            self._add(node, function.attr)
        self.generic_visit(node)

    def _add(self, node: ast.Call, called: str) -> None:
        patterns = self._evaluated(node, called) or self.compiled.get(
            (str(self.path), node.lineno), []
        )
        place = f"{self.name}:{node.lineno}"
        assert patterns, f"{place} makes a pattern that the probe cannot see: see EXAMPLES"
        methods = [called] if called != "compile" else self._methods()
        for pattern in patterns:
            self.found += [Use(place, pattern, method) for method in methods]

    def _evaluated(self, node: ast.Call, called: str) -> list[re.Pattern[Any]]:
        names = dict(vars(_module(self.path) or re))
        names.update(
            {name: eval(made, dict(names)) for name, made in EXAMPLES.get(self.name, {}).items()}
        )
        if isinstance(self.scopes[-1], ast.ClassDef):
            names.update(vars(names[self.scopes[-1].name]))
        flags = [word.value for word in node.keywords if word.arg == "flags"]
        place = {"compile": 1, "split": 3, "sub": 4, "subn": 4}.get(called, 2)
        given = node.args[place : place + 1]
        source = ast.Call(
            ast.parse("re.compile", mode="eval").body, [node.args[0], *(flags or given)], []
        )
        if (str(self.path), node.lineno) in self.compiled and len(self.scopes) > 1:
            return []  # a function that makes patterns for others: see what it made
        try:
            code = compile(
                ast.fix_missing_locations(ast.Expression(source)), str(self.path), "eval"
            )
            return [eval(code, {**names, "re": re})]
        except (NameError, AttributeError, TypeError):
            return []

    def _methods(self) -> list[str]:
        """The methods called in this scope on what is assigned here; `search` if none is found."""
        names = {_last_name(target) for target in self.targets}
        inside = isinstance(self.scopes[-1], ast.FunctionDef)
        trees = [self.scopes[0]]
        if inside and all(isinstance(target, ast.Name) for target in self.targets):
            trees = [self.scopes[-1]]
        elif any(not name.startswith("_") for name in names):
            trees = list(_trees().values())
        found = {
            node.attr
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr in USES
            and _last_name(node.value) in names
        }
        return sorted(found) or ["search"]


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


CHARACTERS = " a0\n\t-_/.:<>[](){}\"'`#*=&|%\\,;!?@~^$+\u00e9"
"""Samples for a character class: those of these that it contains, and others."""


def texts(pattern: re.Pattern[Any]) -> Iterator[Callable[[int], Any]]:
    """Texts of any size that begin as the pattern does and then repeat pieces of it."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    pieces = list(dict.fromkeys(piece for piece in _pieces(tree) if piece))
    whole = [match for match in _matches(tree) if match]
    begun = [match[:end] for match in whole[:6] for end in range(len(match) + 1)]
    beginnings = [text for text in dict.fromkeys(["", *begun]) if len(text) < 40][:24]
    parts = [*pieces, *(first + second for first, second in itertools.permutations(pieces[:16], 2))]
    parts += [text for text in (*whole, *beginnings[1:]) if text not in parts]
    tried = [*itertools.product(beginnings, pieces), *itertools.product(beginnings[-2:], parts)]
    for start, part in dict.fromkeys(tried):
        for end in ("", "\0"):
            yield partial(_repeated, start, part, end, isinstance(pattern.pattern, bytes))


def _repeated(start: str, part: str, end: str, as_bytes: bool, size: int) -> str | bytes:
    text = start + part * (size // len(part)) + end
    return text.encode("utf-8", "replace") if as_bytes else text


def _pieces(tree: Any) -> Iterator[str]:
    """The literals of a pattern, characters of its classes, and what its groups match."""
    run = ""
    for code, value in tree:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        yield run
        run = ""
        yield from _members(code, value)
        for inner in _inner(code, value):
            yield from itertools.islice(_matches(inner), 3)
            yield from _pieces(inner)
    yield run


def _inner(code: Any, value: Any) -> list[Any]:
    """The patterns inside a node."""
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    return []


def _members(code: Any, value: Any) -> list[str]:
    """Characters that a node matches, if it matches one."""
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.ANY:
        return ["a", " "]
    if code is codes.NOT_LITERAL:
        return [one for one in CHARACTERS if ord(one) != value][:3]
    if code is not codes.IN:
        return []
    known = [one for one in CHARACTERS if _is_in(one, value)]
    return known[:8] or [one for one in map(chr, range(1, 0x3000)) if _is_in(one, value)][:2]


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _is_in(character: str, members: Any) -> bool:
    """Whether a character belongs to a class."""
    found = negated = False
    for code, value in members:
        if code is codes.NEGATE:
            negated = True
        elif code is codes.LITERAL:
            found |= ord(character) == value
        elif code is codes.RANGE:
            found |= value[0] <= ord(character) <= value[1]
        else:
            found |= re.match(_CATEGORIES[value], character) is not None
    return found != negated


def _matches(tree: Any) -> Iterator[str]:
    """Some texts that a pattern matches: with the first choices everywhere, then with others."""
    choices = [_choices(code, value) for code, value in tree]
    first = [some[0] for some in choices]
    yield "".join(first)
    for place, some in enumerate(choices):
        for other in some[1:]:
            yield "".join([*first[:place], other, *first[place + 1 :]])


def _choices(code: Any, value: Any) -> list[str]:
    """What a node may match, with repeats taken once."""
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [""]
    found = _members(code, value)[:3]
    for inner in _inner(code, value):
        found += itertools.islice(_matches(inner), 3)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        found = [text * max(1, min(value[0], 40)) for text in found] + [""] * (not value[0])
    return found[:6] or [""]


def main() -> int:
    found, slow = uses(), 0
    for use in found:
        some = (slow_text(text, use.run, SIZE) for text in texts(use.pattern))
        for one in itertools.islice(filter(None, some), 1):
            slow += 1
            print(f"{use} {one}", flush=True)
    print(f"{len(found)} uses of patterns, {slow} slow")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
