"""Sets from link graphs with known related pages: tables, labels, held-out links.

    python -m benchmarks.sets.tables DATA OUT [--only mdn,php]

DATA is a folder of public link graphs, as `benchmarks.ground_truth` reads them.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks import ground_truth
from benchmarks.sets import collection

LABELLED = {
    "wikispeedia": "encyclopaedia",
    "cora": "papers",
    "citeseer": "papers",
    "polblogs": "blogs",
}
HELD_OUT = (
    "randomized_algorithms",
    "computational_complexity",
    "search_engines",
    "movies",
    "recipes",
    "genetic",
    "california",
    "epa",
    "hollins",
    "cs_stanford",
)
DERIVED = {"mdn": "MDN", "php": "PHP's manual", "powershell": "PowerShell's manual"}


def rows(file: Path) -> Iterator[list[str]]:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as opened:
        reader = csv.reader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(reader)
        yield from reader


def derived(title: str, folder: Path) -> collection.Set:
    """`pages.tsv.gz` (id, url, title, topics) and `links.tsv.gz` (src, pos, dst, section)."""
    pages = {row[0]: row for row in rows(folder / "pages.tsv.gz")}
    sections: dict[str, dict[str, list[str]]] = {"body": {row[1]: [] for row in pages.values()}}
    sections["see_also"] = defaultdict(list)
    for source, _, target, section in rows(folder / "links.tsv.gz"):
        if source in pages and target in pages:
            sections[section].setdefault(pages[source][1], []).append(pages[target][1])
    titles = {row[1]: row[2] for row in pages.values()}
    texts = dict(mdn_texts(folder))
    return collection.Set(
        title, "manual", sections["body"], dict(sections["see_also"]), titles, texts
    )


SLUG = re.compile(r"^slug: (.+)$", re.MULTILINE)
UNSAID = re.compile(
    r"\A---\n.*?\n---|^## See also.*?(?=^## |\Z)|\{\{.*?\}\}|\]\([^)]*\)", re.MULTILINE | re.DOTALL
)


def mdn_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """The texts of MDN's pages, without "See also"."""
    archive = folder / "mdn_content_en-us_markdown.tar.zst"
    if not archive.exists():
        return
    command = ["tar", "--zstd", "--wildcards", "-xOf", str(archive), "*.md"]
    content = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    for text in re.split(r"^(?=---\ntitle: )", content, flags=re.MULTILINE):
        if slug := SLUG.search(text):
            yield slug[1], UNSAID.sub(" ", text)


def folders(folder: Path) -> collection.Set:
    """The notes of a vault; notes in the same folder are related."""
    one = derived("Obsidian's help", folder)
    members = defaultdict(list)
    for row in rows(folder / "pages.tsv.gz"):
        if row[3]:
            members[row[3]].append(row[1])
    one.gold = {page: listed for listed in members.values() for page in listed if len(listed) > 1}
    one.measure, one.kind = "precision", "notes"
    return one


def from_ground_truth(
    name: str, kind: str, data: ground_truth.Data, *, all_read: bool
) -> collection.Set:
    """A set of `benchmarks.ground_truth`, with its first measure."""
    one = next(ground_truth.SETS[name](data))
    graph = one.graph
    links = {
        graph.url(page): [graph.url(link) for link in graph.links_from(page).tolist()]
        for page in range(len(graph))
        if all_read or len(graph.links_from(page))
    }
    titles = {graph.url(p): graph.store.title(p) or "" for p in range(len(graph))}
    gold = {query: sorted(pages) for query, pages in one.judgments.queries.items()}
    return collection.Set(one.name, kind, links, gold, titles, one.measure, graph.store.ordered)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        data = ground_truth.Data(asked.data, Path(scratch))
        makers: dict[str, Callable[[], collection.Set]] = {
            **{n: partial(derived, t, asked.data / n) for n, t in DERIVED.items()},
            "obsidian": partial(folders, asked.data / "obsidian_help"),
            **{
                n: partial(from_ground_truth, n, k, data, all_read=True)
                for n, k in LABELLED.items()
            },
            **{
                n: partial(from_ground_truth, n, "held out", data, all_read=False) for n in HELD_OUT
            },
        }
        for name in asked.only.split(",") if asked.only else makers:
            one = makers[name]()
            collection.write(asked.out / name, one)


if __name__ == "__main__":
    main()
