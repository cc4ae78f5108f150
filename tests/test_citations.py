"""Every place that the docs and the code cite exists in the five papers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_docs import CITED, TOP, files, text_of

CONTENTS = tomllib.loads(Path(__file__).with_name("papers.toml").read_text(encoding="utf-8"))
KINDS = {
    "sec": "sections",
    "Table": "tables",
    "Fig": "figures",
    "eq": "equations",
    "def": "definitions",
    "Example": "examples",
}
NUMBER = r"\d+(?:\.\d+)*"
PLACE = re.compile(
    rf"\b({'|'.join(KINDS)})s?\.? ({NUMBER}(?:(?:, | and | or | to |–){NUMBER})*)(?![%\d])"
)
TOKEN = re.compile(rf"{CITED.pattern}|{PLACE.pattern}")
TEXTS = {
    "HZ03": "000_1219b6062eb2d492.txt",
    "CON04": "001_a2f97a7e9be924f8.txt",
    "DH99": "002_78185a77c3e00c75.txt",
    "XH14": "003_6ef2dfeb575cb251.txt",
    "LLK06": "004_ca0a472e6b0b0b9b.txt",
}


def numbers(text: str) -> list[str]:
    """The numbers of a place, with the ranges of tables written out."""
    found: list[str] = []
    for separator, number in re.findall(rf"(, | and | or | to |–|^)({NUMBER})", text):
        if separator in (" to ", "–") and "." not in number:
            found += map(str, range(int(found[-1]) + 1, int(number)))
        found.append(number)
    return found


def exists(key: str, kind: str, number: str) -> bool:
    known = CONTENTS[key].get(KINDS[kind], 0)
    if isinstance(known, int):
        return number.isdecimal() and 1 <= int(number) <= known
    return number in map(str, known)


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs on one line each; a row of a table or of a list is a paragraph.

    In the list of a paper's contents, the heading names the paper of every row.
    """
    heading = ""
    for part in re.split(r"\n\s*(?:#\s*)?\n|\n(?=\s*(?:[|-]|\d+\.) )", text):
        line = re.sub(r"\s*\n\s*(?:# )?", " ", part).strip()
        if line.startswith("#"):
            heading = line.lstrip("# ")
        yield f"{heading}: {line}" if line.startswith("|") and heading in CONTENTS else line


def places(paragraph: str) -> Iterator[tuple[str, str, str]]:
    """Paper, kind and number of each place; it belongs to the paper named last before it.

    If no paper is named before a place, it belongs to the first one after it.
    """
    tokens = list(TOKEN.finditer(paragraph))
    keys = [token[0] for token in tokens if token[1] is None]
    if not keys:
        return
    key = keys[0]
    for token in tokens:
        if token[1] is None:
            key = token[0]
        elif key in CONTENTS:
            yield from ((key, token[1], number) for number in numbers(token[2]))


def missing(text: str) -> list[str]:
    """The places in a text that no paper has."""
    return [
        f"{key}, {kind} {number}"
        for paragraph in paragraphs(text)
        for key, kind, number in places(paragraph)
        if not exists(key, kind, number)
    ]


def cited_files() -> list[Path]:
    kinds = (".md", ".py", ".pyx", ".pxd", ".html", ".ipynb")
    folders = ("src/", "docs/", "benchmarks/", "tests/reference/", "README", "CHANGELOG")
    return [
        path
        for path in files()
        if path.suffix in kinds and path.relative_to(TOP).as_posix().startswith(folders)
    ]


def test_every_cited_place_exists_in_its_paper() -> None:
    wrong = {str(path.relative_to(TOP)): missing(text_of(path)) for path in cited_files()}
    assert {name: places for name, places in wrong.items() if places} == {}


def test_the_citations_are_found() -> None:
    found = [
        place
        for path in cited_files()
        for paragraph in paragraphs(text_of(path))
        for place in places(paragraph)
    ]
    assert len(found) > 200
    assert {key for key, _, _ in found} == set(CONTENTS)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("As DH99 has it (sec. 2.1.1), and HZ03 (sec. 4.3).", ["HZ03, sec 4.3"]),
        ("DH99's Tables 3 to 8", ["DH99, Table 8"]),
        ("coverage (Table 3) and time (Fig. 3), as in DH99", ["DH99, Fig 3"]),
        ("XH14, eq. 16 and 17; Kle99, sec. 99", ["XH14, eq 17"]),
        ("LLK06, defs. 1 and 3", ["LLK06, def 3"]),
        ("## CON04\n\n| in the paper |\n|---|\n| sec. 7 | x |\n| sec. 5 | x |", ["CON04, sec 7"]),
        ("DH99 found 3 tables in section B.\n\nTable 99", []),
        ("# (HZ03,\n# sec. 9)", ["HZ03, sec 9"]),
    ],
)
def test_a_place_that_no_paper_has_is_found(text: str, wrong: list[str]) -> None:
    assert missing(text) == wrong


@pytest.mark.parametrize("key", CONTENTS)
def test_the_contents_are_those_of_the_paper(key: str, shared: Path) -> None:
    text = (shared / "papers" / TEXTS[key]).read_text(encoding="utf-8")
    contents = CONTENTS[key]
    headings = re.findall(
        rf"(?:^|>|^#+[ *]*)({NUMBER})\.?[ *]+[A-Z][A-Za-z ]{{2}}", text, re.MULTILINE
    )
    assert set(contents["sections"]) <= set(headings)
    for kind, name in [("tables", "Table"), ("figures", "Fig(?:ure|\\.)")]:
        named = {int(number) for number in re.findall(rf"\b{name} (\d+)", text, re.IGNORECASE)}
        assert named == set(range(1, contents.get(kind, 0) + 1)), kind
    defined = {int(number) for number in re.findall(r"^Definition (\d+)", text, re.M | re.I)}
    assert defined == set(contents.get("definitions", []))
    numbered = {int(n) for n in re.findall(r"[(ð](\d{1,2})[)Þ]|tag\{(\d+)\}", text) for n in n if n}
    assert set(range(1, contents.get("equations", 0) + 1)) <= numbered
