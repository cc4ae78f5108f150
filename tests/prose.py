"""Every sentence of the project: docs, help, errors, page texts, docstrings and comments.

`python -m tests.prose --seed 7 --count 200` prints a random sample with the place of each
sentence, for a reader who asks: would a native engineer rewrite this? `--below src` draws it from
the files below a path.
`python -m tests.prose PATH ...` lists the sentences below these paths that have one of the
HABITS we dropped.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import random
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parent.parent
SOURCE = TOP / "src" / "whatsrelated"
FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
NOT_SHOWN = re.compile(r"<!--.*?-->|^\$\$$.*?^\$\$$", re.MULTILINE | re.DOTALL)
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*“\"(\[])|(?<=:)\n|\n\s*\n|\n(?=\s*[-*|#>]|\s*\d+\. )")
INDENTED = re.compile(r"(?:(?<=\n\n)|(?<=:\n))(?: {4,}\S.*\n*)+")
MARKUP = re.compile(
    r"\s*</?\w|\s*<[?!]|(?:tuple|list|dict)\[|import \w+;|-XX:"
    r"|.*(?:\(\?[:P<=!]|\\[bdswnS]|\w+:\w+\(|\]\[)",
    re.DOTALL,
)
SQL = re.compile(r"\s*\(?(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|ATTACH|DROP)\b")
INSTRUCTION = re.compile(r"(?:type: ignore|noqa|pragma:|cython:|distutils:|ruff:|mypy:)")
C_SOURCE = re.compile(r'^ *cdef extern from \*[^\n]*:\n\s*""".*?"""', re.MULTILINE | re.DOTALL)
SCRIPT_COMMENT = re.compile(r" *(?://(?: (.*))?|/\*\*? (.*?) \*/)$")
CELL_END = re.compile(r"\s+\|\s*|\s*\|\s+")
NOT_WORDS = re.compile(r"`[^`]*`|\]\([^)]*\)|\S*\w[./]\w\S*")
MIN_WORDS = 4
MIN_LETTERS = 3
NOT_PROSE = ("mediawiki/languages.py", "cli/completion.py", "docs/explanation/papers.md")
CODE = re.compile(
    r"`[^`]*`|<[^>]*>|\{[^}]*\}|\S*[/\\_=@#$%&|<>~^:\d]\w\S*|\S*\w\.\w\S*|[\w'’]*[A-Z][\w'’]*"
)
WORD = re.compile(r"(?<!\w)[a-z][a-z'’]*[a-z](?!\w)")

HABITS = {
    "alike": r"\balike\b",
    "anew": r"\banew\b",
    "told": r"\btold\b",
    "mend": r"\bmend(s|ed|ing)?\b",
    "spelt": r"\bspelt\b",
    "for want of": r"\bfor want of\b",
    "whoever": r"\bwhoever\b",
    "the way out": r"\bthe way out\b",
    "is no X": r"(?<!there )\b(is|are|was|were) no (?!longer|more\b|less\b|different)[a-z]",
    "where as a condition": r"(?<!from )(?<!know )(?<!to )\bwhere (it|there|they|nothing|no) ",
    "so that": r"\bso that\b",
    "he or his": r"\b(he|his|him|himself)\b",
    "a thousand million": r"\bthousand million\b",
    "have a say": r"\bha(ve|s|d|ving) (a|no) say\b",
    "in turns": r"\bin turns\b",
    "at hand": r"\bat hand\b",
    "over its largest": r"\bover (its|their|the) largest\b",
    "in the mean": r"\b(in|on) the mean\b",
    "refused with a sentence": r"\b(refused|rejected) with a sentence\b",
    "by the clock": r"\bby the clock\b",
    "be had": r"\b(could|can|to) (not )?be had\b",
    "settled": r"\bsettled\b",
    "who as a subject": r"(^|[.;:,] )who (asks|reads|wants|links|has|names)\b",
    "the most X to": r"\bthe (most|least) \w+ to (return|use|show|read|take)\b",
    "pass over": r"\bto pass over\b",
    "what is wanted": r"\b(how many \w+ are wanted|is wanted|are wanted)\b",
    "how many X to": r"^how many \w+ to \w+",
    "one on each line": r"\bon (a|each) line\b",
    "of its own": r"\bof (its|his|their) own\b(?! \w)",
    "come from anybody": r"\bfrom anybody\b",
    "else for otherwise": r"[,;] else\b",
    "likeliest": r"\blikeliest\b",
    "one's own": r"\bone['’]s own\b",
    "goes without": r"\bgoes? without\b",
    "number of numbers": r"\bnumber of numbers\b",
}
"""What STYLE rules out and a pattern can find."""


class Text(NamedTuple):
    """A piece of prose and where it is."""

    file: str
    line: int
    kind: str
    text: str


def texts() -> Iterator[Text]:
    """All prose of the source and the docs, in the order of the files."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield from _python(path)
    for path in sorted(SOURCE.rglob("*.p[yx][xdi]")):
        yield from _cython(path)
    for path in sorted(SOURCE.rglob("*.html")):
        yield from _template(path)
    for path in sorted(SOURCE.rglob("*.js")):
        yield from _script(path)
    for path in [*sorted(TOP.glob("*.md")), *sorted((TOP / "docs").rglob("*.md"))]:
        yield from _markdown(path)


def sentences() -> Iterator[Text]:
    """The same, split into sentences; fewer than four words, code aside, are not a sentence."""
    for text in texts():
        if text.kind == "message" and text.file.endswith(NOT_PROSE):
            continue
        for part in END.split(text.text):
            if part is None:
                continue
            plain = " ".join(part.split())
            if len(re.findall(r"[A-Za-z]{2,}", NOT_WORDS.sub("", plain))) >= MIN_WORDS:
                yield text._replace(text=plain)


def _blank(code: re.Match[str]) -> str:
    """Empty lines in place of code, to keep the numbers of the other lines."""
    return "\n" * code[0].count("\n")


def _name(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def _types(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The parts of annotations and casts: strings in them are types."""
    for node in nodes:
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if isinstance(annotation, ast.AST):
            yield from ast.walk(annotation)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cast":
            yield from ast.walk(node.args[0])


def _is_code(text: str) -> bool:
    """Whether a string is a query, markup or a pattern."""
    return bool(SQL.match(text) or MARKUP.match(text))


def _python(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    alone, joined = set(), set(_types(nodes))
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            alone.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            joined.update(part for part in node.values if isinstance(part, ast.Constant))
            text = "".join(
                str(getattr(part, "value", "X")) if part in joined else "X" for part in node.values
            )
            if " " in text and not _is_code(text):
                yield Text(_name(path), node.lineno, "message", text)
    for node in nodes:
        if not isinstance(node, ast.Constant) or node in joined or not isinstance(node.value, str):
            continue
        if node in alone:
            text = INDENTED.sub("", inspect.cleandoc(node.value))
            yield Text(_name(path), node.lineno, "docstring", text)
        elif " " in node.value and not _is_code(node.value):
            yield Text(_name(path), node.lineno, "message", node.value)
    yield from _comments(path, source)


def _comments(path: Path, source: str) -> Iterator[Text]:
    """The comments of a module; lines that follow one another are one comment."""
    block: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string.lstrip("# ")
        if token.type != tokenize.COMMENT or INSTRUCTION.match(text):
            continue
        whole_line = not token.line[: token.start[1]].strip()
        if block and not (whole_line and token.start[0] == last + 1):
            yield Text(_name(path), first, "comment", " ".join(block))
            block = []
        first, last = (first if block else token.start[0]), token.start[0]
        block.append(text)
    if block:
        yield Text(_name(path), first, "comment", " ".join(block))


def _cython(path: Path) -> Iterator[Text]:
    source = C_SOURCE.sub(_blank, path.read_text(encoding="utf-8"))
    for docstring in re.finditer(r'"""(.*?)"""', source, re.DOTALL):
        first = source.count("\n", 0, docstring.start()) + 1
        text = INDENTED.sub("", inspect.cleandoc(docstring[1]))
        yield Text(_name(path), first, "docstring", text)
    block: list[str] = []
    for number, line in enumerate([*source.splitlines(), ""], 1):
        code, mark, comment = line.partition("# ")
        if block and (code.strip() or not mark):
            yield Text(_name(path), number - 1, "comment", " ".join(block))
            block = []
        if mark and not INSTRUCTION.match(comment):
            block.append(comment)


def _template(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    shown = re.sub(
        r"\{%.*?%\}|\{#.*?#\}", " ", re.sub(r"\{\{.*?\}\}", "X", source, flags=re.DOTALL)
    )
    plain = re.sub(r"<[^>]*>", lambda tag: " " + _blank(tag), shown)
    for number, line in enumerate(plain.splitlines(), 1):
        if line.strip():
            yield Text(_name(path), number, "page", line.strip())


def _script(path: Path) -> Iterator[Text]:
    """The comments of a script: lines that follow one another are one comment."""
    block: list[str] = []
    first = 0
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        comment = SCRIPT_COMMENT.match(line)
        if block and not comment:
            yield Text(_name(path), first, "comment", "\n".join(block))
            block = []
        if comment:
            first = first if block else number
            block.append(comment[1] or comment[2] or "")


def _markdown(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    hidden = NOT_SHOWN.sub(_blank, FENCE.sub(_blank, source))
    for number, line in enumerate(hidden.splitlines(), 1):
        row = line.startswith("|")
        for part in CELL_END.split(line.strip("| ")) if row else [line.strip()]:
            if part:
                yield Text(_name(path), number, "docs", part)


def habits(text: str) -> list[str]:
    """The habits that a piece of prose has; code in backticks does not count."""
    plain = re.sub(r"`[^`]*`", "", text)
    return [habit for habit, pattern in HABITS.items() if re.search(pattern, plain, re.IGNORECASE)]


def misspelt(dictionary: set[str]) -> dict[str, str]:
    """The words that a dictionary lacks, and where each occurs first.

    Code, names of files, proper names and words with digits do not count.
    """
    unknown: dict[str, str] = {}
    for one in sentences():
        if one.file.endswith(NOT_PROSE):
            continue
        for word in WORD.findall(CODE.sub(" ", one.text)):
            plain = word.replace("’", "'").removesuffix("'s").strip("'")
            if len(plain) >= MIN_LETTERS and plain not in dictionary:
                unknown.setdefault(plain, f"{one.file}:{one.line}")
    return unknown


def is_below(file: str, paths: list[str]) -> bool:
    return any(file == path or file.startswith(f"{path.rstrip('/')}/") for path in paths)


def show_habits(paths: list[str]) -> None:
    for one in texts():
        if is_below(one.file, paths):
            for habit in habits(one.text):
                print(f"{one.file}:{one.line}: [{habit}] {' '.join(one.text.split())[:200]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--below", action="append", metavar="PATH")
    arguments = parser.parse_args()
    if arguments.paths:
        show_habits(arguments.paths)
        return
    below = arguments.below
    everything = [one for one in sentences() if not below or is_below(one.file, below)]
    count = min(arguments.count, len(everything))
    drawn = random.Random(arguments.seed).sample(everything, count)
    print(f"{count} of {len(everything):,} sentences, seed {arguments.seed}")
    for one in drawn:
        print(f"{one.file}:{one.line}: [{one.kind}] {one.text}")


if __name__ == "__main__":
    main()
