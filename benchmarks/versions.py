"""Do two versions of the code give the same answers, and how much CPU time does each take?

    python -m benchmarks.versions OLD GRAPH… [--questions 2000] [--rounds 9] [--by METHOD]
    python -m benchmarks.versions OLD GRAPH… --rank hits

OLD is the `src` folder of another version, with its kernels compiled.  Each version runs in its
own process.  `sample` as a graph is the sample Web.  The questions are drawn by a seed from pages
with links, over all methods unless `--by` names one; whole answers are compared, reasons included.
Then both answer the same questions with the default, interleaved, with and without reasons, and the
table shows the median CPU time of a question and the quartiles of the rounds.  With `--rank`, both
compute that rank instead, with one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import whatsrelated as wr
from benchmarks.measure import table
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS
from whatsrelated.sample import pages

CLOSE = 1e-9
TIMED = 100
"""Number of questions timed in a round; the median over them is the figure of the round."""
KINDS = ("answer", "answer and reasons", "similarity")
SLOW = ("pagesim", "simrank", "hubfinder", "lli")
"""Methods that get a tenth of the questions of the others."""


class Version:
    """A process that answers with one version of the code."""

    def __init__(self, source: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--answer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{Path.cwd()}"},
        )

    def ask(self, **request: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def answer_requests() -> None:
    """Answer requests from standard input, as a process of one version."""
    graphs: dict[str, wr.Graph] = {}
    for line in sys.stdin:
        request = json.loads(line)
        path = request["graph"]
        if path not in graphs:
            graphs[path] = wr.Graph.from_pages(pages()) if path == "sample" else wr.open(path)
        graph, replies = graphs[path], []
        if request["kind"] == "rank":
            begun = time.process_time()
            ranking = RANKS[request["by"]]().compute(graph.store, threads=1)
            seconds = time.process_time() - begun
            print(json.dumps([seconds, ranking.rounds, ranking.scores.tolist()]), flush=True)
            continue
        for url, by in request["questions"]:
            begun = time.thread_time()
            reply: Any
            if request["kind"] == "similarity":
                reply = graph.similarity(url, request["questions"][0][0], by=by)
            else:
                reply = graph.related(url, by=by).as_dict(why=request["kind"] != "answer")
            seconds = time.thread_time() - begun
            replies.append(seconds if request["timed"] else reply)
        print(json.dumps(replies), flush=True)


def drawn(path: str, count: int, by: str | None, seed: int) -> list[tuple[str, str]]:
    """Seeded questions: pages with links, and methods."""
    graph = wr.Graph.from_pages(pages()) if path == "sample" else wr.open(path)
    chance = random.Random(seed)
    methods = [by] if by else [name for name in METHODS for _ in range(1 if name in SLOW else 10)]
    questions: list[tuple[str, str]] = []
    while len(questions) < count:
        page = chance.randrange(len(graph))
        if len(graph.links_from(page)) or len(graph.links_to(page)):
            questions.append((graph.url(page), chance.choice(methods)))
    return questions


def difference(old: Any, new: Any, where: str = "") -> str | None:
    """Where two replies differ first, besides the time they took and the last digits."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        parts = [(key, old[key], new[key]) for key in old if key != "took_ms"]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        parts = [("", *pair) for pair in zip(old, new, strict=True)]
    elif isinstance(old, float) and isinstance(new, float):
        return None if abs(old - new) <= CLOSE * max(1.0, abs(old)) else where
    else:
        return None if old == new else where
    return next(filter(None, (difference(a, b, f"{where}.{key}") for key, a, b in parts)), None)


def compare_ranks(versions: list[Version], graphs: list[str], by: str, rounds: int) -> None:
    """Print the CPU time of a rank, its rounds, and the largest difference of two scores."""
    rows = []
    for path in graphs:
        seconds = []
        for _ in range(rounds):
            old, new = (version.ask(graph=path, kind="rank", by=by) for version in versions)
            seconds.append((old[0] * 1000, new[0] * 1000))
        largest = max(abs(a - b) for a, b in zip(old[2], new[2], strict=True))
        ratio = median(new / old for old, new in seconds)
        rows.append([Path(path).name, *cells(seconds), f"{ratio:.2f}", old[1], new[1], largest])
    head = ["graph", "old", "new", "ratio", "rounds before", "after", "largest difference"]
    table(f"CPU time of the rank {by}, in ms", head, rows)


def cells(rounds: list[tuple[float, float]]) -> list[str]:
    """The medians and quartiles of both versions."""
    spreads = [quantiles(one, n=4) for one in zip(*rounds, strict=True)]
    return [f"{mid:.3f} ({low:.3f}–{high:.3f})" for low, mid, high in spreads]


def main() -> None:
    if "--answer" in sys.argv:
        answer_requests()
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--by")
    parser.add_argument("--rank")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    versions = [Version(options.old), Version(Path(__file__).parents[1] / "src")]
    if options.rank:
        compare_ranks(versions, options.graphs, options.rank, options.rounds)
        return
    rows = []
    for path in options.graphs:
        questions = drawn(path, options.questions, options.by, options.seed)
        request = {"graph": path, "questions": questions, "kind": "answer and reasons"}
        old, new = (version.ask(**request, timed=False) for version in versions)
        different: Counter[str] = Counter()
        for question, *replies in zip(questions, old, new, strict=True):
            if where := difference(*replies):
                different[where] += 1
                print(f"{path}: {question[1]} for {question[0]} differs in {where}")
        print(f"{path}: {len(questions):,} answers, {different.total():,} different", *different)
        for kind in KINDS:
            some = [(url, options.by or "blend") for url, _ in questions[:TIMED]]
            request = {"graph": path, "questions": some, "kind": kind}
            rounds = []
            for _ in range(options.rounds):
                old, new = (median(version.ask(**request, timed=True)) for version in versions)
                rounds.append((old * 1000, new * 1000))
            ratio = median(new / old for old, new in rounds)
            rows.append([Path(path).name, kind, *cells(rounds), f"{ratio:.2f}"])
    table("CPU time of a question, in ms", ["graph", "what", "old", "new", "ratio"], rows)


if __name__ == "__main__":
    main()
