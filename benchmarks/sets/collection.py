"""The common form of a set: pages, the links of their text, and what is known to be related.

A set is a folder of these files:

- `pages.tsv.gz`: name, title, read (1 if the page's own links are known, 0 if it is only
  linked to); the row number is the page number;
- `links.tsv.gz`: from, to, in the order of the page;
- `gold.tsv.gz`: query, page;
- `texts.tsv.gz`: name, text without "See also", if the source has text;
- `about.json`: title, kind, measure (recall or precision), ordered.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any


@dataclass
class Set:
    """Pages with the links of their text, and the pages that go with each."""

    title: str
    kind: str
    links: dict[str, list[str]]
    gold: dict[str, list[str]]
    titles: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    """The text of each page, without "See also"."""
    measure: str = "recall"
    ordered: bool = True

    def names(self) -> list[str]:
        known = dict.fromkeys(self.links)
        for targets in self.links.values():
            known.update(dict.fromkeys(targets))
        return list(known)


def arguments(doc: str | None, queries: int, seed: int = 0) -> argparse.ArgumentParser:
    """The arguments of a benchmark over a folder of sets; `names_of` reads them."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets")
    parser.add_argument("--queries", type=int, default=queries)
    parser.add_argument("--seed", type=int, default=seed)
    return parser


def names_of(asked: argparse.Namespace) -> list[str]:
    """The names of the sets to use: all in the folder, unless some are named."""
    return asked.sets.split(",") if asked.sets else sorted(p.name for p in asked.folder.iterdir())


def distinct(page: str, targets: Iterable[str]) -> list[str]:
    """The distinct links of a page in order, without links to itself."""
    return [target for target in dict.fromkeys(targets) if target != page]


LONGEST = 100_000
"""Characters of a text to keep."""
HABIT, SEEN = 0.1, 20
"""A page in more than this share of all lists, and in at least so many, is listed out of habit."""


def without_habits(gold: dict[str, list[str]]) -> dict[str, list[str]]:
    """The lists without the pages that (nearly) every list of the set contains."""
    named = Counter(page for query, listed in gold.items() for page in distinct(query, listed))
    often = {page for page, n in named.items() if n >= SEEN and n > HABIT * len(gold)}
    left = {query: [p for p in listed if p not in often] for query, listed in gold.items()}
    return {query: listed for query, listed in left.items() if listed}


def write(folder: Path, one: Set) -> None:
    """Write a set, and print its number of pages, links, queries and related pages."""
    lists = (one.links, one.gold)
    print(folder.name, *(n for each in lists for n in (len(each), sum(map(len, each.values())))))
    folder.mkdir(parents=True, exist_ok=True)
    if one.measure == "recall" and one.kind != "held out":
        one = replace(one, gold=without_habits(one.gold))
    links = {page: distinct(page, targets) for page, targets in one.links.items()}
    names = Set(one.title, one.kind, links, {}).names()
    number = {name: place for place, name in enumerate(names)}
    pages = (
        (name, " ".join(one.titles.get(name, "").split()), int(name in links)) for name in names
    )
    rows = ((number[p], number[t]) for p, targets in links.items() for t in targets)
    gold = (
        (number[query], number[page])
        for query, listed in one.gold.items()
        for page in distinct(query, listed)
        if query in number and page in number
    )
    for name, content in (("pages", pages), ("links", rows), ("gold", gold)):
        with gzip.open(folder / f"{name}.tsv.gz", "wt", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t", lineterminator="\n").writerows(content)
    if one.texts:
        with gzip.open(folder / "texts.tsv.gz", "wt", encoding="utf-8", newline="") as file:
            file.writelines(f"{name}\t{one_line(one.texts.get(name, ''))}\n" for name in names)
    about = {k: v for k, v in asdict(one).items() if isinstance(v, (str, bool))}
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n")


def one_line(text: str) -> str:
    """A text without tabs or line breaks, and no more of it than any reader uses."""
    return " ".join(text[: 1 << 18].split())[:LONGEST]


def read_texts(folder: Path) -> list[str]:
    """The text of each page of a set; empty if its source has none."""
    file = folder / "texts.tsv.gz"
    if not file.exists():
        return []
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as opened:
        return [line.rstrip("\n").rpartition("\t")[2] for line in opened]


def read(folder: Path) -> tuple[dict[str, Any], list[list[str]], list[list[int]], list[list[int]]]:
    """About the set, its pages (name, title, read), its links and its gold by page numbers."""
    tables = []
    for name in ("pages", "links", "gold"):
        with gzip.open(folder / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
            tables.append(list(csv.reader(file, delimiter="\t")))
    pages, links, gold = tables
    about = json.loads((folder / "about.json").read_text())
    return about, pages, [[int(a), int(b)] for a, b in links], [[int(a), int(b)] for a, b in gold]
