"""Mutated files that the program saved earlier, or that an option names.

A verb must read such a file, ignore it, or reject it with one sentence.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from tests.fuzz.mutate import mutate
from tests.hostile.graphs import QUERY
from tests.hostile.processes import MIB, Forks, Run
from tests.hostile.writers import CRAWLED, Folder, command, crawled_site
from tests.waiting import eventually

OPTION_FILES = {
    "stop.txt": "https://www.h4.org/4\nre:https://www.h5.*\n*h6*\n",
    "queries.txt": f"{QUERY}\nhttps://www.h4.org/4\n",
    "qrels.txt": f"{QUERY} 0 https://www.h4.org/4 1\n{QUERY} 0 https://www.h5.org/5 0\n",
    "ratings.tsv": f"{QUERY}\thttps://www.h4.org/4\t2\n{QUERY}\thttps://www.h5.org/5\t1\n",
    "topics.tsv": f"{QUERY}\ttea\nhttps://www.h4.org/4\ttea\nhttps://www.h5.org/5\tmilk\n",
    "run.txt": f"{QUERY} Q0 https://www.h4.org/4 1 2.5 x\n{QUERY} Q0 https://www.h5.org/5 2 1 x\n",
    "ignore.tsv": f"{QUERY}\thttps://www.h4.org/4\n*\tre:https://www.h5.*\nold/*\n",
    "pairs.tsv": f"+{QUERY}\thttps://www.h4.org/4\n*\thttps://www.h5.org/5\nold/*\n",
    "delete.txt": f"{QUERY}\nhttps://www.h5.org/5\n",
    "names.txt": "https://a.org/\nhttps://b.org/\nhttps://c.org/\n",
    "numbers.tsv": "0\t1\n1\t2\n2\t0\n",
    "related.toml": "[to]\nlimit = 3\nby = 'lli'\nonly = ['*h*']\n[rank]\nby = 'hits'\n",
}
BY = ("--by", "cocitation")
ALL = ("all", "web.graph", *BY, "-o", "out2.sqlite")
READ: dict[str, tuple[tuple[str, ...] | str, ...]] = {
    "stop.txt": (("to", QUERY, "--stop", "stop.txt"),),
    "queries.txt": (
        ("to", "--from-file", "queries.txt"),
        ("all", "web.graph", *BY, "--pages", "queries.txt", "-o", "p.jsonl"),
    ),
    "qrels.txt": (("evaluate", "web.graph", "--queries", "qrels.txt", *BY),),
    "ratings.tsv": (("evaluate", "web.graph", "--queries", "ratings.tsv", *BY),),
    "topics.tsv": (("evaluate", "web.graph", "--topics", "topics.tsv", *BY),),
    "run.txt": (("evaluate", "web.graph", "--queries", "qrels.txt", "--run", "x=run.txt"),),
    "ignore.tsv": (("gaps", "web.graph", "--ignore", "ignore.tsv", "--json"),),
    "pairs.tsv": (
        ("site", "out.site", "--pairs", "pairs.tsv"),
        ("to", QUERY, "--pairs", "pairs.tsv", "--why"),
    ),
    "delete.txt": (("update", "web.graph", "--delete", "delete.txt"),),
    "names.txt": (("build", "numbers.tsv", "--names-file", "names.txt", "-o", "n.graph"),),
    "related.toml": (("to", QUERY), ("rank", "--csv"), ("config", "to")),
    "out.study": (("study", "web.graph", "--into", "out.study", "--export", "e"),),
    "out.checkpoint": ("evaluate",),
    "out.crawl": (("crawl", CRAWLED, "-o", "out.graph", "--delay", "0", "--continue"), "crawl"),
    "out.warc.gz": ("crawl", ("build", "out.warc.gz", "-o", "w.graph")),
    "out.toml": (("token", "bob", "--tokens", "out.toml"),),
    "out.json": ("site data",),
    "out.jsonl": (("diff", "out.jsonl", "out.jsonl"),),
    "out.jsonl.manifest.json": (("diff", "out.jsonl", "out.jsonl"), "all"),
    "out.notes/.related-links.json": (
        ("gaps", "out.notes", "--undo"),
        ("gaps", "out.notes", "--apply"),
    ),
    "out.sqlite": (("diff", "out.sqlite", "out.sqlite"),),
    "out2.sqlite.manifest.json": (ALL,),
    "out2.sqlite.parts/part-*": (ALL,),
    "out.graph/parsed/*": ("build new", ("update", "out.graph", "out.site")),
}
"""Each file, which may be a pattern, and the verbs that read it: their words, or a writer."""
MADE_BY = (
    "evaluate",
    "crawl",
    "token",
    "site data",
    "all",
    "all database",
    "build new",
    "gaps apply",
)
"""The writers that make the files, in this order, besides the study."""


TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
DATABASES = (".crawl", ".sqlite")
ODD = (None, -1, 0, 2**62, -(2**63), 1e308, "", "\0", "a" * 10_000, b"", b"\xff\x00", "[]", "{}")


def change_database(file: Path, draw: Random) -> None:
    """Put an odd value into a database of SQLite, or drop a table or a column of it."""
    with closing(sqlite3.connect(file)) as base, base:
        tables = [name for (name,) in base.execute(TABLES)]
        table = draw.choice(tables)
        columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
        column, kind = draw.choice(columns), draw.randrange(8)
        with suppress(sqlite3.Error):  # such as a key that would not be unique
            if kind == 0:
                base.execute(f'DROP TABLE "{table}"')
            elif kind == 1:
                base.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
            else:
                where = "" if kind == 2 else "WHERE rowid % 7 = 1"
                base.execute(f'UPDATE "{table}" SET "{column}" = ? {where}', [draw.choice(ODD)])


class SavedFiles:
    """A folder with every such file, and the outcome of reading mutations of them."""

    def __init__(self, graph: Path, place: Path) -> None:
        folder = Folder(graph, place / "saved")
        self._folder = folder.place
        self._case = place / "mutated"
        self._forks = Forks()
        for name, text in OPTION_FILES.items():
            (self._folder / name).write_text(text)
        wanted = [self._words(verb) for verb in (*MADE_BY, ALL)]
        with folder.started("study") as study:
            eventually((self._folder / "out.study").exists)
            study.terminate()
        for run in self._forks.run(*wanted, cwd=self._folder, seconds=60):
            assert run.status == 0, run
        parts = self._folder / "out2.sqlite.parts"
        parts.mkdir()
        (self._folder / "out2.sqlite").rename(parts / "part-000000.sqlite")  # not yet joined
        self.files = {
            name: (file, [self._words(verb) for verb in verbs])
            for name, verbs in READ.items()
            for file in sorted(self._folder.glob(name))[:1]
        }
        self.missing = set(READ) - set(self.files)

    @staticmethod
    def _words(verb: str | tuple[str, ...]) -> list[str]:
        if isinstance(verb, str):
            return command(verb)
        return [crawled_site() if word == CRAWLED else word for word in verb]

    def runs(self, number: int) -> Iterator[tuple[str, Run]]:
        """The outcome of every verb, for the mutation of this number of every file."""
        for name, (file, commands) in self.files.items():
            key = f"{name} #{number}"
            shutil.rmtree(self._case, ignore_errors=True)
            shutil.copytree(self._folder, self._case)
            changed = self._case / file.relative_to(self._folder)
            if file.suffix in DATABASES and number % 2:
                change_database(changed, Random(key))
            else:
                changed.write_bytes(mutate(file.read_bytes(), key, []))
            for words, run in zip(
                commands,
                self._forks.run(*commands, cwd=self._case, memory=2048 * MIB, seconds=10),
                strict=True,
            ):
                yield f"{key}, {' '.join(words[:2])}", run

    def close(self) -> None:
        self._forks.close()
