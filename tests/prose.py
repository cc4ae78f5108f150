"""Every sentence of the project: docs, help, errors, page texts, docstrings and comments.

`python -m tests.prose --seed 7 --count 200` prints a random sample with the place of each
sentence, for a reader who asks: would a native engineer rewrite this?
`python -m tests.prose PATH ...` lists the sentences below these paths that have one of the
HABITS we dropped.
"""

from __future__ import annotations

import argparse
import ast
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
END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`*“\"(\[])|\n\s*\n|\n(?=\s*[-*|#>]|\s*\d+\. )")
CELL_END = re.compile(r"\s+\|\s*|\s*\|\s+")
NOT_WORDS = re.compile(r"`[^`]*`|\]\([^)]*\)|\S*\w[./]\w\S*")
LEAST_WORDS = 4
LEAST_LETTERS = 3
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
    for path in [*sorted(TOP.glob("*.md")), *sorted((TOP / "docs").rglob("*.md"))]:
        yield from _markdown(path)


def sentences() -> Iterator[Text]:
    """The same, split into sentences; fewer than four words, code aside, are not a sentence."""
    for text in texts():
        for part in END.split(text.text):
            if part is None:
                continue
            plain = " ".join(part.split())
            if len(re.findall(r"[A-Za-z]{2,}", NOT_WORDS.sub("", plain))) >= LEAST_WORDS:
                yield text._replace(text=plain)


def _name(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def _python(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    alone, joined = set(), set()
    nodes = list(ast.walk(ast.parse(source)))
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            alone.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            joined.update(part for part in node.values if isinstance(part, ast.Constant))
            text = "".join(
                str(getattr(part, "value", "X")) if part in joined else "X" for part in node.values
            )
            if " " in text:
                yield Text(_name(path), node.lineno, "message", text)
    for node in nodes:
        if isinstance(node, ast.Constant) and node not in joined and " " in str(node.value):
            kind = "docstring" if node in alone else "message"
            yield Text(_name(path), node.lineno, kind, str(node.value))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(_name(path), token.start[0], "comment", token.string.lstrip("# "))


def _cython(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    for found in re.finditer(r'"""(.*?)"""', source, re.DOTALL):
        yield Text(_name(path), source.count("\n", 0, found.start()) + 1, "docstring", found[1])
    for number, line in enumerate(source.splitlines(), 1):
        _, mark, comment = line.partition("# ")
        if mark and not comment.startswith(("cython:", "distutils:")):
            yield Text(_name(path), number, "comment", comment)


def _template(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    shown = re.sub(
        r"\{%.*?%\}|\{#.*?#\}", " ", re.sub(r"\{\{.*?\}\}", "X", source, flags=re.DOTALL)
    )
    for number, line in enumerate(re.sub(r"<[^>\n]*>", " ", shown).splitlines(), 1):
        if line.strip():
            yield Text(_name(path), number, "page", line.strip())


def _markdown(path: Path) -> Iterator[Text]:
    source = path.read_text(encoding="utf-8")
    hidden = FENCE.sub(lambda found: "\n" * found[0].count("\n"), source)
    hidden = NOT_SHOWN.sub(lambda found: "\n" * found[0].count("\n"), hidden)
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
    found: dict[str, str] = {}
    for one in sentences():
        if one.file.endswith(NOT_PROSE):
            continue
        for word in WORD.findall(CODE.sub(" ", one.text)):
            plain = word.replace("’", "'").removesuffix("'s").strip("'")
            if len(plain) >= LEAST_LETTERS and plain not in dictionary:
                found.setdefault(plain, f"{one.file}:{one.line}")
    return found


def show_habits(paths: list[str]) -> None:
    for one in texts():
        if any(one.file == path or one.file.startswith(f"{path.rstrip('/')}/") for path in paths):
            for habit in habits(one.text):
                print(f"{one.file}:{one.line}: [{habit}] {' '.join(one.text.split())[:200]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    if given.paths:
        show_habits(given.paths)
        return
    everything = list(sentences())
    drawn = random.Random(given.seed).sample(everything, min(given.count, len(everything)))
    print(f"{len(drawn)} of {len(everything):,} sentences, seed {given.seed}")
    for one in drawn:
        print(f"{one.file}:{one.line}: [{one.kind}] {one.text}")


if __name__ == "__main__":
    main()
